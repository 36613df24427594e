// A barrier for more threads than come to it where the block is not full.
extern "C" __global__ void sums(int n, const float* __restrict__ x, float* __restrict__ out) {
    __shared__ float part[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = 0;
    __syncthreads();
    if (blockIdx.x * 256 + threadIdx.x / 32 * 32 < n) {
        if (i < n) part[threadIdx.x] = x[i];
        asm volatile("bar.sync 1, 256;" ::: "memory");
    }
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
