// The source that redux.ptx was compiled from before it was edited. A warp has a row, a lane eight of its elements as keys:
// unsigned integers in the order of the floats. redux.sync finds the largest key and the lowest column that has it.
__device__ uint4 load(const float* p) {
    uint4 v;
    asm("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

// Negative floats have all bits turned over, the others only the sign: then unsigned integers compare as floats do.
__device__ unsigned key(unsigned bits) { return bits ^ ((unsigned)((int)bits >> 31) | 0x80000000u); }
__device__ unsigned bitsOf(unsigned k) { return k ^ ((unsigned)((int)~k >> 31) | 0x80000000u); }
__device__ unsigned highest(unsigned x) {
    unsigned r;
    asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x));
    return r;
}
__device__ unsigned lowest(unsigned x) {
    unsigned r;
    asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x));
    return r;
}

extern "C" __global__ void __launch_bounds__(128) topk(int rows, const float* in, float* values, int* columns) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
    if (r >= rows) return;
    const uint4 a = load(in + (size_t)r * 256 + lane * 4), b = load(in + (size_t)r * 256 + 128 + lane * 4);
    unsigned keys[8] = {key(a.x), key(a.y), key(a.z), key(a.w), key(b.x), key(b.y), key(b.z), key(b.w)};

    unsigned myValue = 0, myColumn = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        unsigned best = keys[0];
#pragma unroll
        for (int j = 1; j < 8; ++j) best = max(best, keys[j]);
        const unsigned top = highest(best);
        // The lowest of this lane's columns that have it: the columns grow with j, so the last one to be looked at is 0.
        unsigned column = 0xffffffffu;
#pragma unroll
        for (int j = 7; j >= 0; --j)
            if (keys[j] == top) column = lane * 4 + j % 4 + j / 4 * 128;
        const unsigned winner = lowest(column);
#pragma unroll
        for (int j = 0; j < 8; ++j)
            if (winner == lane * 4 + j % 4 + j / 4 * 128) keys[j] = 0; // below every key of a number
        if (lane == k) {
            myValue = top;
            myColumn = winner;
        }
    }
    // Lane k keeps the k-th: the eight lanes store 32 bytes together.
    if (lane < 8) {
        values[(size_t)r * 8 + lane] = __uint_as_float(bitsOf(myValue));
        columns[(size_t)r * 8 + lane] = myColumn;
    }
}
