// The source that two_quads.ptx was compiled from before it was edited. Eight elements a thread as two quads, a block's width
// apart; what is left over goes one element a thread.
__device__ float4 loadOnce(const float* p) {
    float4 v;
    asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}

extern "C" __global__ void __launch_bounds__(256) saxpy(int n, float a, const float* x, float* y) {
    const int first = blockIdx.x * 2048;
    const bool aligned = ((reinterpret_cast<unsigned long long>(x) | reinterpret_cast<unsigned long long>(y)) & 15) == 0;
    if (aligned && n - first >= 2048) {
        const int i = first + threadIdx.x * 4, j = i + 1024;
        const float4 p = loadOnce(x + i), q = loadOnce(x + j);
        float4 u = *reinterpret_cast<float4*>(y + i), v = *reinterpret_cast<float4*>(y + j);
        u.x = fmaf(a, p.x, u.x);
        u.y = fmaf(a, p.y, u.y);
        u.z = fmaf(a, p.z, u.z);
        u.w = fmaf(a, p.w, u.w);
        v.x = fmaf(a, q.x, v.x);
        v.y = fmaf(a, q.y, v.y);
        v.z = fmaf(a, q.z, v.z);
        v.w = fmaf(a, q.w, v.w);
        *reinterpret_cast<float4*>(y + i) = u;
        *reinterpret_cast<float4*>(y + j) = v;
        return;
    }
#pragma unroll 1
    for (int k = 0; k < 2048; k += 256) {
        const int i = first + k + threadIdx.x;
        if (i < n) y[i] = fmaf(a, x[i], y[i]);
    }
}
