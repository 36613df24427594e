// The source that strips.ptx was compiled from before it was edited. A warp has a strip of 128 x 8 points: a lane four
// neighbours of each row, ten rows by 16-byte loads. What a lane's neighbours have comes by shuffle.
__device__ float4 loadIf(bool wanted, const float* p) {
    float4 v;
    asm("{\n\t"
        ".reg .pred wanted;\n\t"
        "setp.ne.b32 wanted, %5, 0;\n\t"
        "mov.f32 %0, 0f00000000;\n\t"
        "mov.f32 %1, 0f00000000;\n\t"
        "mov.f32 %2, 0f00000000;\n\t"
        "mov.f32 %3, 0f00000000;\n\t"
        "@wanted ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];\n\t"
        "}"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(p), "r"((int)wanted));
    return v;
}
__device__ float loadOneIf(int wanted, const float* p) {
    float v;
    asm("{\n\t"
        ".reg .pred wanted;\n\t"
        "setp.ne.b32 wanted, %2, 0;\n\t"
        "mov.f32 %0, 0f00000000;\n\t"
        "@wanted ld.global.nc.f32 %0, [%1];\n\t"
        "}"
        : "=f"(v)
        : "l"(p), "r"(wanted));
    return v;
}

extern "C" __global__ void __launch_bounds__(128) stencil2d(int width, int height, float center, float side, const float* in,
                                                            float* out) {
    const int lane = threadIdx.x % 32;
    const int x = blockIdx.x * 128 + lane * 4;
    const int y0 = (blockIdx.y * 4 + threadIdx.x / 32) * 8;
    if (y0 >= height) return; // a whole warp
    const bool inside = x < width;
    const float* p = in + (ptrdiff_t)y0 * width + x;
    float* q = out + (ptrdiff_t)y0 * width + x;

    float4 row[10]; // y0 - 1 to y0 + 8
#pragma unroll
    for (int k = 0; k < 10; ++k)
        row[k] = loadIf(inside && y0 + k > 0 && y0 + k <= height, p + (ptrdiff_t)(k - 1) * width);
    int outer = inside && (lane == 0 ? x > 0 : lane == 31 && x + 4 < width);
    asm volatile("// %0: this lane's outer neighbour is in no other lane" : "+r"(outer));
    const float* beside = lane == 0 ? p - 1 : p + 4;
    float edge[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) edge[k] = loadOneIf(outer && y0 + k < height, beside + (ptrdiff_t)k * width);

#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const float4 c = row[k + 1], u = row[k], d = row[k + 2];
        float left = __shfl_up_sync(0xffffffffu, c.w, 1);
        float right = __shfl_down_sync(0xffffffffu, c.x, 1);
        left = lane == 0 ? edge[k] : left;
        right = lane == 31 ? edge[k] : right;
        float4 r;
        r.x = center * c.x + side * (left + c.y + u.x + d.x);
        r.y = center * c.y + side * (c.x + c.z + u.y + d.y);
        r.z = center * c.z + side * (c.y + c.w + u.z + d.z);
        r.w = center * c.w + side * (c.z + right + u.w + d.w);
        const bool border = y0 + k == 0 || y0 + k == height - 1;
        r.x = border || x == 0 ? c.x : r.x;
        r.y = border ? c.y : r.y;
        r.z = border ? c.z : r.z;
        r.w = border || x + 4 == width ? c.w : r.w;
        if (inside && y0 + k < height) *(float4*)(q + (ptrdiff_t)k * width) = r;
    }
}
