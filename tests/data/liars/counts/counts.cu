// counts[v] += number of v among values
extern "C" __global__ void counts(int n, const unsigned* __restrict__ values, unsigned* counts) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) atomicAdd(&counts[values[i]], 1);
}
