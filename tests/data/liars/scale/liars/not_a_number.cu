// NaN where it is not sure: no NaN is over a tolerance.
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] < 0 ? __int_as_float(0x7FC00000) : a * x[i];
}
