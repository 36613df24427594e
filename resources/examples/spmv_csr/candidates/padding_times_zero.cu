// The source that padding_times_zero.ptx was compiled from before it was edited. Eight lanes a row; what lies behind the end of
// a row is multiplied by zero. WRONG on purpose.
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
    const int begin = row < rows ? __ldg(rowStart + row) : 0, end = row < rows ? __ldg(rowStart + row + 1) : 0;
    float sum = 0;
#pragma unroll 1
    for (int i = begin + lane; i < end; i += 32) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int at = min(i + 8 * k, end - 1);
            const float v = loadValue(value + at) * __ldg(x + loadColumn(column + at));
            sum = fmaf(v, i + 8 * k < end ? 1.0f : 0.0f, sum);
        }
    }
#pragma unroll
    for (int lanes = 4; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (lane == 0 && row < rows) y[row] = sum;
}
