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

    // This thread's pieces of a stage lie 32 rows of A and 8 rows of B apart, all at the same place of the swizzle.
    const __half* fromA = a + (size_t)(row0 + t / 4) * k + t % 4 * 8;
    const __half* fromB = b + (size_t)(t / (tileN / 8)) * n + column0 + t % (tileN / 8) * 8;
    const unsigned toA = chunkA(t / 4, t % 4), toB = tileM * 64 + chunkB(t / (tileN / 8), t % (tileN / 8));
    unsigned at = base; // the stage that is loaded next
    const auto load = [&](int step) {
        if (step < steps) {
#pragma unroll
            for (int i = 0; i < tileM * 4 / 128; ++i)
                copy16(at + toA + i * 32 * 64, fromA + (size_t)i * 32 * k);
#pragma unroll
            for (int i = 0; i < tileN * 4 / 128; ++i)
                copy16(at + toB + i * 8 * tileN * 2, fromB + (size_t)i * 8 * n);
            fromA += 32;
            fromB += (size_t)32 * n;
        }
        commit(); // an empty group at the end keeps the count right
        at = at == base + (stages - 1) * stageBytes ? base : at + stageBytes;
    };

    // Where ldmatrix finds this lane's rows in the stage that is multiplied.
    unsigned readA0 = base + chunkA(warpRow + lane % 16, lane / 16), readA1 = base + chunkA(warpRow + lane % 16, 2 + lane / 16);
    unsigned readB[fragmentsN / 2];
#pragma unroll
    for (int j = 0; j < fragmentsN / 2; ++j)
        readB[j] = base + tileM * 64 + chunkB(lane % 16, warpColumn / 8 + 2 * j + lane / 16);

    float sums[fragmentsM][fragmentsN][4] = {};
#pragma unroll
    for (int s = 0; s < stages - 1; ++s) load(s);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        waitFor<stages - 2>(); // this thread's part of the stage is there
        __syncthreads();       // everybody's is, and nobody reads the stage that is loaded next
        load(step + stages - 1);

#pragma unroll
        for (int kk = 0; kk < 2; ++kk) {
            unsigned fa[fragmentsM][4], fb[fragmentsN / 2][4];
#pragma unroll
            for (int i = 0; i < fragmentsM; ++i)
                loadMatrices(fa[i], (kk ? readA1 : readA0) + i * 1024);
#pragma unroll
            for (int j = 0; j < fragmentsN / 2; ++j)
                loadTransposed(fb[j], readB[j] + kk * 16 * tileN * 2);
#pragma unroll
            for (int i = 0; i < fragmentsM; ++i)
#pragma unroll
                for (int j = 0; j < fragmentsN; ++j)
                    mma(sums[i][j], fa[i], fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1]);
        }
        const int onwards = readA0 >= base + (stages - 1) * stageBytes ? -(stages - 1) * stageBytes : stageBytes;
        readA0 += onwards;
        readA1 += onwards;
#pragma unroll
        for (int j = 0; j < fragmentsN / 2; ++j) readB[j] += onwards;
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
