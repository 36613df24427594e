// The source that tensor_cores.ptx was compiled from before it was edited. A block of four warps has a 128 x 128 tile of C,
// a warp 64 x 64, by mma.sync.m16n8k32; steps of 64 elements along k, three stages of cp.async.
__device__ unsigned shared(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy16(unsigned to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int n> __device__ void waitFor() { asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory"); }
// 8 x 8 matrices of 16-bit pairs are 8 rows of 16 int8 here, for A and for B, which lies by columns as mma wants it.
__device__ void loadMatrices(unsigned (&r)[4], unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row)
                 : "memory");
}
__device__ void mma(int (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32\n\t\t"
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},\n\t\t{%0, %1, %2, %3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// Rows of 64 bytes: two of them fill the 32 banks.
__device__ unsigned chunk(int row, int c) { return row * 64 + (c ^ (row / 2 % 4)) * 16; }

constexpr int stages = 3;
extern "C" __global__ void __launch_bounds__(128, 2) int8_dot(int m, int n, int k, const char* a, const char* b, int* c) {
    __shared__ __align__(128) unsigned char tiles[stages * 16384];
    const int t = threadIdx.x, lane = t % 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    const int warpRow = t / 64 * 64, warpColumn = t / 32 % 2 * 64;
    const unsigned base = shared(tiles);
    const int steps = k / 64;

    // This thread's pieces of a stage lie 32 rows apart, all at the same place of the swizzle.
    const char* fromA = a + (size_t)(row0 + t / 4) * k + t % 4 * 16;
    const char* fromB = b + (size_t)(column0 + t / 4) * k + t % 4 * 16;
    const unsigned to = chunk(t / 4, t % 4);
    unsigned at = base; // the stage that is loaded next
    const auto load = [&](int step) {
        if (step < steps) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                copy16(at + to + i * 2048, fromA + (size_t)i * 32 * k);
                copy16(at + 8192 + to + i * 2048, fromB + (size_t)i * 32 * k);
            }
            fromA += 64;
            fromB += 64;
        }
        commit(); // an empty group at the end keeps the count right
        at = at == base + (stages - 1) * 16384 ? base : at + 16384;
    };
    // Where ldmatrix finds this lane's rows in the stage that is multiplied.
    unsigned readA[2], readB[2];
#pragma unroll
    for (int kk = 0; kk < 2; ++kk) {
        readA[kk] = base + chunk(warpRow + lane % 16, kk * 2 + lane / 16);
        readB[kk] = base + 8192 + chunk(warpColumn + lane / 16 * 8 + lane % 8, kk * 2 + lane / 8 % 2);
    }

    int sums[4][8][4] = {};
#pragma unroll
    for (int s = 0; s < stages - 1; ++s) load(s);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        waitFor<stages - 2>();
        __syncthreads();
        load(step + stages - 1);
#pragma unroll
        for (int kk = 0; kk < 2; ++kk) {
            unsigned fa[4][4], fb[4][4];
#pragma unroll
            for (int i = 0; i < 4; ++i) loadMatrices(fa[i], readA[kk] + i * 1024);
#pragma unroll
            for (int j = 0; j < 4; ++j) loadMatrices(fb[j], readB[kk] + j * 1024);
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) mma(sums[i][j], fa[i], fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1]);
        }
        const int onwards = readA[0] >= base + (stages - 1) * 16384 ? -(stages - 1) * 16384 : 16384;
#pragma unroll
        for (int kk = 0; kk < 2; ++kk) {
            readA[kk] += onwards;
            readB[kk] += onwards;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            int* p = c + (size_t)(row0 + warpRow + 16 * i + lane / 4) * n + column0 + warpColumn + 8 * j + lane % 4 * 2;
            *(int2*)p = make_int2(sums[i][j][0], sums[i][j][1]);
            *(int2*)(p + (size_t)8 * n) = make_int2(sums[i][j][2], sums[i][j][3]);
        }
}
