// sm_90a
// Attention of one head of 64 dimensions without a matrix of scores: queries, keys and values in bf16 by tensor copies, both
// products by wgmma, weights from registers.
#include <cuda.h>
#include <stdint.h>

__device__ __forceinline__ uint32_t at(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void initBarrier(uint64_t* bar, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void initsAreSeen() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ __forceinline__ void expectBytes(uint64_t* bar, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void waitFor(uint64_t* bar, int parity) {
    asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(at(bar)), "r"(parity) : "memory");
}
__device__ __forceinline__ void loadTile(void* to, const CUtensorMap* map, uint64_t* bar, int x, int y) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(at(to)),
                 "l"(map), "r"(at(bar)), "r"(x), "r"(y) : "memory");
}
// Rows of 128 bytes under the 128-byte swizzle, which repeats every 8 rows.
__device__ __forceinline__ uint64_t descriptor(const void* tile) {
    return uint64_t((at(tile) & 0x3FFFF) >> 4) | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}
__device__ __forceinline__ void productFence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commitProducts() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int left>
__device__ __forceinline__ void waitForProducts() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory"); }
__device__ __forceinline__ void multiply(float (&c)[32], uint64_t a, uint64_t b, int keep) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, p, 1, 1, 0, 0;\n}"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
                   "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
                   "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
                   "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31])
                 : "l"(a), "l"(b), "r"(keep)
                 : "memory");
}
// A from registers, B as it lies in memory: rows are K.
__device__ __forceinline__ void multiplyTurned(float (&c)[32], const uint32_t* a, uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, {%32,%33,%34,%35}, %36, 1, 1, 1, 1;"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
                   "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
                   "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
                   "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
                 : "memory");
}
__device__ __forceinline__ float power(float x) { // 2^x
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
__device__ __forceinline__ float most(float v) {
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 1));
    return fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 2));
}
__device__ __forceinline__ float sum(float v) {
    v += __shfl_xor_sync(0xffffffffu, v, 1);
    return v + __shfl_xor_sync(0xffffffffu, v, 2);
}
__device__ __forceinline__ uint32_t pair(float low, float high) {
    uint32_t r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}

extern "C" __global__ void __launch_bounds__(128) attention(const __grid_constant__ CUtensorMap mapQ, const __grid_constant__ CUtensorMap mapK,
                                                            const __grid_constant__ CUtensorMap mapV, float* out, int length,
                                                            float scale) {
    constexpr int tile = 64, bytes = tile * tile * 2;
    __shared__ __align__(1024) uint8_t q[bytes], k[2][bytes], v[2][bytes];
    __shared__ uint64_t full[2], fullQ;
    const int t = threadIdx.x, row = blockIdx.x * tile, tiles = (length + tile - 1) / tile;
    const auto bring = [&](int i) {
        expectBytes(&full[i % 2], 2 * bytes);
        loadTile(k[i % 2], &mapK, &full[i % 2], 0, i * tile);
        loadTile(v[i % 2], &mapV, &full[i % 2], 0, i * tile);
    };
    if (t == 0) {
        initBarrier(&full[0], 1);
        initBarrier(&full[1], 1);
        initBarrier(&fullQ, 1);
        initsAreSeen();
        expectBytes(&fullQ, bytes);
        loadTile(q, &mapQ, &fullQ, 0, row);
        bring(0);
    }
    __syncthreads();
    float o[32], greatest[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};
    for (int i = 0; i < 32; ++i) o[i] = 0;
    waitFor(&fullQ, 0);
    for (int i = 0; i < tiles; ++i) {
        if (t == 0 && i + 1 < tiles) bring(i + 1);
        waitFor(&full[i % 2], i / 2 % 2);
        float s[32];
        productFence();
        for (int d = 0; d < 4; ++d) multiply(s, descriptor(q + 32 * d), descriptor(k[i % 2] + 32 * d), d > 0);
        commitProducts();
        waitForProducts<0>();
        for (int j = 0; j < 32; ++j) {
            const int key = i * tile + j / 4 * 8 + t % 4 * 2 + j % 2;
            s[j] = key < length ? s[j] * scale : -INFINITY;
        }
        for (int half = 0; half < 2; ++half) { // rows t % 32 / 4 and 8 behind
            float now = greatest[half];
            for (int j = 0; j < 32; ++j)
                if (j / 2 % 2 == half) now = fmaxf(now, s[j]);
            now = most(now);
            const float shrink = power(greatest[half] - now);
            greatest[half] = now;
            float added = 0;
            for (int j = 0; j < 32; ++j)
                if (j / 2 % 2 == half) {
                    s[j] = power(s[j] - now);
                    added += s[j];
                    o[j] *= shrink;
                }
            total[half] = total[half] * shrink + sum(added);
        }
        uint32_t weights[16];
        for (int j = 0; j < 16; ++j) weights[j] = pair(s[2 * j], s[2 * j + 1]);
        productFence();
        for (int step = 0; step < 4; ++step) multiplyTurned(o, weights + 4 * step, descriptor(v[i % 2] + 2048 * step));
        commitProducts();
        waitForProducts<0>();
        __syncthreads(); // these tiles are free
    }
    for (int j = 0; j < 32; ++j) {
        const int r = row + t / 32 * 16 + t % 32 / 4 + j / 2 % 2 * 8;
        if (r < length) out[r * tile + j / 4 * 8 + t % 4 * 2 + j % 2] = o[j] / total[j / 2 % 2];
    }
}
