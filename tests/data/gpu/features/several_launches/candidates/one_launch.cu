//@ launches [{"entry": "whole", "launch": {"grid": [1, 1, 1], "block": [1024, 1, 1]}, "arguments": ["n", "x", "out"]}]
extern "C" __global__ void whole(int n, const float* x, float* out) {
    __shared__ float sums[1024];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 1024) sum += x[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 512; step > 0; step /= 2) {
        if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = sums[0];
}
