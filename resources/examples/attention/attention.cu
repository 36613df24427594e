// Attention forward without the matrix of scores: out = softmax(scale * Q K^T) V for each head, 64 values a head, in f16.
// A block of four warps has 64 queries of one head, a warp 16 of them; it walks over the keys in steps of 32 and keeps the
// maximum and the sum of each row as it goes (FlashAttention). Products by wmma, everything between them in shared memory.
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void attention(int heads, int n, float scale, const __half* q, const __half* k,
                                     const __half* v, __half* out) {
    __shared__ __align__(16) __half keys[32][72], values[32][72];
    __shared__ __align__(16) float scores[64][36], results[64][68];
    __shared__ __align__(16) __half weights[64][40];
    __shared__ float sums[64];

    int t = threadIdx.x, lane = t % 32, row0 = t / 32 * 16; // the warp's first row in the tile
    size_t head = (size_t)blockIdx.y * n * 64;
    q += head + (size_t)blockIdx.x * 64 * 64;
    out += head + (size_t)blockIdx.x * 64 * 64;

    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> queries[4];
    for (int d = 0; d < 4; ++d) wmma::load_matrix_sync(queries[d], q + row0 * 64 + d * 16, 64);
    for (int i = lane; i < 16 * 64; i += 32) results[row0 + i / 64][i % 64] = 0.0f;
    float highest = -INFINITY, total = 0.0f; // of row row0 + lane / 2, the same in both of its lanes

    for (int key = 0; key < n; key += 32) {
        __syncthreads(); // nobody reads the tiles of the step before any more
        for (int piece = t; piece < 256; piece += 128) {
            int r = piece / 8, c = piece % 8 * 8;
            *(uint4*)&keys[r][c] = *(const uint4*)&k[head + (size_t)(key + r) * 64 + c];
            *(uint4*)&values[r][c] = *(const uint4*)&v[head + (size_t)(key + r) * 64 + c];
        }
        __syncthreads();

        for (int j = 0; j < 2; ++j) {
            wmma::fragment<wmma::accumulator, 16, 16, 16, float> s;
            wmma::fill_fragment(s, 0.0f);
            for (int d = 0; d < 4; ++d) {
                wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
                wmma::load_matrix_sync(b, &keys[j * 16][d * 16], 72);
                wmma::mma_sync(s, queries[d], b, s);
            }
            wmma::store_matrix_sync(&scores[row0][j * 16], s, 36, wmma::mem_row_major);
        }
        __syncwarp();

        // Two lanes a row: 16 scores and 32 results each.
        int r = row0 + lane / 2, side = lane % 2;
        float now = highest;
        for (int i = 0; i < 16; ++i) now = fmaxf(now, scores[r][side * 16 + i] * scale);
        now = fmaxf(now, __shfl_xor_sync(0xffffffffu, now, 1));
        float shrink = __expf(highest - now), sum = 0.0f;
        for (int i = 0; i < 16; ++i) {
            float p = __expf(scores[r][side * 16 + i] * scale - now);
            sum += p;
            weights[r][side * 16 + i] = __float2half(p);
        }
        sum += __shfl_xor_sync(0xffffffffu, sum, 1);
        for (int i = 0; i < 32; ++i) results[r][side * 32 + i] *= shrink;
        highest = now;
        total = total * shrink + sum;
        __syncwarp();

        for (int d = 0; d < 4; ++d) {
            wmma::fragment<wmma::accumulator, 16, 16, 16, float> o;
            wmma::load_matrix_sync(o, &results[row0][d * 16], 68, wmma::mem_row_major);
            for (int j = 0; j < 2; ++j) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
                wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
                wmma::load_matrix_sync(a, &weights[row0][j * 16], 40);
                wmma::load_matrix_sync(b, &values[j * 16][d * 16], 72);
                wmma::mma_sync(o, a, b, o);
            }
            wmma::store_matrix_sync(&results[row0][d * 16], o, 68, wmma::mem_row_major);
        }
        __syncwarp();
    }

    if (lane % 2 == 0) sums[row0 + lane / 2] = total;
    __syncwarp();
    for (int i = lane; i < 16 * 64; i += 32) {
        int r = row0 + i / 64;
        out[r * 64 + i % 64] = __float2half(results[r][i % 64] / sums[r]);
    }
}
