// Shuffles inside warps, shared memory between them.
extern "C" __global__ void sums(int n, const float* __restrict__ x, float* __restrict__ out) {
    __shared__ float part[8];
    const int i = blockIdx.x * 256 + threadIdx.x;
    float sum = i < n ? x[i] : 0.0f;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < 8 ? part[threadIdx.x] : 0.0f;
        for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}
