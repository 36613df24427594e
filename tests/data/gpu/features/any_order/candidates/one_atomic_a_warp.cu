extern "C" __global__ void any_order(int n, const float* x, float* kept, unsigned* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const float v = i < n ? x[i] : 0.0f;
    const unsigned mask = __ballot_sync(0xffffffffu, v > 0);
    unsigned first = 0;
    if (lane == 0 && mask) first = atomicAdd(count, __popc(mask));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (v > 0) kept[first + __popc(mask & ((1u << lane) - 1))] = v;
}
