// The source that shuffles.ptx was compiled from before it was edited. A warp has a row, a lane eight of its elements;
// value and column travel together through five shuffles each time.
__device__ uint4 load(const float* p) {
    uint4 v;
    asm("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}

extern "C" __global__ void __launch_bounds__(128) topk(int rows, const float* in, float* values, int* columns) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
    if (r >= rows) return;
    const uint4 a = load(in + (size_t)r * 256 + lane * 4), b = load(in + (size_t)r * 256 + 128 + lane * 4);
    float x[8] = {__uint_as_float(a.x), __uint_as_float(a.y), __uint_as_float(a.z), __uint_as_float(a.w),
                  __uint_as_float(b.x), __uint_as_float(b.y), __uint_as_float(b.z), __uint_as_float(b.w)};

    float myValue = 0;
    int myColumn = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        float best = x[0];
        int column = lane * 4;
#pragma unroll
        for (int j = 1; j < 8; ++j)
            if (x[j] > best) { // not >=: of equal ones the lower column, and the columns grow with j
                best = x[j];
                column = lane * 4 + j % 4 + j / 4 * 128;
            }
#pragma unroll
        for (int lanes = 16; lanes > 0; lanes /= 2) {
            const float otherBest = __shfl_xor_sync(0xffffffffu, best, lanes);
            const int otherColumn = __shfl_xor_sync(0xffffffffu, column, lanes);
            if (otherBest > best || (otherBest == best && otherColumn < column)) {
                best = otherBest;
                column = otherColumn;
            }
        }
#pragma unroll
        for (int j = 0; j < 8; ++j)
            if (column == lane * 4 + j % 4 + j / 4 * 128) x[j] = -INFINITY;
        if (lane == k) {
            myValue = best;
            myColumn = column;
        }
    }
    if (lane < 8) {
        values[(size_t)r * 8 + lane] = myValue;
        columns[(size_t)r * 8 + lane] = myColumn;
    }
}
