// C = A * B on the tensor cores: A is m x k, B is k x n, both f16 and row-major; C is m x n in f32. m and n are multiples of
// 64, k is a multiple of 32. A block of four warps has a 64 x 64 tile of C and walks along k in steps of 32 through shared
// memory; each warp has 32 x 32 of the tile as 2 x 2 fragments.
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void hgemm_mma(int m, int n, int k, const __half* a, const __half* b, float* c) {
    __shared__ __align__(16) __half tileA[64][32 + 8]; // eight elements of padding against bank conflicts
    __shared__ __align__(16) __half tileB[32][64 + 8];

    int t = threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int warpRow = t / 64 * 32, warpColumn = t / 32 % 2 * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::fill_fragment(sums[i][j], 0.0f);

    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int piece = t; piece < 256; piece += 128) { // pieces of eight elements, 16 bytes
            int ar = piece / 4, ac = piece % 4 * 8, br = piece / 8, bc = piece % 8 * 8;
            *(uint4*)&tileA[ar][ac] = *(const uint4*)&a[(size_t)(row0 + ar) * k + k0 + ac];
            *(uint4*)&tileB[br][bc] = *(const uint4*)&b[(size_t)(k0 + br) * n + column0 + bc];
        }
        __syncthreads(); // the tiles are complete

        for (int kk = 0; kk < 32; kk += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb[2];
            for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(fa[i], &tileA[warpRow + 16 * i][kk], 40);
            for (int j = 0; j < 2; ++j) wmma::load_matrix_sync(fb[j], &tileB[kk][warpColumn + 16 * j], 72);
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], fa[i], fb[j], sums[i][j]);
        }
        __syncthreads(); // nobody reads the tiles any more
    }

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(&c[(size_t)(row0 + warpRow + 16 * i) * n + column0 + warpColumn + 16 * j], sums[i][j], n,
                                    wmma::mem_row_major);
}
