// The source that eight_lanes.ptx was compiled from before it was edited. Eight lanes have a row, so a warp has four, and a
// lane has four elements on their way.
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

extern "C" __global__ void __launch_bounds__(256) spmv_csr(int rows, int columns, int elements, const int* rowStart,
                                                           const int* column, const float* value, const float* x, float* y) {
    const int row = blockIdx.x * 32 + threadIdx.x / 8, lane = threadIdx.x % 8;
    // Lanes without a row stay and have nothing to add: the shuffles want all of the warp.
    const int begin = row < rows ? __ldg(rowStart + row) : 0, end = row < rows ? __ldg(rowStart + row + 1) : 0;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma unroll 1
    for (int i = begin + lane; i < end; i += 32) {
        int c[4];
        float v[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int at = min(i + 8 * k, end - 1); // behind the end: the last element once more, not counted below
            c[k] = loadColumn(column + at);
            v[k] = loadValue(value + at);
        }
        float w[4];
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
    if (lane == 0 && row < rows) y[row] = sum;
}
