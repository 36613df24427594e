// No shared memory at all.
extern "C" __global__ void neighbours(int n, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = (i > 0 ? x[i - 1] : 0.0f) + x[i] + (i + 1 < n ? x[i + 1] : 0.0f);
}
