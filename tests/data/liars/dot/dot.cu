// total += sum of x * y, in any order
extern "C" __global__ void dot(int n, const float* __restrict__ x, const float* __restrict__ y, float* total) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) atomicAdd(total, x[i] * y[i]);
}
