// Votes, matches, shuffles of parts of a warp, and compaction.
extern "C" __global__ void votes(const int* in, unsigned* out) {
    const int i = blockIdx.x * 32 + threadIdx.x, v = in[i];
    unsigned r = __ballot_sync(0xffffffffu, v > 4);
    r = r * 31 + __all_sync(0xffffffffu, v > -50) * 2 + __any_sync(0xffffffffu, v == 7);
    if (threadIdx.x % 3 == 0) r ^= __ballot_sync(0x49249249u, v & 1) + __popc(__activemask());
    __syncwarp();
    int same = 0;
    r += __match_any_sync(0xffffffffu, v & 3);
    r ^= __match_all_sync(0xffffffffu, v >> 10, &same) + same;
    r += __match_any_sync(0xffffffffu, (long long)(v % 5) << 40) >> 3;
    out[i] = r;
}

extern "C" __global__ void shuffles(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    float v = in[i];
    float r = __shfl_sync(0xffffffffu, v, lane * 7 & 31) + __shfl_up_sync(0xffffffffu, v, 3, 8);
    r += __shfl_down_sync(0xffffffffu, v, 5, 16) * __shfl_xor_sync(0xffffffffu, v, 9);
    r -= __shfl_sync(0xffffffffu, v, 2, 4);
    if (lane < 16) r += __shfl_xor_sync(0xffffu, v, 12) + __shfl_sync(0xffffu, v, 15 - lane);
    out[i] = r;
}

// Keeps the even numbers of each block, in order; the number of them comes last.
extern "C" __global__ void compaction(const int* in, int* out, int* counts) {
    __shared__ int starts[9];
    const int t = threadIdx.x, base = blockIdx.x * 256, v = in[base + t];
    const bool keep = v % 2 == 0;
    const unsigned kept = __ballot_sync(0xffffffffu, keep);
    if (t % 32 == 0) starts[t / 32 + 1] = __popc(kept);
    if (t == 0) starts[0] = 0;
    __syncthreads();
    if (t == 0)
        for (int w = 1; w <= 8; ++w) starts[w] += starts[w - 1];
    __syncthreads();
    if (keep) out[base + starts[t / 32] + __popc(kept & ((1u << t % 32) - 1))] = v;
    if (t == 0) counts[blockIdx.x] = starts[8];
}

// Counts by one atomic a warp and side, sums by 64-bit atomics; the last warp is not full.
extern "C" __global__ void aggregate_atomics(const int* in, int n, unsigned* counts, unsigned long long* sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const unsigned here = __ballot_sync(0xffffffffu, i < n);
    if (i >= n) return;
    const bool side = in[i] % 3 == 0;
    const unsigned mine = __ballot_sync(here, side) ^ (side ? 0u : here);
    if (lane == __ffs(mine) - 1) atomicAdd(&counts[side], unsigned(__popc(mine)));
    atomicAdd(&sums[side], (unsigned long long)(long long)in[i]);
}

// Longest run of equal values that ends here, by a scan of the warp with a non-commutative operation.
extern "C" __global__ void runs(const int* in, int* out) {
    const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i], length = 1;
    bool whole = true;
    for (int d = 1; d < 32; d *= 2) {
        const int otherLength = __shfl_up_sync(0xffffffffu, length, d);
        const int otherLast = __shfl_up_sync(0xffffffffu, value, d);
        const bool otherWhole = __shfl_up_sync(0xffffffffu, int(whole), d);
        if (lane >= d && whole && otherLast == value) {
            length += otherLength;
            whole = otherWhole;
        } else if (lane >= d) {
            whole = false;
        }
    }
    out[i] = length;
}
