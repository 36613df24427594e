// Shared atomics first, one global atomic a bin and block.
extern "C" __global__ void counts(int n, const unsigned* __restrict__ values, unsigned* counts) {
    __shared__ unsigned own[16];
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&own[values[i]], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
