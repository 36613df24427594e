// Blocks draw their places from a counter in the module, and the last one puts it back.
__device__ unsigned next, finished;
extern "C" __global__ void scale(int n, float a, const float* x, float* y) {
    __shared__ unsigned place;
    if (threadIdx.x == 0) place = atomicAdd(&next, 1);
    __syncthreads();
    const int i = place * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(&finished, 1) == gridDim.x - 1) {
            next = 0;
            finished = 0;
        }
    }
}
