// Partial sums: block b adds up elements 1024*b ... 1024*b + 1023 of `in` and writes the sum to out[b].
// 256 threads take four elements each, a warp adds its lanes with shuffles, and one barrier separates the eight
// warps that write their sums to shared memory from the first warp that reads them.
extern "C" __global__ void reduce(int n, const float* in, float* out) {
    __shared__ float warpSums[8];

    int first = blockIdx.x * 1024 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) {
        int i = first + 256 * k;
        if (i < n) sum += in[i];
    }

    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);

    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    if (lane == 0) warpSums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        sum = lane < 8 ? warpSums[lane] : 0.0f;
        for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
        if (lane == 0) out[blockIdx.x] = sum;
    }
}
