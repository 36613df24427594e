// The source that four_by_four.ptx was compiled from before it was edited. A thread has 4 x 4 elements of C, still straight
// from global memory: a block of 16 x 16 threads has a 64 x 64 tile.
extern "C" __global__ void __launch_bounds__(256) sgemm_naive(int m, int n, int k, const float* a, const float* b, float* c) {
    const int column = blockIdx.x * 64 + threadIdx.x * 4, row = blockIdx.y * 64 + threadIdx.y * 4;
    if (row >= m || column >= n) return;

    float sums[4][4] = {};
    const float* pa[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) pa[i] = a + (size_t)min(row + i, m - 1) * k; // a row that is not there is computed, not stored
    const float* pb = b + column;
#pragma unroll 4
    for (int p = 0; p < k; ++p) {
        const float4 y = *(const float4*)pb;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float x = pa[i][p];
            sums[i][0] = fmaf(x, y.x, sums[i][0]);
            sums[i][1] = fmaf(x, y.y, sums[i][1]);
            sums[i][2] = fmaf(x, y.z, sums[i][2]);
            sums[i][3] = fmaf(x, y.w, sums[i][3]);
        }
        pb += n;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (row + i < m)
            *(float4*)(c + (size_t)(row + i) * n + column) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
}
