#include <cuda_fp8.h>
#include <cuda_fp6.h>
#include <cuda_fp4.h>
__global__ void fp8(__nv_fp8_e4m3* a, __nv_fp8x2_e5m2* b, __nv_fp8x4_e4m3* c, float* o, half2* h) {
    o[0] = float(a[0]); a[1] = __nv_fp8_e4m3(o[1]); h[0] = half2(b[0]); b[1] = __nv_fp8x2_e5m2(make_float2(o[2], o[3]));
    c[1] = __nv_fp8x4_e4m3(make_float4(o[0], o[1], o[2], o[3])); float4 f = float4(c[0]); o[4] = f.x + f.w;
}
__global__ void fp4(__nv_fp4x2_e2m1* a, __nv_fp6x2_e3m2* b, float2* o) {
    o[0] = make_float2(0, 0); a[1] = __nv_fp4x2_e2m1(o[1]); b[1] = __nv_fp6x2_e3m2(o[2]); half2 h = half2(a[0]); o[3].x = __low2float(h);
}
