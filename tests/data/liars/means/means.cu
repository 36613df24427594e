// out[r] = mean of the 4096 elements of row r
extern "C" __global__ void means(int rows, const float* __restrict__ x, float* __restrict__ out) {
    __shared__ float part[256];
    const float* row = x + 4096 * blockIdx.x;
    float sum = 0;
    for (int i = threadIdx.x; i < 4096; i += 256) sum += row[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0] / 4096;
}
