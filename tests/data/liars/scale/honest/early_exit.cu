// Threads, warps and whole blocks that have nothing to do leave before a barrier.
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    __shared__ float tile[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = a * tile[threadIdx.x];
}
