// The source that four_stages.ptx was compiled from before it was edited. A block of four warps has a 128 x 128 tile of C,
// each warp 64 x 64; four stages of 32 along k in 64 KB of dynamic shared memory.
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

constexpr int tileM = 128, tileN = 128, stages = 4;
constexpr int fragmentsM = 4, fragmentsN = 8;
constexpr int stageBytes = (tileM + tileN) * 64; // 32 columns of A, 32 rows of B

// Where the 16-byte chunk `c` of a row lies. Rows of A have four chunks, two rows fill the 32 banks; rows of B have
// 16. The eight rows that ldmatrix takes at once have their chunks in different banks.
__device__ unsigned chunkA(int row, int c) { return row * 64 + (c ^ (row / 2 % 4)) * 16; }
__device__ unsigned chunkB(int row, int c) { return row * (tileN * 2) + (c ^ (row % 8)) * 16; }

extern "C" __global__ void __launch_bounds__(128, 2) hgemm_mma(int m, int n, int k, const __half* a, const __half* b,
                                                           float* c) {
    extern __shared__ __align__(128) unsigned char tiles[];
    const int t = threadIdx.x, lane = t % 32;
    const int row0 = blockIdx.y * tileM, column0 = blockIdx.x * tileN;
    const int warpRow = t / 32 / 2 * 64, warpColumn = t / 32 % 2 * 64;
    const unsigned base = shared(tiles);
    const int steps = k / 32;

    const auto load = [&](int step) {
        if (step < steps) {
            const unsigned at = base + step % stages * stageBytes;
#pragma unroll
            for (int i = 0; i < tileM * 4 / 128; ++i) {
                const int piece = t + 128 * i, r = piece / 4, q = piece % 4;
                copy16(at + chunkA(r, q), a + (size_t)(row0 + r) * k + step * 32 + q * 8);
            }
#pragma unroll
            for (int i = 0; i < tileN * 4 / 128; ++i) {
                const int piece = t + 128 * i, r = piece / (tileN / 8), q = piece % (tileN / 8);
                copy16(at + tileM * 64 + chunkB(r, q), b + (size_t)(step * 32 + r) * n + column0 + q * 8);
            }
        }
        commit(); // an empty group at the end keeps the count right
    };

    float sums[fragmentsM][fragmentsN][4] = {};
#pragma unroll
    for (int s = 0; s < stages - 1; ++s) load(s);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        waitFor<stages - 2>(); // this thread's part of the stage is there
        __syncthreads();       // everybody's is, and nobody reads the stage that is loaded next
        load(step + stages - 1);

        const unsigned at = base + step % stages * stageBytes;
#pragma unroll
        for (int kk = 0; kk < 2; ++kk) {
            unsigned fa[fragmentsM][4], fb[fragmentsN / 2][4];
#pragma unroll
            for (int i = 0; i < fragmentsM; ++i)
                loadMatrices(fa[i], at + chunkA(warpRow + 16 * i + lane % 16, kk * 2 + lane / 16));
#pragma unroll
            for (int j = 0; j < fragmentsN / 2; ++j)
                loadTransposed(fb[j], at + tileM * 64 + chunkB(kk * 16 + lane % 16, warpColumn / 8 + 2 * j + lane / 16));
#pragma unroll
            for (int i = 0; i < fragmentsM; ++i)
#pragma unroll
                for (int j = 0; j < fragmentsN; ++j)
                    mma(sums[i][j], fa[i], fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1]);
        }
    }

#pragma unroll
    for (int i = 0; i < fragmentsM; ++i)
#pragma unroll
        for (int j = 0; j < fragmentsN; ++j) {
            float* p = c + (size_t)(row0 + warpRow + 16 * i + lane / 4) * n + column0 + warpColumn + 8 * j + lane % 4 * 2;
            *(float2*)p = make_float2(sums[i][j][0], sums[i][j][1]);
            *(float2*)(p + (size_t)8 * n) = make_float2(sums[i][j][2], sums[i][j][3]);
        }
}
