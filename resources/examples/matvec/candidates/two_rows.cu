// The source that two_rows.ptx was compiled from before it was edited. A warp has two rows: each piece of x serves both.

__device__ float4 load(const float* p) {
    float4 v;
    asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}
__device__ float4 loadMatrix(const float* p) {
    float4 v;
    asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}

__device__ void add(float (&s)[2], const float4& m, const float4& v) {
    s[0] = fmaf(m.z, v.z, fmaf(m.x, v.x, s[0]));
    s[1] = fmaf(m.w, v.w, fmaf(m.y, v.y, s[1]));
}

extern "C" __global__ void __launch_bounds__(128) matvec(int rows, int columns, const float* a, const float* x, float* y) {
    const int lane = threadIdx.x % 32, r = (blockIdx.x * 4 + threadIdx.x / 32) * 2;
    if (r >= rows) return;
    const float* upper = a + (size_t)r * columns;
    const float* lower = r + 1 < rows ? upper + columns : upper; // the last row of an odd number is computed twice
    float u[2] = {}, l[2] = {};
    int i = lane * 4;
    for (; i + 384 < columns; i += 512) {
        float4 m[8];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            m[2 * k] = loadMatrix(upper + i + 128 * k);
            m[2 * k + 1] = loadMatrix(lower + i + 128 * k);
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float4 v = load(x + i + 128 * k);
            add(u, m[2 * k], v);
            add(l, m[2 * k + 1], v);
        }
    }
#pragma unroll 1
    for (; i < columns; i += 128) {
        const float4 v = load(x + i);
        add(u, loadMatrix(upper + i), v);
        add(l, loadMatrix(lower + i), v);
    }
    // Two sums in six shuffles instead of ten: the lower half of the warp goes on with one, the upper with the other.
    float up = u[0] + u[1], low = l[0] + l[1];
    const float sent = lane < 16 ? low : up;
    float sum = (lane < 16 ? up : low) + __shfl_xor_sync(0xffffffffu, sent, 16);
#pragma unroll
    for (int lanes = 8; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (lane % 16 == 0 && r + lane / 16 < rows) y[r + lane / 16] = sum;
}
