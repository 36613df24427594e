// The source that rolling.ptx was compiled from before it was edited. A thread walks down a column of 16 points and keeps
// three rows in registers.
extern "C" __global__ void __launch_bounds__(128) stencil2d(int width, int height, float center, float side, const float* in,
                                                            float* out) {
    const int x = blockIdx.x * 128 + threadIdx.x;
    if (x >= width) return;
    const int y0 = blockIdx.y * 16, end = min(y0 + 16, height);
    const float* p = in + (size_t)y0 * width + x;
    float* q = out + (size_t)y0 * width + x;
    const bool edge = x == 0 || x == width - 1;
    float above = y0 > 0 ? __ldg(p - width) : 0, here = __ldg(p);
#pragma unroll 4
    for (int y = y0; y < end; ++y) {
        const float below = y + 1 < height ? __ldg(p + width) : 0;
        if (edge || y == 0 || y == height - 1)
            *q = here;
        else
            *q = center * here + side * (__ldg(p - 1) + __ldg(p + 1) + above + below);
        above = here;
        here = below;
        p += width;
        q += width;
    }
}
