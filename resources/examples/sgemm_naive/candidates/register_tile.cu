// The source that register_tile.ptx was compiled from before it was edited. A block of 256 threads has a 128 x 128 tile of
// C, a thread 8 x 8 of it, in steps of 8 along k through two stages of shared memory.
extern "C" __global__ void __launch_bounds__(256, 2) sgemm_naive(int m, int n, int k, const float* a, const float* b, float* c) {
    __shared__ __align__(16) float tileA[2][8][132]; // turned over: k by m
    __shared__ __align__(16) float tileB[2][8][128];
    const int t = threadIdx.x;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    const int ar = t / 2, ac = t % 2 * 4, br = t / 32, bc = t % 32 * 4;
    // A thread's 8 x 8: rows 4 * ty and 64 + 4 * ty, columns 4 * tx and 64 + 4 * tx, four of each.
    const int tx = t % 16 * 4, ty = t / 16 * 4;
    const float* pa = a + (size_t)(row0 + ar) * k + ac;
    const float* pb = b + (size_t)br * n + column0 + bc;
    const bool rowThere = row0 + ar < m, columnThere = column0 + bc < n;
    const float4 zero = make_float4(0, 0, 0, 0);

    float4 nextA = rowThere && ac < k ? *(const float4*)pa : zero;
    float4 nextB = columnThere && br < k ? *(const float4*)pb : zero;
    float sums[8][8] = {};
    int stage = 0;
#pragma unroll 1
    for (int k0 = 0; k0 < k; k0 += 8) {
        tileA[stage][ac][ar] = nextA.x;
        tileA[stage][ac + 1][ar] = nextA.y;
        tileA[stage][ac + 2][ar] = nextA.z;
        tileA[stage][ac + 3][ar] = nextA.w;
        *(float4*)&tileB[stage][br][bc] = nextB;
        __syncthreads(); // one barrier a step is enough: the other stage is read no more once everybody is here
        pa += 8;
        pb += (size_t)8 * n;
        nextA = rowThere && k0 + 8 + ac < k ? *(const float4*)pa : zero;
        nextB = columnThere && k0 + 8 + br < k ? *(const float4*)pb : zero;
#pragma unroll
        for (int p = 0; p < 8; ++p) {
            const float4 a0 = *(const float4*)&tileA[stage][p][ty], a1 = *(const float4*)&tileA[stage][p][64 + ty];
            const float4 b0 = *(const float4*)&tileB[stage][p][tx], b1 = *(const float4*)&tileB[stage][p][64 + tx];
            const float x[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float y[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sums[i][j] = fmaf(x[i], y[j], sums[i][j]);
        }
        stage = 1 - stage;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = row0 + i / 4 * 64 + ty + i % 4;
        if (row >= m) continue;
        float* p = c + (size_t)row * n + column0 + tx;
        if (column0 + tx < n) *(float4*)p = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        if (column0 + 64 + tx < n) *(float4*)(p + 64) = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
    }
}
