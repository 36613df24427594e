// Right, with more shared memory than the spec grants.
extern "C" __global__ void scale(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float rows[5000];
    for (int k = threadIdx.x; k < 5000; k += blockDim.x) rows[k] = k;
    __syncthreads();
    if (i < n) y[i] = a * x[i] + 0 * rows[(threadIdx.x * 7) % 5000];
}
