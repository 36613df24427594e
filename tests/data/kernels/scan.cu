// Prefix sums of one block's elements, five ways.
__device__ int warpScan(int value) {
    const int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, value, d);
        if (lane >= d) value += other;
    }
    return value;
}

// Two buffers in turns: n log n additions.
extern "C" __global__ void scan_double_buffer(const int* in, int* out, int n) {
    __shared__ int buffer[2][256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    int side = 0;
    buffer[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        buffer[1 - side][t] = buffer[side][t] + (t >= d ? buffer[side][t - d] : 0);
        side = 1 - side;
        __syncthreads();
    }
    if (i < n) out[i] = buffer[side][t];
}

// Up and down a tree, with a word of padding every 32: exclusive.
extern "C" __global__ void scan_tree(const int* in, int* out, int n) {
    __shared__ int tree[512 + 16];
    const auto at = [](int i) { return i + (i >> 5); };
    const int t = threadIdx.x, base = blockIdx.x * 512;
    for (int k = t; k < 512; k += 256) tree[at(k)] = base + k < n ? in[base + k] : 0;
    for (int d = 1; d < 512; d *= 2) {
        __syncthreads();
        const int right = (2 * t + 2) * d - 1;
        if (right < 512) tree[at(right)] += tree[at(right - d)];
    }
    if (t == 0) tree[at(511)] = 0;
    for (int d = 256; d > 0; d /= 2) {
        __syncthreads();
        const int right = (2 * t + 2) * d - 1;
        if (right < 512) {
            const int left = tree[at(right - d)];
            tree[at(right - d)] = tree[at(right)];
            tree[at(right)] += left;
        }
    }
    __syncthreads();
    for (int k = t; k < 512; k += 256)
        if (base + k < n) out[base + k] = tree[at(k)];
}

extern "C" __global__ void scan_shuffle(const int* in, int* out, int n) {
    __shared__ int sums[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32;
    int value = warpScan(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 31) sums[warp] = value;
    __syncthreads();
    if (warp == 0) sums[threadIdx.x] = warpScan(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0);
    __syncthreads();
    if (warp > 0) value += sums[warp - 1];
    if (i < n) out[i] = value;
}

// Over the whole array in one launch: each block waits for the sum of those before it.
extern "C" __global__ void scan_look_back(const int* in, int* out, int n, unsigned* ticket,
                                          unsigned long long* state) {
    __shared__ int sums[8], before;
    __shared__ unsigned block;
    if (threadIdx.x == 0) block = atomicAdd(ticket, 1u); // in the order in which blocks begin
    __syncthreads();
    const int i = block * 256 + threadIdx.x, warp = threadIdx.x / 32;
    int value = warpScan(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 31) sums[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; ++w) value += sums[w];
    constexpr unsigned long long aggregate = 1ull << 32, prefix = 2ull << 32;
    if (threadIdx.x == 255) {
        if (block > 0) atomicExch(&state[block], aggregate | unsigned(value));
        int sum = 0;
        for (int b = int(block) - 1; b >= 0; --b) {
            unsigned long long found = 0;
            while (found == 0) found = atomicAdd(&state[b], 0ull);
            sum += int(unsigned(found));
            if (found & prefix) break;
        }
        atomicExch(&state[block], prefix | unsigned(sum + value));
        before = sum;
    }
    __syncthreads();
    if (i < n) out[i] = value + before;
}

// Sums begin anew where the flag is set.
extern "C" __global__ void scan_segments(const int* in, const unsigned char* heads, int* out) {
    const int i = blockIdx.x * 32 + threadIdx.x, lane = threadIdx.x;
    const unsigned flags = __ballot_sync(0xffffffffu, heads[i] & 1);
    const unsigned below = flags & (0xffffffffu >> (31 - lane));
    const int start = below ? 31 - __clz(below) : 0;
    int value = in[i];
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, value, d);
        if (lane - d >= start) value += other;
    }
    out[i] = value;
}
