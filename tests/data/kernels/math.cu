// Functions: fast forms, the library's, double precision, and kernels made of them.
extern "C" __global__ void fast_math(const float* in, float* out, float* waves, float* tanhs) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = in[2 * i], y = in[2 * i + 1], z = fabsf(x) + 0.25f;
    float* o = out + 8 * i;
    o[0] = __fdividef(y, z), o[1] = __expf(x), o[2] = __logf(z), o[3] = __powf(z, y), o[4] = rsqrtf(z), o[5] = __log2f(z);
    asm("sqrt.approx.f32 %0, %1;" : "=f"(o[6]) : "f"(z));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(o[7]) : "f"(z));
    asm("tanh.approx.f32 %0, %1;" : "=f"(tanhs[i]) : "f"(y));
    waves[i] = __sinf(x) - __cosf(y) * 0.5f;
}

// Rounded in all directions: exact.
extern "C" __global__ void rounding(const float* in, float* out, double* wide, int* whole) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = in[2 * i], y = in[2 * i + 1];
    const double a = double(x) / 3, b = double(y) * 7;
    out[i] = __fadd_rd(__fmul_ru(x, y), __fdiv_rz(x, y)) + __fsqrt_rd(fabsf(x)) - __frcp_ru(y) + __fmaf_rz(x, y, x) + __fsub_ru(y, x) + fmodf(x, 0.3f) + remainderf(y, 0.7f);
    wide[i] = __dadd_rd(__dmul_ru(a, b), __ddiv_rn(a, b)) + __dsqrt_rz(fabs(a)) - __drcp_rd(b) + __fma_ru(a, b, a) + fmod(b, 0.3) + rint(a * 9) + trunc(b) + ceil(a) + copysign(floor(b), a) + scalbn(a, 5);
    whole[i] = __float2int_rd(x * 10) + __float2int_ru(y * 10) * 3 + __double2int_rz(a * 100) + __float2uint_rn(fabsf(y) * 9) + __double2float_rd(b) + int(__double2ll_rn(a * 1e10)) + lrintf(x) + lround(b) + ilogbf(x) + __float_as_int(__int2float_rz(i * 987654321)) + int(__ll2double_rd(i * 1234567890123457ll) * 1e-9);
}

extern "C" __global__ void library_single(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = in[i], z = fabsf(x) + 0.1f;
    float* o = out + 16 * i;
    o[0] = sinf(x), o[1] = cosf(x * 1000), o[2] = tanf(x), o[3] = expf(x), o[4] = logf(z), o[5] = powf(z, x), o[6] = atan2f(x, z * 2), o[7] = asinf(x / 30);
    o[8] = cbrtf(x), o[9] = erff(x), o[10] = lgammaf(z), o[11] = sinhf(x / 4), o[12] = log1pf(z), o[13] = exp2f(x), o[14] = hypotf(x, z), o[15] = sinf(x * 1e7f);
}

extern "C" __global__ void library_double(const double* in, double* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double x = in[i], z = fabs(x) + 0.1;
    double* o = out + 12 * i;
    o[0] = sin(x), o[1] = cos(x * 1000), o[2] = exp(x), o[3] = log(z), o[4] = pow(z, x), o[5] = atan(x);
    o[6] = x / z + sqrt(z), o[7] = rsqrt(z), o[8] = cbrt(x), o[9] = erf(x), o[10] = tanh(x), o[11] = sin(x * 1e9);
}

extern "C" __global__ void n_body(const float4* in, float4* out, int n) {
    __shared__ float4 tile[64];
    const float4 me = in[blockIdx.x * 64 + threadIdx.x];
    float ax = 0, ay = 0, az = 0, energy = 0;
    for (int base = 0; base < n; base += 64) {
        tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 64; ++k) {
            const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 0.01f))));
            const float force = tile[k].w * inverse * inverse * inverse;
            ax = fmaf(dx, force, ax), ay = fmaf(dy, force, ay), az = fmaf(dz, force, az), energy += tile[k].w * inverse;
        }
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = make_float4(ax, ay, az, energy);
}

extern "C" __global__ void black_scholes(const float* price, const float* strike, float* call, float* put, float years) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float s = price[i], k = strike[i], root = sqrtf(years), sigma = 0.3f, rate = 0.02f;
    const float d1 = (logf(s / k) + (rate + 0.5f * sigma * sigma) * years) / (sigma * root), d2 = d1 - sigma * root;
    const float discounted = k * expf(-rate * years), n1 = normcdff(d1), n2 = normcdff(d2);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1 - n2) - s * (1 - n1);
}

// Iterations until a point leaves the circle: lanes that diverge, whole numbers out of exact products.
extern "C" __global__ void mandelbrot(int* out, int width, float step) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float cr = x * step - 2.1f, ci = y * step - 1.2f;
    float r = 0, i = 0;
    int n = 0;
    for (; n < 200 && r * r + i * i < 4.0f; ++n) {
        const float next = r * r - i * i + cr;
        i = 2.0f * r * i + ci;
        r = next;
    }
    out[y * width + x] = n;
}

// 256 points a block, in place in shared memory; the factors come from outside, so that all is exact.
extern "C" __global__ void fft(const float2* in, const float2* factors, float2* out) {
    __shared__ float2 v[256];
    const int t = threadIdx.x;
    for (int k = t; k < 256; k += 128) v[__brev(k) >> 24] = in[blockIdx.x * 256 + k];
    for (int size = 1; size < 256; size *= 2) {
        __syncthreads();
        const int k = t & (size - 1), low = 2 * t - k, high = low + size;
        const float2 w = factors[k * (128 / size)], a = v[low], b = v[high];
        const float2 p = make_float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
        v[low] = make_float2(a.x + p.x, a.y + p.y);
        v[high] = make_float2(a.x - p.x, a.y - p.y);
    }
    __syncthreads();
    for (int k = t; k < 256; k += 128) out[blockIdx.x * 256 + k] = v[k];
}

// A = L L^T and the solution of A x = b, 24 x 24 a block; sqrt and division rounded to nearest.
extern "C" __global__ void cholesky(const double* in, double* x, int n) {
    extern __shared__ double a[];
    double* b = a + n * n;
    const int t = threadIdx.x;
    for (int k = t; k < n * n; k += blockDim.x) {
        const int i = k / n, j = k % n;
        double sum = i == j ? n : 0.0;
        for (int p = 0; p < n; ++p) sum = fma(in[i * n + p], in[j * n + p], sum);
        a[k] = sum;
    }
    if (t < n) b[t] = t + 1.0;
    __syncthreads();
    for (int p = 0; p < n; ++p) {
        if (t == 0) a[p * n + p] = sqrt(a[p * n + p]);
        __syncthreads();
        for (int i = p + 1 + t; i < n; i += blockDim.x) a[i * n + p] /= a[p * n + p];
        __syncthreads();
        for (int k = t; k < n * n; k += blockDim.x) {
            const int i = k / n, j = k % n;
            if (j > p && i >= j) a[k] = fma(-a[i * n + p], a[j * n + p], a[k]);
        }
        __syncthreads();
    }
    for (int p = 0; p < n; ++p) {
        if (t == p) b[p] /= a[p * n + p];
        __syncthreads();
        if (t > p && t < n) b[t] = fma(-a[t * n + p], b[p], b[t]);
        __syncthreads();
    }
    for (int p = n - 1; p >= 0; --p) {
        if (t == p) b[p] /= a[p * n + p];
        __syncthreads();
        if (t < p) b[t] = fma(-a[p * n + t], b[p], b[t]);
        __syncthreads();
    }
    if (t < n) x[t] = b[t];
}
