// 64 KiB of dynamic shared memory, of which it uses the last kilobyte.
//@ launch {"grid": ["ceil_div(n, 256)", 1, 1], "block": [256, 1, 1], "shared_bytes": 65536}
extern "C" __global__ void sums(int n, const float* __restrict__ x, float* __restrict__ out) {
    extern __shared__ float memory[];
    float* part = memory + 15 * 1024;
    const int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
