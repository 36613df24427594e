// The source that register_tile.ptx was compiled from before it was edited. dp4a with 4 x 4 elements of C a thread: a block of
// 16 x 16 threads has a 64 x 64 tile, steps of 64 elements along k.
extern "C" __global__ void __launch_bounds__(256) int8_dot(int m, int n, int k, const int* a, const int* b, int* c) {
    __shared__ __align__(16) int tileA[16][68]; // turned over: word of k by row
    __shared__ __align__(16) int tileB[16][68];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    const int words = k / 4;

    int sums[4][4] = {};
#pragma unroll 1
    for (int w0 = 0; w0 < words; w0 += 16) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int w = t % 16, r = t / 16 + 16 * i;
            const int row = blockIdx.y * 64 + r, column = blockIdx.x * 64 + r;
            const bool there = w0 + w < words;
            tileA[w][r] = row < m && there ? __ldg(a + (size_t)row * words + w0 + w) : 0;
            tileB[w][r] = column < n && there ? __ldg(b + (size_t)column * words + w0 + w) : 0;
        }
        __syncthreads();
#pragma unroll
        for (int w = 0; w < 16; ++w) {
            const int4 x = *(const int4*)&tileA[w][ty * 4], y = *(const int4*)&tileB[w][tx * 4];
            const int xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[i][j] = __dp4a(xs[i], ys[j], sums[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int row = blockIdx.y * 64 + ty * 4 + i, column = blockIdx.x * 64 + tx * 4 + j;
            if (row < m && column < n) c[(size_t)row * n + column] = sums[i][j];
        }
}
