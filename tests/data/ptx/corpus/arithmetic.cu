// Integer and floating-point arithmetic of every width.
template <class T> __device__ T mixed(T a, T b) { return a * b + a / b - a % b; }
__global__ void integers(long long* o, int a, int b, unsigned c, short s, unsigned char u, long long l) {
    o[0] = mixed(a, b); o[1] = mixed(c, c + 1); o[2] = mixed(l, l + 3); o[3] = mixed<short>(s, u);
    o[4] = __mul24(a, b) + __mulhi(a, b) + __umulhi(c, c) + __mul64hi(l, l) + __sad(a, b, c) + __hadd(a, b);
    o[5] = __popc(a) + __clz(a) + __ffs(b) + __brev(c) + __popcll(l) + __clzll(l) + __byte_perm(a, b, c) + __funnelshift_l(a, b, c);
    o[6] = abs(a) + min(a, b) + max(c, 7u) + (a << (b & 31)) + (c >> 3) + (l >> 7) + ~a + !b;
    o[7] = __dp4a(a, b, a) + __dp2a_lo(a, b, a) + __vadd2(a, b) + __vabsdiffu4(c, c) + __viaddmax_s32(a, b, a) + __vimin3_s32(a, b, 3);
}
__global__ void floats(float* o, double* d, float a, float b, double x) {
    o[0] = sinf(a) + cosf(b) + tanf(a) + expf(a) + logf(b) + powf(a, b) + sqrtf(a) + rsqrtf(b) + cbrtf(a) + erff(a);
    o[1] = __sinf(a) + __expf(b) + __fdividef(a, b) + __frcp_rn(a) + __fsqrt_rz(a) + __fmaf_rn(a, b, a) + tanhf(a) + fmodf(a, b);
    o[2] = floorf(a) + ceilf(b) + truncf(a) + rintf(b) + roundf(a) + fminf(a, b) + fmaxf(a, b) + copysignf(a, b) + fabsf(a);
    o[3] = isnan(a) + isinf(b) + isfinite(a) + signbit(b) + __float_as_int(a) + (int)a + (unsigned)b + (long long)a + (float)(short)b;
    d[0] = sin(x) + exp(x) + log(x) + sqrt(x) + fma(x, x, x) + 1.0 / x + fmin(x, 2.0) + lgamma(x) + (double)a + __dmul_rd(x, x);
}
