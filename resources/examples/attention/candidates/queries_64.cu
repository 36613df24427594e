// The source that queries_64.ptx was compiled from before it was edited. A warp has 16 queries; scores, weights and
// results stay in registers, keys and values come in steps of 64 through two stages of cp.async.
#include <cuda_fp16.h>

__device__ unsigned shared(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy16(unsigned to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int n> __device__ void waitFor() { asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory"); }
__device__ void loadMatrices(unsigned (&r)[4], unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row)
                 : "memory");
}
__device__ void loadTransposed(unsigned (&r)[4], unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row)
                 : "memory");
}
__device__ void mma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32\n\t\t"
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},\n\t\t{%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ float exp2Approximate(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
__device__ unsigned pack(float lower, float upper) {
    unsigned w;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(upper), "f"(lower));
    return w;
}
// Where the 16-byte chunk `c` of a row of 64 values lies.
__device__ unsigned chunk(int row, int c) { return row * 128 + (c ^ (row % 8)) * 16; }

constexpr int blocks = 1; // of 16 queries a warp
extern "C" __global__ void __launch_bounds__(128, 3) attention(int heads, int n, float scale, const __half* q,
                                                               const __half* k, const __half* v, __half* out) {
    __shared__ __align__(128) unsigned char tiles[2][16384]; // 64 keys, 64 values each
    const int t = threadIdx.x, lane = t % 32;
    const size_t head = (size_t)blockIdx.y * n * 64;
    const int row0 = (blockIdx.x * 4 + t / 32) * 16 * blocks;
    const unsigned base = shared(tiles);
    const int steps = n / 64;

    // This thread's pieces of a stage lie 16 rows apart, all at the same place of the swizzle.
    const __half* fromK = k + head + t * 8;
    const __half* fromV = v + head + t * 8;
    const unsigned to = base + chunk(t / 8, t % 8);
    const auto load = [&](int step) {
        if (step < steps) {
            const unsigned at = to + step % 2 * 16384;
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                copy16(at + i * 2048, fromK + i * 1024);
                copy16(at + 8192 + i * 2048, fromV + i * 1024);
            }
            fromK += 4096;
            fromV += 4096;
        }
        commit();
    };
    load(0);

    unsigned qf[blocks][4][4];
#pragma unroll
    for (int i = 0; i < blocks; ++i)
#pragma unroll
        for (int d = 0; d < 4; ++d)
#pragma unroll
            for (int r = 0; r < 4; ++r)
                qf[i][d][r] = *(const unsigned*)(q + head + (size_t)(row0 + i * 16 + lane / 4 + r % 2 * 8) * 64 + d * 16 +
                                                 r / 2 * 8 + lane % 4 * 2);

    const float scale2 = scale * 1.44269504f; // exp(x) is exp2(x * log2(e))
    float o[blocks][8][4] = {}, top[blocks][2], sum[blocks][2];
#pragma unroll
    for (int i = 0; i < blocks; ++i) top[i][0] = top[i][1] = -INFINITY, sum[i][0] = sum[i][1] = 0;

#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        waitFor<0>();
        __syncthreads(); // the tiles of this step are there, and nobody reads those of the step before
        load(step + 1);
        const unsigned keys = base + step % 2 * 16384, values = keys + 8192;

        float s[blocks][8][4] = {};
#pragma unroll
        for (int j = 0; j < 4; ++j) // 16 keys
#pragma unroll
            for (int d = 0; d < 4; ++d) { // 16 of 64 products
                unsigned kf[4];
                loadMatrices(kf, keys + chunk(j * 16 + lane / 16 * 8 + lane % 8, d * 2 + lane / 8 % 2));
#pragma unroll
                for (int i = 0; i < blocks; ++i) {
                    mma(s[i][2 * j], qf[i][d], kf[0], kf[1]);
                    mma(s[i][2 * j + 1], qf[i][d], kf[2], kf[3]);
                }
            }

#pragma unroll
        for (int i = 0; i < blocks; ++i)
#pragma unroll
            for (int h = 0; h < 2; ++h) { // the rows lane / 4 and lane / 4 + 8
                float now = top[i][h];
#pragma unroll
                for (int j = 0; j < 8; ++j) now = fmaxf(now, fmaxf(s[i][j][2 * h], s[i][j][2 * h + 1]));
                now = fmaxf(now, __shfl_xor_sync(0xffffffffu, now, 1));
                now = fmaxf(now, __shfl_xor_sync(0xffffffffu, now, 2));
                float shrink = exp2Approximate((top[i][h] - now) * scale2);
                asm volatile("// %0: what was added so far shrinks by this" : "+f"(shrink));
                top[i][h] = now;
                const float shift = now * scale2;
                float added = 0;
#pragma unroll
                for (int j = 0; j < 8; ++j)
#pragma unroll
                    for (int e = 0; e < 2; ++e) {
                        s[i][j][2 * h + e] = exp2Approximate(fmaf(s[i][j][2 * h + e], scale2, -shift));
                        added += s[i][j][2 * h + e];
                        o[i][j][2 * h + e] *= shrink;
                    }
                sum[i][h] = fmaf(sum[i][h], shrink, added);
            }

#pragma unroll
        for (int j = 0; j < 4; ++j) { // 16 keys: the scores' accumulators are the next product's fragments of A
            unsigned pf[blocks][4];
#pragma unroll
            for (int i = 0; i < blocks; ++i) {
                pf[i][0] = pack(s[i][2 * j][0], s[i][2 * j][1]);
                pf[i][1] = pack(s[i][2 * j][2], s[i][2 * j][3]);
                pf[i][2] = pack(s[i][2 * j + 1][0], s[i][2 * j + 1][1]);
                pf[i][3] = pack(s[i][2 * j + 1][2], s[i][2 * j + 1][3]);
            }
#pragma unroll
            for (int d = 0; d < 4; ++d) { // 16 of 64 values
                unsigned vf[4];
                loadTransposed(vf, values + chunk(j * 16 + lane % 16, d * 2 + lane / 16));
#pragma unroll
                for (int i = 0; i < blocks; ++i) {
                    mma(o[i][2 * d], pf[i], vf[0], vf[1]);
                    mma(o[i][2 * d + 1], pf[i], vf[2], vf[3]);
                }
            }
        }
    }

#pragma unroll
    for (int i = 0; i < blocks; ++i)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float total = sum[i][h];
            total += __shfl_xor_sync(0xffffffffu, total, 1);
            total += __shfl_xor_sync(0xffffffffu, total, 2);
            const float inverse = 1 / total;
            __half* p = out + head + (size_t)(row0 + i * 16 + lane / 4 + h * 8) * 64 + lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < 8; ++j)
                *(unsigned*)(p + j * 8) = pack(o[i][j][2 * h] * inverse, o[i][j][2 * h + 1] * inverse);
        }
}
