// sm_90
// What sm_90 adds to ordinary kernels: 8-bit floats, stmatrix, elect, bf16 in hardware.
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <stdint.h>
__device__ uint32_t at(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }

extern "C" __global__ void fp8_quantize(const float2* in, uint32_t* codes, half2* back) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float2 v = in[i];
    const __nv_fp8x2_e4m3 a(v);
    const __nv_fp8x2_e5m2 b(make_float2(v.x * 100, v.y * -1000));
    codes[i] = a.__x | uint32_t(b.__x) << 16;
    back[2 * i] = half2(a);
    back[2 * i + 1] = half2(b);
}

extern "C" __global__ void store_matrices(const uint4* in, uint4* out) {
    __shared__ __align__(16) uint4 rows[32];
    const uint4 v = in[threadIdx.x];
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(at(&rows[threadIdx.x])), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
    __syncwarp();
    uint4 w = rows[31 - threadIdx.x];
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(w.x));
    uint32_t leader = 0;
    asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(leader));
    w.y += __popc(__ballot_sync(0xffffffffu, leader));
    out[threadIdx.x] = w;
}

extern "C" __global__ void bf16_hardware(const __nv_bfloat162* a, const __nv_bfloat162* b, __nv_bfloat162* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const __nv_bfloat162 x = a[i], y = b[i];
    out[2 * i] = __hadd2_rn(__hmul2_rn(x, y), __hsub2_rn(x, y));
    out[2 * i + 1] = __hmax2(__hfma2_relu(x, y, y), __hadd2_sat(x, y));
}
