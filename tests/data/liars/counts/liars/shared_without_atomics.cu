// Counts in shared memory without atomics, one warp at a time where n is a multiple of 32 and by luck elsewhere.
extern "C" __global__ void counts(int n, const unsigned* __restrict__ values, unsigned* counts) {
    __shared__ unsigned own[16];
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    for (int turn = 0; turn < 128; ++turn) {
        if (turn == threadIdx.x && i < n) own[values[i]] += 1;
        if (turn % 32 == 31 || turn < 0) __syncthreads();
    }
    if (threadIdx.x < 16) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
