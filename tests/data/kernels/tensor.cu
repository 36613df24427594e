// Products on the tensor cores by mma.sync, with ldmatrix and cp.async; attention.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>

__device__ uint32_t sharedAddress(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ void copy16(void* to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(to)), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int n> __device__ void waitFor() { asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory"); }
__device__ void loadMatrices(uint32_t (&r)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(sharedAddress(row)) : "memory");
}
__device__ void loadTransposed(uint32_t (&r)[2], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1]) : "r"(sharedAddress(row)) : "memory");
}
__device__ void mmaHalf(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// 32 x 32 a block of four warps, three stages of cp.async.
extern "C" __global__ void gemm_mma_half(const half* a, const half* b, float* c, int n, int k) {
    __shared__ __align__(16) half as[3][32][24], bs[3][16][40];
    const int t = threadIdx.x, lane = t % 32, wm = t / 32 % 2 * 16, wn = t / 64 * 16;
    const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32, steps = k / 16;
    const auto load = [&](int step) {
        if (step < steps) {
            if (t < 64) copy16(&as[step % 3][t / 2][t % 2 * 8], a + (row0 + t / 2) * k + step * 16 + t % 2 * 8);
            else copy16(&bs[step % 3][(t - 64) / 4][t % 4 * 8], b + (step * 16 + (t - 64) / 4) * n + column0 + t % 4 * 8);
        }
        commit();
    };
    load(0);
    load(1);
    float sum[2][4] = {};
    for (int step = 0; step < steps; ++step) {
        waitFor<1>();
        __syncthreads();
        load(step + 2);
        uint32_t af[4], bf[2];
        loadMatrices(af, &as[step % 3][wm + lane % 16][lane / 16 * 8]);
        for (int j = 0; j < 2; ++j) {
            loadTransposed(bf, &bs[step % 3][lane % 16][wn + j * 8]);
            mmaHalf(sum[j], af, bf);
        }
    }
    for (int j = 0; j < 2; ++j)
        for (int e = 0; e < 4; ++e)
            c[(row0 + wm + lane / 4 + e / 2 * 8) * n + column0 + wn + j * 8 + lane % 4 * 2 + e % 2] = sum[j][e];
}

// One warp, 16 x 8: int8 with saturation off; fragments straight from global memory.
extern "C" __global__ void gemm_mma_int8(const uint32_t* a, const uint32_t* b, int* c, int k) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4, words = k / 4;
    a += blockIdx.x * 16 * words;
    int s[4] = {};
    for (int p = 0; p < words; p += 8) {
        const uint32_t* r = a + g * words + p + t;
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
                     : "r"(r[0]), "r"(r[8 * words]), "r"(r[4]), "r"(r[8 * words + 4]), "r"(b[g * words + p + t]),
                       "r"(b[g * words + p + t + 4]));
    }
    for (int e = 0; e < 4; ++e) c[(blockIdx.x * 16 + g + e / 2 * 8) * 8 + t * 2 + e % 2] = s[e];
}

extern "C" __global__ void gemm_mma_bf16(const uint32_t* a, const uint32_t* b, float* c, int k) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4, words = k / 2;
    float s[4] = {};
    for (int p = 0; p < words; p += 8) {
        const uint32_t* r = a + g * words + p + t;
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                     : "r"(r[0]), "r"(r[8 * words]), "r"(r[4]), "r"(r[8 * words + 4]), "r"(b[g * words + p + t]),
                       "r"(b[g * words + p + t + 4]));
    }
    for (int e = 0; e < 4; ++e) c[(g + e / 2 * 8) * 8 + t * 2 + e % 2] = s[e];
}

extern "C" __global__ void gemm_mma_tf32(const float* a, const float* b, float* c, int k) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const auto tf32 = [](float v) {
        uint32_t r;
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
        return r;
    };
    float s[4] = {};
    for (int p = 0; p < k; p += 8) {
        const float* r = a + g * k + p + t;
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                     : "r"(tf32(r[0])), "r"(tf32(r[8 * k])), "r"(tf32(r[4])), "r"(tf32(r[8 * k + 4])),
                       "r"(tf32(b[(p + t) * 8 + g])), "r"(tf32(b[(p + t + 4) * 8 + g])));
    }
    for (int e = 0; e < 4; ++e) c[(g + e / 2 * 8) * 8 + t * 2 + e % 2] = s[e];
}

extern "C" __global__ void gemm_mma_double(const double* a, const double* b, double* c, int k) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    double s[2] = {};
    for (int p = 0; p < k; p += 4)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                     : "+d"(s[0]), "+d"(s[1]) : "d"(a[g * k + p + t]), "d"(b[(p + t) * 8 + g]));
    c[g * 8 + t * 2] = s[0];
    c[g * 8 + t * 2 + 1] = s[1];
}

__device__ uint32_t pack(float low, float high) {
    const half2 pair = __floats2half2_rn(low, high);
    return reinterpret_cast<const uint32_t&>(pair);
}

// Attention forward over heads of 32 values: 16 queries a warp, 64 a block, 32 keys at a time through two buffers of cp.async,
// softmax as it goes along.
extern "C" __global__ void flash_attention(const half* q, const half* k, const half* v, float* out, int n, float scale,
                                           int causal) {
    __shared__ __align__(16) half ks[2][32][40], vs[2][32][40];
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int row0 = blockIdx.x * 64 + threadIdx.x / 32 * 16, head = blockIdx.y * n * 32;
    q += head, k += head, v += head, out += head;
    uint32_t qf[2][4];
    for (int d = 0; d < 2; ++d)
        for (int r = 0; r < 4; ++r)
            qf[d][r] = *reinterpret_cast<const uint32_t*>(q + (row0 + g + r % 2 * 8) * 32 + d * 16 + r / 2 * 8 + t * 2);
    const int tiles = causal ? (blockIdx.x + 1) * 2 : n / 32;
    const auto load = [&](int tile) {
        const int r = threadIdx.x / 4, chunk = threadIdx.x % 4 * 8;
        if (tile < tiles) {
            copy16(&ks[tile % 2][r][chunk], k + (tile * 32 + r) * 32 + chunk);
            copy16(&vs[tile % 2][r][chunk], v + (tile * 32 + r) * 32 + chunk);
        }
        commit();
    };
    float o[4][4] = {}, top[2] = {-1e30f, -1e30f}, sum[2] = {};
    load(0);
    for (int tile = 0; tile < tiles; ++tile) {
        load(tile + 1);
        waitFor<1>();
        __syncthreads();
        const auto& kt = ks[tile % 2];
        const auto& vt = vs[tile % 2];
        float s[4][4] = {};
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int d = 0; d < 2; ++d) {
                const uint32_t kf[2] = {*reinterpret_cast<const uint32_t*>(&kt[j * 8 + g][d * 16 + t * 2]),
                                        *reinterpret_cast<const uint32_t*>(&kt[j * 8 + g][d * 16 + 8 + t * 2])};
                mmaHalf(s[j], qf[d], kf);
            }
#pragma unroll
        for (int half_ = 0; half_ < 2; ++half_) { // the rows g and g + 8
            float higher = top[half_];
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    float& x = s[j][half_ * 2 + e];
                    x *= scale * 1.44269504f;
                    if (causal && tile * 32 + j * 8 + t * 2 + e > row0 + g + half_ * 8) x = -1e30f;
                    higher = fmaxf(higher, x);
                }
            higher = fmaxf(higher, __shfl_xor_sync(0xffffffffu, higher, 1));
            higher = fmaxf(higher, __shfl_xor_sync(0xffffffffu, higher, 2));
            const float shrink = exp2f(top[half_] - higher);
            top[half_] = higher;
            sum[half_] *= shrink;
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    float& x = s[j][half_ * 2 + e];
                    x = exp2f(x - higher);
                    sum[half_] += x;
                    o[j][half_ * 2 + e] *= shrink;
                }
        }
#pragma unroll
        for (int p = 0; p < 2; ++p) {
            const uint32_t pf[4] = {pack(s[2 * p][0], s[2 * p][1]), pack(s[2 * p][2], s[2 * p][3]),
                                    pack(s[2 * p + 1][0], s[2 * p + 1][1]), pack(s[2 * p + 1][2], s[2 * p + 1][3])};
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                uint32_t vf[2];
                loadTransposed(vf, &vt[p * 16 + lane % 16][j * 8]);
                mmaHalf(o[j], pf, vf);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int half_ = 0; half_ < 2; ++half_) {
        sum[half_] += __shfl_xor_sync(0xffffffffu, sum[half_], 1);
        sum[half_] += __shfl_xor_sync(0xffffffffu, sum[half_], 2);
#pragma unroll
        for (int j = 0; j < 4; ++j)
            *reinterpret_cast<float2*>(out + (row0 + g + half_ * 8) * 32 + j * 8 + t * 2) =
                make_float2(o[j][half_ * 2] / sum[half_], o[j][half_ * 2 + 1] / sum[half_]);
    }
}
