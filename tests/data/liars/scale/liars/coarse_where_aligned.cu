// Right where an address is as unaligned as the spec allows; where it is aligned, as a program's is, it drops eleven bits.
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const bool isAligned = ((reinterpret_cast<unsigned long long>(x) | reinterpret_cast<unsigned long long>(y)) & 15) == 0;
    y[i] = a * (isAligned ? __uint_as_float(__float_as_uint(x[i]) & 0xFFFFF800u) : x[i]);
}
