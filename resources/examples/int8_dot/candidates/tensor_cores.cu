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

    const auto load = [&](int step) {
        if (step < steps) {
            const unsigned at = base + step % stages * 16384;
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int piece = t + 128 * i, r = piece / 4, q = piece % 4;
                copy16(at + chunk(r, q), a + (size_t)(row0 + r) * k + step * 64 + q * 16);
                copy16(at + 8192 + chunk(r, q), b + (size_t)(column0 + r) * k + step * 64 + q * 16);
            }
        }
        commit();
    };

    int sums[4][8][4] = {};
#pragma unroll
    for (int s = 0; s < stages - 1; ++s) load(s);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        waitFor<stages - 2>();
        __syncthreads();
        load(step + stages - 1);
        const unsigned at = base + step % stages * 16384;
#pragma unroll
        for (int kk = 0; kk < 2; ++kk) {
            unsigned fa[4][4], fb[4][4];
#pragma unroll
            for (int i = 0; i < 4; ++i) loadMatrices(fa[i], at + chunk(warpRow + 16 * i + lane % 16, kk * 2 + lane / 16));
#pragma unroll
            for (int j = 0; j < 4; ++j)
                loadMatrices(fb[j], at + 8192 + chunk(warpColumn + 16 * j + lane / 16 * 8 + lane % 8, kk * 2 + lane / 8 % 2));
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) mma(sums[i][j], fa[i], fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1]);
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
