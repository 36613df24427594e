#include <cuda_fp16.h>
__global__ void half_kernel(half* h, half2* v, float* o) {
    half a = h[0], b = h[1]; half2 x = v[0], y = v[1];
    v[2] = __hfma2(x, y, x) + __hmul2(x, y) - __hadd2_sat(x, y) + h2exp(x) + h2sqrt(y) + __hmax2(x, y) + __habs2(x);
    h[2] = __hfma(a, b, a) / b + hlog(a) + hsin(b) + __hmin(a, b) + hrcp(a) + htanh(b) + __hneg(a) + hceil(a);
    o[0] = __half2float(a) + __high2float(x) + (__hlt(a, b) ? 1.f : 2.f) + (__hbeq2(x, y) ? 1.f : 0.f) + (float)(int)a + __half2int_rz(b);
    h[3] = __float2half_rn(o[1]); v[4] = __floats2half2_rn(o[1], o[2]); v[5] = __shfl_xor_sync(~0u, x, 1); atomicAdd(&v[6], x);
}
