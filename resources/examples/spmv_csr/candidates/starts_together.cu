// The source that starts_together.ptx was compiled from before it was edited. A warp has 32 rows, whose starts it loads in one
// go; eight lanes have a row, in eight rounds of four rows.
__device__ int loadColumn(const int* p) {
    int v;
    asm("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}
__device__ float loadValue(const float* p) {
    float v;
    asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(p));
    return v;
}

extern "C" __global__ void __launch_bounds__(128) spmv_csr(int rows, int columns, int elements, const int* rowStart,
                                                           const int* column, const float* value, const float* x, float* y) {
    const int warpLane = threadIdx.x % 32, lane = threadIdx.x % 8;
    const int first = (blockIdx.x * 4 + threadIdx.x / 32) * 32;
    if (first >= rows) return; // a whole warp
    const int mine = __ldg(rowStart + min(first + warpLane, rows)), after = __ldg(rowStart + min(first + warpLane + 1, rows));
    float result = 0; // of row first + warpLane
#pragma unroll 1
    for (int round = 0; round < 8; ++round) {
        const int begin = __shfl_sync(0xffffffffu, mine, round * 4 + warpLane / 8);
        const int end = __shfl_sync(0xffffffffu, after, round * 4 + warpLane / 8);
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma unroll 1
        for (int i = begin + lane; i < end; i += 32) {
            int c[4];
            float v[4], w[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int at = min(i + 8 * k, end - 1); // behind the end: the last element once more, not counted below
                c[k] = loadColumn(column + at);
                v[k] = loadValue(value + at);
            }
#pragma unroll
            for (int k = 0; k < 4; ++k) w[k] = __ldg(x + c[k]);
            s0 = fmaf(v[0], w[0], s0);
            s1 = i + 8 < end ? fmaf(v[1], w[1], s1) : s1;
            s2 = i + 16 < end ? fmaf(v[2], w[2], s2) : s2;
            s3 = i + 24 < end ? fmaf(v[3], w[3], s3) : s3;
        }
        float sum = (s0 + s1) + (s2 + s3);
#pragma unroll
        for (int lanes = 4; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
        // Lane 4 * round + g takes the sum of row g of this round.
        const float given = __shfl_sync(0xffffffffu, sum, warpLane % 4 * 8);
        if (warpLane / 4 == round) result = given;
    }
    if (first + warpLane < rows) y[first + warpLane] = result;
}
