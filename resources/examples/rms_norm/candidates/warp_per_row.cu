// The source that warp_per_row.ptx was compiled from before it was edited. A warp has a row of any multiple of 8
// elements; what it reads again for the second walk is still in the caches.
#include <cuda_bf16.h>

struct Eight { // bf16 values in four words
    unsigned w[4];
};
__device__ Eight load(const void* p) {
    Eight v;
    asm("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3]) : "l"(p));
    return v;
}
__device__ void store(void* p, const Eight& v) {
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.w[0]), "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3])
                 : "memory");
}
// A bf16 is the upper half of a float.
__device__ float low(unsigned w) { return __uint_as_float(w << 16); }
__device__ float high(unsigned w) { return __uint_as_float(w & 0xffff0000u); }
__device__ unsigned pack(float lower, float upper) {
    unsigned w;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(upper), "f"(lower));
    return w;
}

extern "C" __global__ void __launch_bounds__(128) rms_norm(int rows, int columns, float epsilon, const __nv_bfloat16* in,
                                                           const __nv_bfloat16* weight, __nv_bfloat16* out) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
    if (r >= rows) return;
    const __nv_bfloat16* row = in + (size_t)r * columns;
    __nv_bfloat16* result = out + (size_t)r * columns;

    float even = 0, odd = 0;
#pragma unroll 4
    for (int i = lane * 8; i < columns; i += 256) {
        const Eight v = load(row + i);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            even = fmaf(low(v.w[j]), low(v.w[j]), even);
            odd = fmaf(high(v.w[j]), high(v.w[j]), odd);
        }
    }
    float sum = even + odd;
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    asm volatile("// %0 is the sum of the squares" : "+f"(sum));
    const float scale = rsqrtf(sum / columns + epsilon);
#pragma unroll 4
    for (int i = lane * 8; i < columns; i += 256) {
        const Eight v = load(row + i), w = load(weight + i);
        Eight r;
#pragma unroll
        for (int j = 0; j < 4; ++j)
            r.w[j] = pack(low(v.w[j]) * scale * low(w.w[j]), high(v.w[j]) * scale * high(w.w[j]));
        store(result + i, r);
    }
}
