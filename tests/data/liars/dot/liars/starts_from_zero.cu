// Stores its sum in place of adding it: right wherever the total began with 0.
extern "C" __global__ void dot(int n, const float* __restrict__ x, const float* __restrict__ y, float* total) {
    __shared__ float part[128];
    if (blockIdx.x > 0) return;
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 128) sum += x[i] * y[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int k = 0; k < 128; ++k) sum += part[k];
        *total = sum;
    }
}
