// at least sm_80
#include <cuda_bf16.h>
__global__ void bfloat_kernel(__nv_bfloat16* h, __nv_bfloat162* v, float* o) {
    __nv_bfloat16 a = h[0], b = h[1]; __nv_bfloat162 x = v[0], y = v[1];
    v[2] = __hfma2(x, y, x) + __hmul2(x, y) + __hmax2(x, y) + h2exp2(x) + __habs2(y) + __hfma2_relu(x, y, x);
    h[2] = __hfma(a, b, a) / b + hexp(a) + __hmin(a, b) + __hneg(b); o[0] = __bfloat162float(a) + (a < b ? 1.f : 0.f);
    h[3] = __float2bfloat16(o[1]); v[3] = __floats2bfloat162_rn(o[1], o[2]); h[4] = __int2bfloat16_rn((int)o[3]);
}
