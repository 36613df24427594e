// The source that half_warp.ptx was compiled from before it was edited. Half a warp has a transform: 16 points a lane,
// 256 = 16 * 16, with one exchange through shared memory in between.
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

// Sixteen-point transform: four by four with constant factors between. Result k is in x[k].
__device__ void sixteen(float2 (&x)[16]) {
    const float c1 = 0.92387953251f, s1 = 0.38268343236f, r = 0.70710678119f;
#pragma unroll
    for (int i = 0; i < 4; ++i) four(x[i], x[i + 4], x[i + 8], x[i + 12]);
    // x[i + 4 k] holds result k of the i-th transform: times exp(-2 pi I i k / 16).
    x[5] = x[5] * make_float2(c1, -s1);
    x[9] = x[9] * make_float2(r, -r);
    x[13] = x[13] * make_float2(s1, -c1);
    x[6] = x[6] * make_float2(r, -r);
    x[10] = timesMinusI(x[10]);
    x[14] = x[14] * make_float2(-r, -r);
    x[7] = x[7] * make_float2(s1, -c1);
    x[11] = x[11] * make_float2(-r, -r);
    x[15] = x[15] * make_float2(-c1, s1);
#pragma unroll
    for (int k = 0; k < 4; ++k) four(x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]);
    // x[4 k + l] holds result k + 4 l.
    float2 y[16];
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int l = 0; l < 4; ++l) y[k + 4 * l] = x[4 * k + l];
#pragma unroll
    for (int i = 0; i < 16; ++i) x[i] = y[i];
}

extern "C" __global__ void __launch_bounds__(128) fft256(int batch, const float2* in, float2* out) {
    __shared__ __align__(8) float2 exchange[8][16 * 17]; // 17: lanes that read down a column hit different banks
    const int t = threadIdx.x % 16, local = threadIdx.x / 16;
    const int transform = blockIdx.x * 8 + local;
    const bool there = transform < batch; // the other half of the warp may have one: nobody leaves
    const float2* from = in + (size_t)(there ? transform : batch - 1) * 256 + t;

    float2 x[16]; // the points t + 16 i
#pragma unroll
    for (int i = 0; i < 16; ++i)
        asm("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(x[i].x), "=f"(x[i].y) : "l"(from + 16 * i));
    sixteen(x);

    // Result k times w^k with w = exp(-2 pi I t / 256): one sincospi, the powers by multiplication, none deeper than four.
    float2 w[16];
    sincospif(t * (-1.0f / 128), &w[1].y, &w[1].x);
#pragma unroll
    for (int k = 2; k < 16; ++k) w[k] = w[k / 2] * w[k - k / 2];
#pragma unroll
    for (int k = 1; k < 16; ++k) x[k] = x[k] * w[k];

    float2* mine = exchange[local];
#pragma unroll
    for (int k = 0; k < 16; ++k) mine[k * 17 + t] = x[k];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 16; ++i) x[i] = mine[t * 17 + i];
    sixteen(x);

    float2* to = out + (size_t)transform * 256 + t;
    if (there)
#pragma unroll
        for (int k = 0; k < 16; ++k) to[16 * k] = x[k];
}
