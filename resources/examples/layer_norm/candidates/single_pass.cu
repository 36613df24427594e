// The source that single_pass.ptx was compiled from before it was edited. Sum and sum of squares in one walk: the
// difference of two large numbers. WRONG on purpose.
__device__ float4 load(const float* p) {
    float4 v;
    asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}

extern "C" __global__ void __launch_bounds__(128) layer_norm(int rows, int columns, float epsilon, const float* in,
                                                             const float* gamma, const float* beta, float* out) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
    if (r >= rows) return;
    const float* row = in + (size_t)r * columns;
    float* result = out + (size_t)r * columns;

    float sum = 0, squares = 0;
#pragma unroll 4
    for (int i = lane * 4; i < columns; i += 128) {
        const float4 v = load(row + i);
        sum += (v.x + v.y) + (v.z + v.w);
        squares += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
    }
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
        squares += __shfl_xor_sync(0xffffffffu, squares, lanes);
    }
    const float mean = sum / columns;
    const float scale = rsqrtf(fmaxf(squares / columns - mean * mean, 0) + epsilon);
#pragma unroll 2
    for (int i = lane * 4; i < columns; i += 128) {
        const float4 v = load(row + i), g = load(gamma + i), b = load(beta + i);
        *(float4*)(result + i) =
            make_float4(fmaf((v.x - mean) * scale, g.x, b.x), fmaf((v.y - mean) * scale, g.y, b.y),
                        fmaf((v.z - mean) * scale, g.z, b.z), fmaf((v.w - mean) * scale, g.w, b.w));
    }
}
