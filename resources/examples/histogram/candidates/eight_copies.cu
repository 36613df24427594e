// The source that eight_copies.ptx was compiled from before it was edited. A block has eight copies of the counts, side by
// side: lane l uses copy l % 8. Sixteen bytes a load.
__device__ uint4 load(const uint4* p) {
    uint4 v;
    asm("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}
__device__ void count(unsigned base, unsigned value) {
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(base + value * 32) : "memory");
}
__device__ void countFour(unsigned base, unsigned word) {
    count(base, word & 255);
    count(base, word >> 8 & 255);
    count(base, word >> 16 & 255);
    count(base, word >> 24);
}

extern "C" __global__ void __launch_bounds__(256) histogram(int n, const unsigned char* in, unsigned* counts) {
    __shared__ unsigned copies[256][8];
    const int t = threadIdx.x;
#pragma unroll
    for (int c = 0; c < 8; ++c) (&copies[0][0])[t + 256 * c] = 0;
    __syncthreads();

    const unsigned base = (unsigned)__cvta_generic_to_shared(&copies[0][t % 8]);
    const uint4* pieces = (const uint4*)in;
    const int whole = n / 16, stride = gridDim.x * 256;
    int i = blockIdx.x * 256 + t;
    for (; i + stride < whole; i += 2 * stride) {
        const uint4 a = load(pieces + i), b = load(pieces + i + stride);
        countFour(base, a.x), countFour(base, a.y), countFour(base, a.z), countFour(base, a.w);
        countFour(base, b.x), countFour(base, b.y), countFour(base, b.z), countFour(base, b.w);
    }
    if (i < whole) {
        const uint4 a = load(pieces + i);
        countFour(base, a.x), countFour(base, a.y), countFour(base, a.z), countFour(base, a.w);
    }
    const int last = whole * 16 + t; // up to 15 bytes are left
    if (blockIdx.x == 0 && last < n) count(base, in[last]);
    __syncthreads();

    const uint4 a = *(const uint4*)&copies[t][0], b = *(const uint4*)&copies[t][4];
    const unsigned sum = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    if (sum) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(counts + t), "r"(sum) : "memory");
}
