// sm_90a
// Hopper's asynchronous instructions without tensor maps: wgmma of each type, bulk copies and reductions with mbarriers.
#include <stdint.h>
__device__ uint32_t at(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ uint64_t descriptor(const void* p, uint32_t leading, uint32_t stride, uint64_t swizzle) {
    return uint64_t((at(p) & 0x3FFFF) >> 4) | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 | swizzle << 62;
}
__device__ void arriveFence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
// The registers are written before the next fence, not behind it.
template <class T, int count>
__device__ __forceinline__ void written(T (&c)[count]) {
    for (int i = 0; i < count; ++i)
        if constexpr (sizeof(T) == 4 && T(0.5f) != T(0)) asm volatile("" : "+f"(c[i])::"memory");
        else asm volatile("" : "+r"(c[i])::"memory");
}
__device__ void finish() { asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory"); }

// A has 64 rows and B 16 columns, K together: 32 bytes of K a step, in the layout without a swizzle. D += A * B.
#define PRODUCT(NAME, FORM, ACCUMULATOR, CONSTRAINT, NUMBERS)                                                                   \
    extern "C" __global__ void NAME(const uint4* a, const uint4* b, ACCUMULATOR* d, int steps) {                                \
        __shared__ __align__(128) uint4 tileA[128];                                                                            \
        __shared__ __align__(128) uint4 tileB[32];                                                                             \
        const int t = threadIdx.x, row = t / 2, half = t % 2;                                                                  \
        ACCUMULATOR c[8];                                                                                                      \
        for (int i = 0; i < 8; ++i) c[i] = 0;                                                                                  \
        for (int step = 0; step < steps; ++step) {                                                                             \
            tileA[half * 64 + row] = a[(row * steps + step) * 2 + half];                                                       \
            if (row < 16) tileB[half * 16 + row] = b[(row * steps + step) * 2 + half];                                         \
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                       \
            __syncthreads();                                                                                                   \
            arriveFence();                                                                                                     \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\nwgmma.mma_async.sync.aligned." FORM                         \
                         " {%0,%1,%2,%3,%4,%5,%6,%7}, %8, %9, p" NUMBERS ";\n}"                                                \
                         : "+" CONSTRAINT(c[0]), "+" CONSTRAINT(c[1]), "+" CONSTRAINT(c[2]), "+" CONSTRAINT(c[3]),             \
                           "+" CONSTRAINT(c[4]), "+" CONSTRAINT(c[5]), "+" CONSTRAINT(c[6]), "+" CONSTRAINT(c[7])              \
                         : "l"(descriptor(tileA, 1024, 128, 0)), "l"(descriptor(tileB, 256, 128, 0)), "r"(step)                \
                         : "memory");                                                                                          \
            finish();                                                                                                          \
            __syncthreads();                                                                                                   \
        }                                                                                                                      \
        for (int i = 0; i < 8; ++i)                                                                                            \
            d[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * 16 + i / 4 * 8 + t % 4 * 2 + i % 2] = c[i];                         \
    }
PRODUCT(wgmma_half, "m64n16k16.f32.f16.f16", float, "f", ", 1, 1, 0, 0")
PRODUCT(wgmma_bf16, "m64n16k16.f32.bf16.bf16", float, "f", ", 1, 1, 0, 0")
PRODUCT(wgmma_tf32, "m64n16k8.f32.tf32.tf32", float, "f", ", 1, 1")
PRODUCT(wgmma_e4m3, "m64n16k32.f32.e4m3.e4m3", float, "f", ", 1, 1")
PRODUCT(wgmma_e5m2, "m64n16k32.f32.e5m2.e4m3", float, "f", ", 1, -1")
PRODUCT(wgmma_int8, "m64n16k32.s32.s8.u8", int, "r", "")
PRODUCT(wgmma_int8_ends, "m64n16k32.satfinite.s32.s8.s8", int, "r", "")

// M and N together, 128-byte swizzle, A negated: 64 x 64 x 64 in four steps, as the ISA lays tiles of 64 out.
extern "C" __global__ void wgmma_turned(const uint4* a, const uint4* b, float* d) {
    __shared__ __align__(1024) uint4 tileA[512], tileB[512];
    const int t = threadIdx.x;
    for (int i = t; i < 512; i += 128) { // row k has 64 elements: 8 pieces of 16 bytes
        const int k = i / 8, piece = i % 8;
        tileA[k * 8 + (piece ^ k % 8)] = a[i];
        tileB[k * 8 + (piece ^ k % 8)] = b[i];
    }
    float c[32];
    for (int i = 0; i < 32; ++i) c[i] = 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    written(c);
    arriveFence();
    for (int step = 0; step < 4; ++step)
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
                     "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,"
                     "%29,%30,%31}, %32, %33, 1, -1, 1, 1, 1;"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]), "+f"(c[8]),
                       "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]), "+f"(c[16]),
                       "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]), "+f"(c[24]),
                       "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31])
                     : "l"(descriptor(tileA + step * 128, 8192, 1024, 1)), "l"(descriptor(tileB + step * 128, 8192, 1024, 1))
                     : "memory");
    finish();
    for (int i = 0; i < 32; ++i)
        d[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * 64 + i / 4 * 8 + t % 4 * 2 + i % 2] = c[i];
}

// K together in 128-byte swizzle, A in registers for the second half of K: both must read the tiles alike.
extern "C" __global__ void wgmma_registers(const uint4* a, const uint4* b, float* d) {
    __shared__ __align__(1024) uint4 tileA[512], tileB[64];
    const int t = threadIdx.x;
    for (int i = t; i < 512; i += 128) tileA[i / 8 * 8 + (i % 8 ^ i / 8 % 8)] = a[i];
    if (t < 64) tileB[t / 8 * 8 + (t % 8 ^ t / 8 % 8)] = b[t];
    float c[4] = {0, 0, 0, 0};
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    uint32_t w[8];
    const uint32_t* words = reinterpret_cast<const uint32_t*>(a);
    for (int i = 0; i < 8; ++i)
        w[i] = words[(t / 32 * 16 + t % 32 / 4 + i % 2 * 8) * 32 + 16 + i / 4 * 8 + i / 2 % 2 * 4 + t % 4];
    written(c);
    written(w);
    arriveFence();
    for (int step = 0; step < 2; ++step)
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "l"(descriptor(tileA + step * 2, 16, 1024, 1)), "l"(descriptor(tileB + step * 2, 16, 1024, 1))
                     : "memory");
    for (int step = 2; step < 4; ++step)
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1, 0;"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(w[step * 4 - 8]), "r"(w[step * 4 - 7]), "r"(w[step * 4 - 6]), "r"(w[step * 4 - 5]),
                       "l"(descriptor(tileB + step * 2, 16, 1024, 1))
                     : "memory");
    finish();
    for (int i = 0; i < 4; ++i)
        d[(t / 32 * 16 + t % 32 / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = c[i];
}

// Accumulators of 16 bits: two to a register, rounded after every step.
extern "C" __global__ void wgmma_half_sums(const uint4* a, const uint4* b, uint32_t* d, int steps) {
    __shared__ __align__(128) uint4 tileA[128];
    __shared__ __align__(128) uint4 tileB[32];
    const int t = threadIdx.x, row = t / 2, half = t % 2;
    uint32_t c[4] = {0, 0, 0, 0};
    for (int step = 0; step < steps; ++step) {
        tileA[half * 64 + row] = a[(row * steps + step) * 2 + half];
        if (row < 16) tileB[half * 16 + row] = b[(row * steps + step) * 2 + half];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        arriveFence();
        asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                     : "l"(descriptor(tileA, 1024, 128, 0)), "l"(descriptor(tileB, 256, 128, 0)) : "memory");
        finish();
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) d[(t / 32 * 16 + t % 32 / 4 + i % 2 * 8) * 8 + i / 2 * 4 + t % 4] = c[i];
}

// What a descriptor means: both matrices lie anywhere in 48 KiB of small whole numbers, one descriptor a block.
__device__ uint64_t descriptorOf(const uint4* pool, int number, bool turned, int other) {
    const int swizzle = number % 4, pattern = 128 << swizzle, kind = number / 4;
    const int start = kind % 2 * pattern + (turned || swizzle < 2 ? 0 : kind / 2 % (swizzle == 2 ? 2 : 4) * 32);
    const int leading = pattern * (1 + (kind + other) % 3), stride = pattern * (1 + (kind / 3 + other) % 2);
    return descriptor(pool + start / 16, leading, stride, uint64_t(4 - swizzle) % 4);
}
#define LAYOUTS(NAME, A, B)                                                                                              \
    extern "C" __global__ void NAME(const uint4* in, float* d) {                                                        \
        __shared__ __align__(1024) uint4 pool[3072];                                                                   \
        const int t = threadIdx.x;                                                                                     \
        for (int i = t; i < 3072; i += 128) pool[i] = in[i];                                                           \
        float c[64];                                                                                                   \
        for (int i = 0; i < 64; ++i) c[i] = 0;                                                                         \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                   \
        __syncthreads();                                                                                               \
        written(c);                                                                                                    \
        arriveFence();                                                                                                 \
        asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, %64, %65, 1, 1, 1, " A ", " B ";"   \
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]), "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]), "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]), "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]), "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]), "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]), "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]), "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])                                                                                            \
                     : "l"(descriptorOf(pool, blockIdx.x, A[0] == '1', 0)),                                             \
                       "l"(descriptorOf(pool, blockIdx.x + 4, B[0] == '1', 1))                                         \
                     : "memory");                                                                                      \
        finish();                                                                                                      \
        float sum = 0;                                                                                                 \
        for (int i = 0; i < 64; ++i) sum += c[i] * (i % 7 + 1);                                                        \
        d[blockIdx.x * 128 + t] = sum;                                                                                  \
    }
LAYOUTS(wgmma_layouts, "0", "0")
LAYOUTS(wgmma_layouts_a, "1", "0")
LAYOUTS(wgmma_layouts_b, "0", "1")
LAYOUTS(wgmma_layouts_ab, "1", "1")

__device__ void waitFor(uint64_t* bar, uint32_t parity) {
    asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(at(bar)), "r"(parity) : "memory");
}

// One warp brings tiles of 1 KiB two ahead, all double them and add one; whole tiles go back, and their sums are added up.
extern "C" __global__ void bulk_pipeline(const uint32_t* in, uint32_t* out, uint32_t* sums, int tiles) {
    __shared__ __align__(128) uint32_t stage[2][256], done[2][256], sum[4];
    __shared__ uint64_t full[2];
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 2; ++i) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full[i])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    if (t < 4) sum[t] = 0;
    __syncthreads();
    const auto bring = [&](int tile) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(at(&full[tile % 2])) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(at(stage[tile % 2])),
                     "l"(in + (blockIdx.x * tiles + tile) * 256), "r"(at(&full[tile % 2])) : "memory");
    };
    if (t == 0)
        for (int tile = 0; tile < 2 && tile < tiles; ++tile) bring(tile);
    uint32_t mine = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        waitFor(&full[tile % 2], tile / 2 % 2);
        const uint32_t v = 2 * stage[tile % 2][t] + 1;
        mine += v;
        if (t == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        __syncthreads();
        done[tile % 2][t] = v;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out + (blockIdx.x * tiles + tile) * 256), "r"(at(done[tile % 2])) : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            if (tile + 2 < tiles) bring(tile + 2);
        }
    }
    atomicAdd(&sum[t % 4], mine);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 16;" ::"l"(sums), "r"(at(sum)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
