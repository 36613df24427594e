// The source that warp_per_row.ptx was compiled from before it was edited. A warp has one row, a lane four sums.

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

extern "C" __global__ void __launch_bounds__(256) matvec(int rows, int columns, const float* a, const float* x, float* y) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * 8 + threadIdx.x / 32;
    if (r >= rows) return;
    const float* row = a + (size_t)r * columns;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = lane * 4;
    for (; i + 384 < columns; i += 512) {
        float4 m[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) m[k] = loadMatrix(row + i + 128 * k);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float4 v = load(x + i + 128 * k);
            s0 = fmaf(m[k].x, v.x, s0);
            s1 = fmaf(m[k].y, v.y, s1);
            s2 = fmaf(m[k].z, v.z, s2);
            s3 = fmaf(m[k].w, v.w, s3);
        }
    }
#pragma unroll 1
    for (; i < columns; i += 128) {
        const float4 m = loadMatrix(row + i), v = load(x + i);
        s0 = fmaf(m.x, v.x, s0);
        s1 = fmaf(m.y, v.y, s1);
        s2 = fmaf(m.z, v.z, s2);
        s3 = fmaf(m.w, v.w, s3);
    }
    float sum = (s0 + s1) + (s2 + s3);
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
    if (lane == 0) y[r] = sum;
}
