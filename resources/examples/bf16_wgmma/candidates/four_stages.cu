// Made into four_stages.ptx: copies run three steps ahead.
#include <cuda.h>
#include <stdint.h>

constexpr int tileM = 64, tileN = 128, tileK = 64, bytesA = tileM * tileK * 2, bytesB = tileN * tileK * 2;

__device__ __forceinline__ uint32_t at(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void initBarrier(uint64_t* bar, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void initsAreSeen() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ __forceinline__ void expectBytes(uint64_t* bar, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void waitFor(uint64_t* bar, int parity) {
    asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(
                     at(bar)),
                 "r"(parity)
                 : "memory");
}
__device__ __forceinline__ void loadTile(void* to, const CUtensorMap* map, uint64_t* bar, int x, int y) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];" ::"r"(at(to)),
                 "l"(map), "r"(at(bar)), "r"(x), "r"(y)
                 : "memory");
}
// A tile as the copy leaves it: rows of 128 bytes under the 128-byte swizzle, which repeats every 8 rows.
__device__ __forceinline__ uint64_t descriptor(const void* tile) {
    return uint64_t((at(tile) & 0x3FFFF) >> 4) | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}
// c += a * b, or c = a * b, with 16 elements of K.
__device__ __forceinline__ void multiply(float (&c)[64], uint64_t a, uint64_t b, bool adds) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16\n"
                 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
                 "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
                 "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
                 "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, %64, %65, p, 1, 1, 0, 0;\n}"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
                   "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
                   "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
                   "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
                   "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
                   "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
                   "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
                   "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
                 : "l"(a), "l"(b), "r"(int(adds))
                 : "memory");
}
__device__ __forceinline__ void multiplyTile(float (&c)[64], const uint8_t* a, const uint8_t* b, bool adds) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int i = 0; i < tileK / 16; ++i) multiply(c, descriptor(a + 32 * i), descriptor(b + 32 * i), adds || i > 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int left>
__device__ __forceinline__ void waitForProducts() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory"); }
// The fragments of a warpgroup: 64 rows from `row` on, 128 columns from `column` on.
__device__ __forceinline__ void store(const float (&c)[64], float* out, int row, int column, int m, int n) {
    const int t = threadIdx.x % 128;
    for (int i = 0; i < 64; ++i) {
        const int r = row + t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8, s = column + i / 4 * 8 + t % 4 * 2 + i % 2;
        if (r < m && s < n) out[r * n + s] = c[i];
    }
}

extern "C" __global__ void __launch_bounds__(128) bf16_wgmma(const __grid_constant__ CUtensorMap mapA,
                                                             const __grid_constant__ CUtensorMap mapB, float* c, int m,
                                                             int n, int k) {
    constexpr int stages = 4;
    extern __shared__ __align__(1024) uint8_t memory[];
    __shared__ uint64_t full[stages];
    const int steps = (k + tileK - 1) / tileK, row = blockIdx.y * tileM, column = blockIdx.x * tileN;
    const auto tileA = [&](int step) { return memory + step % stages * (bytesA + bytesB); };
    const auto tileB = [&](int step) { return tileA(step) + bytesA; };
    const auto bring = [&](int step) {
        expectBytes(&full[step % stages], bytesA + bytesB);
        loadTile(tileA(step), &mapA, &full[step % stages], step * tileK, row);
        loadTile(tileB(step), &mapB, &full[step % stages], step * tileK, column);
    };
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) initBarrier(&full[i], 1);
        initsAreSeen();
        for (int step = 0; step < stages - 1 && step < steps; ++step) bring(step);
    }
    __syncthreads();
    float sums[64];
    for (int step = 0; step < steps; ++step) {
        waitFor(&full[step % stages], step / stages % 2);
        multiplyTile(sums, tileA(step), tileB(step), step > 0);
        waitForProducts<1>();
        __syncthreads(); // the products of the step before are done in every warp
        if (threadIdx.x == 0 && step + stages - 1 < steps) bring(step + stages - 1);
    }
    waitForProducts<0>();
    store(sums, c, row, column, m, n);
}
