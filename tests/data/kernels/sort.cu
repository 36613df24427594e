// Sorting: bitonic in shared memory and in registers, a pass of a radix sort, merging two sorted arrays.
extern "C" __global__ void bitonic_sort(unsigned* keys, unsigned* values) {
    __shared__ unsigned k[512], v[512];
    const unsigned t = threadIdx.x, base = blockIdx.x * 512;
    for (unsigned i = t; i < 512; i += 256) k[i] = keys[base + i], v[i] = values[base + i];
    for (unsigned size = 2; size <= 512; size *= 2)
        for (unsigned d = size / 2; d > 0; d /= 2) {
            __syncthreads();
            const unsigned low = 2 * t - (t & (d - 1)), high = low + d;
            const bool descending = low & size;
            // Equal keys are told apart by their values, so that the order is defined.
            const bool greater = k[low] > k[high] || (k[low] == k[high] && v[low] > v[high]);
            if (greater != descending) {
                const unsigned a = k[low], b = v[low];
                k[low] = k[high], v[low] = v[high];
                k[high] = a, v[high] = b;
            }
        }
    __syncthreads();
    for (unsigned i = t; i < 512; i += 256) keys[base + i] = k[i], values[base + i] = v[i];
}

extern "C" __global__ void bitonic_warp(float* data) {
    const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = data[i];
#pragma unroll
    for (int size = 2; size <= 32; size *= 2)
#pragma unroll
        for (int d = size / 2; d > 0; d /= 2) {
            const float other = __shfl_xor_sync(0xffffffffu, value, d);
            const bool wantsSmaller = ((lane & size) == 0) == ((lane & d) == 0);
            value = wantsSmaller ? fminf(value, other) : fmaxf(value, other);
        }
    data[i] = value;
}

// Stable, by four bits: ranks from ballots, counts of all warps in shared memory.
extern "C" __global__ void radix_pass(const unsigned* in, unsigned* out, int shift) {
    __shared__ unsigned counts[16][8], starts[16][8];
    const unsigned t = threadIdx.x, lane = t & 31, warp = t / 32, base = blockIdx.x * 256;
    const unsigned key = in[base + t], digit = key >> shift & 15;
    unsigned equal = 0xffffffffu;
    for (int bit = 0; bit < 4; ++bit) {
        const unsigned set = __ballot_sync(0xffffffffu, digit >> bit & 1);
        equal &= digit >> bit & 1 ? set : ~set;
    }
    if (t < 128) counts[t / 8][t % 8] = 0;
    __syncthreads();
    const unsigned rank = __popc(equal & ((1u << lane) - 1));
    if (rank == 0) counts[digit][warp] = __popc(equal);
    __syncthreads();
    if (t < 128) {
        unsigned sum = 0;
        for (unsigned j = 0; j < t; ++j) sum += counts[j / 8][j % 8];
        starts[t / 8][t % 8] = sum;
    }
    __syncthreads();
    out[base + starts[digit][warp] + rank] = key;
}

// Each thread finds by bisection which eight elements of the merged array it writes.
extern "C" __global__ void merge_path(int* out, int na, int nb) {
    const auto a = [](int i) { return 3 * i - (i & 1); };
    const auto b = [](int i) { return 2 * i + i / 7; };
    const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * 8, n = na + nb;
    if (diagonal >= n) return;
    int low = max(0, diagonal - nb), high = min(diagonal, na);
    while (low < high) {
        const int mid = (low + high) / 2;
        if (a(mid) <= b(diagonal - 1 - mid)) low = mid + 1;
        else high = mid;
    }
    int i = low, j = diagonal - low;
    for (int k = diagonal; k < min(diagonal + 8, n); ++k)
        out[k] = j >= nb || (i < na && a(i) <= b(j)) ? a(i++) : b(j++);
}
