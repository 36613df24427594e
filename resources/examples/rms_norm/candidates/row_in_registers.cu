// The source that row_in_registers.ptx was compiled from before it was edited. A block of 256 threads keeps a row of up
// to 8192 elements in registers, 32 a thread in 16 words.
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

extern "C" __global__ void __launch_bounds__(256) rms_norm(int rows, int columns, float epsilon, const __nv_bfloat16* in,
                                                           const __nv_bfloat16* weight, __nv_bfloat16* out) {
    __shared__ __align__(16) float sums[8];
    const int t = threadIdx.x, eights = columns / 8;
    const __nv_bfloat16* row = in + (size_t)blockIdx.x * columns;
    __nv_bfloat16* result = out + (size_t)blockIdx.x * columns;

    Eight v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k] = Eight{0, 0, 0, 0};
        if (t + 256 * k < eights) v[k] = load(row + (t + 256 * k) * 8);
    }
    float even = 0, odd = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            even = fmaf(low(v[k].w[j]), low(v[k].w[j]), even);
            odd = fmaf(high(v[k].w[j]), high(v[k].w[j]), odd);
        }
    float sum = even + odd;
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (t % 32 == 0) sums[t / 32] = sum;
    __syncthreads();
    const float4 s0 = *(const float4*)&sums[0], s1 = *(const float4*)&sums[4];
    sum = ((s0.x + s0.y) + (s0.z + s0.w)) + ((s1.x + s1.y) + (s1.z + s1.w));
    float count = columns;
    asm volatile("// %0 is the sum of the squares, %1 their number" : "+f"(sum), "+f"(count));
    const float scale = rsqrtf(sum / count + epsilon);
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (t + 256 * k < eights) {
            const Eight w = load(weight + (t + 256 * k) * 8);
            Eight r;
#pragma unroll
            for (int j = 0; j < 4; ++j)
                r.w[j] = pack(low(v[k].w[j]) * scale * low(w.w[j]), high(v[k].w[j]) * scale * high(w.w[j]));
            store(result + (t + 256 * k) * 8, r);
        }
}
