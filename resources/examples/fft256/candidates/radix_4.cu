// The source that radix_4.ptx was compiled from before it was edited. A block of 64 threads has a transform: four radix-4
// passes in place of eight of radix 2.
__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 operator*(float2 a, float2 b) {
    return make_float2(fmaf(a.x, b.x, -a.y * b.y), fmaf(a.x, b.y, a.y * b.x));
}
__device__ float2 timesMinusI(float2 a) { return make_float2(a.y, -a.x); }

// Four-point transform of a, b, c, d in place, in order.
__device__ void four(float2& a, float2& b, float2& c, float2& d) {
    const float2 ac = a + c, amc = a - c, bd = b + d, bmd = timesMinusI(b - d);
    a = ac + bd;
    b = amc + bmd;
    c = ac - bd;
    d = amc - bmd;
}

extern "C" __global__ void __launch_bounds__(64) fft256(int batch, const float2* in, float2* out) {
    __shared__ __align__(8) float2 buffers[2][256];
    const int t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * 256 + t;
    float2 a = in[first], b = in[first + 64], c = in[first + 128], d = in[first + 192];
    four(a, b, c, d);
    buffers[0][4 * t] = a;
    buffers[0][4 * t + 1] = b;
    buffers[0][4 * t + 2] = c;
    buffers[0][4 * t + 3] = d;
    __syncthreads();
#pragma unroll
    for (int pass = 1; pass < 4; ++pass) {
        const int p = 1 << 2 * pass, k = t & (p - 1);
        const float2* from = buffers[(pass - 1) % 2];
        float2 w;
        sincospif(k * (-0.5f / p), &w.y, &w.x);
        const float2 w2 = w * w;
        a = from[t];
        b = from[t + 64] * w;
        c = from[t + 128] * w2;
        d = from[t + 192] * (w2 * w);
        four(a, b, c, d);
        if (pass < 3) {
            float2* to = buffers[pass % 2] + 4 * t - 3 * k;
            to[0] = a;
            to[p] = b;
            to[2 * p] = c;
            to[3 * p] = d;
            __syncthreads();
        }
    }
    out[first] = a;
    out[first + 64] = b;
    out[first + 128] = c;
    out[first + 192] = d;
}
