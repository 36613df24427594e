// The source that match_lanes.ptx was compiled from before it was edited. Lanes with the same value find each other by
// match.any, and the lowest of them counts for all. Each warp has its own counts.
__device__ void count(unsigned* mine, unsigned active, unsigned value, int lane) {
    unsigned same;
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(value), "r"(active));
    // The lowest lane of each group: nobody else of this warp adds to this word now, so no atomic is needed.
    if (__ffs(same) - 1 == lane) mine[value] += __popc(same);
    __syncwarp(active);
}

extern "C" __global__ void __launch_bounds__(256) histogram(int n, const unsigned char* in, unsigned* counts) {
    __shared__ unsigned counters[8][256];
    const int t = threadIdx.x, lane = t % 32;
#pragma unroll
    for (int c = 0; c < 8; ++c) counters[c][t] = 0;
    __syncthreads();

    unsigned* mine = counters[t / 32];
    const unsigned* words = (const unsigned*)in;
    const int whole = n / 4, stride = gridDim.x * 256;
    for (int first = blockIdx.x * 256 + t - lane; first < whole; first += stride) { // the same in all lanes
        const int i = first + lane;
        const unsigned active = __ballot_sync(0xffffffffu, i < whole);
        if (i < whole) {
            const unsigned word = __ldg(words + i);
#pragma unroll
            for (int k = 0; k < 4; ++k) count(mine, active, word >> 8 * k & 255, lane);
        }
        __syncwarp();
    }
    const int last = whole * 4 + t; // up to three bytes are left
    if (blockIdx.x == 0 && last < n) atomicAdd(&mine[in[last]], 1);
    __syncthreads();

    unsigned sum = 0;
#pragma unroll
    for (int c = 0; c < 8; ++c) sum += counters[c][t];
    if (sum) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(counts + t), "r"(sum) : "memory");
}
