// The products by 16-bit halves, which wrap the same way.
extern "C" __global__ void mix(int n, const unsigned* __restrict__ x, unsigned* __restrict__ y) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    const unsigned low = x[i] & 0xFFFFu, high = x[i] >> 16;
    unsigned h = low * 0x9E3779B9u + ((high * 0x79B9u) << 16) + i;
    h ^= h >> 16;
    h = h * 0x85EB0000u + h * 0xCA6Bu;
    y[i] = h ^ h >> 13;
}
