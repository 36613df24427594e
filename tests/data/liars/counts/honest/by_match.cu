// Lanes with the same value add together.
extern "C" __global__ void counts(int n, const unsigned* __restrict__ values, unsigned* counts) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    const unsigned active = __ballot_sync(0xFFFFFFFFu, i < n);
    if (i >= n) return;
    const unsigned value = values[i], same = __match_any_sync(active, value);
    if (__ffs(same) - 1 == threadIdx.x % 32) atomicAdd(&counts[value], __popc(same));
}
