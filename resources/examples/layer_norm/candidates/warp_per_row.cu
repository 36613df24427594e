// The source that warp_per_row.ptx was compiled from before it was edited. A warp has a row of any multiple of 4 elements
// and finds mean and variance in one walk (Welford), the second walk writes.
__device__ float4 load(const float* p) {
    float4 v;
    asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}

// Mean and sum of squared differences of two sets together (Chan): no large sums that cancel.
__device__ void merge(float& count, float& mean, float& squares, float otherCount, float otherMean, float otherSquares) {
    const float both = count + otherCount;
    const float share = both > 0 ? otherCount / both : 0;
    const float difference = otherMean - mean;
    mean += difference * share;
    squares += otherSquares + difference * difference * count * share;
    count = both;
}

extern "C" __global__ void __launch_bounds__(128) layer_norm(int rows, int columns, float epsilon, const float* in,
                                                             const float* gamma, const float* beta, float* out) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
    if (r >= rows) return;
    const float* row = in + (size_t)r * columns;
    float* result = out + (size_t)r * columns;

    float count = 0, mean = 0, squares = 0;
#pragma unroll 4
    for (int i = lane * 4; i < columns; i += 128) {
        const float4 v = load(row + i);
        const float m = ((v.x + v.y) + (v.z + v.w)) * 0.25f;
        const float a = v.x - m, b = v.y - m, c = v.z - m, d = v.w - m;
        merge(count, mean, squares, 4, m, (a * a + b * b) + (c * c + d * d));
    }
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        merge(count, mean, squares, __shfl_down_sync(0xffffffffu, count, lanes),
              __shfl_down_sync(0xffffffffu, mean, lanes), __shfl_down_sync(0xffffffffu, squares, lanes));
    // The lanes merged in different orders: all of them take what lane 0 has.
    mean = __shfl_sync(0xffffffffu, mean, 0);
    squares = __shfl_sync(0xffffffffu, squares, 0);
    const float scale = rsqrtf(squares / columns + epsilon);
#pragma unroll 2
    for (int i = lane * 4; i < columns; i += 128) {
        const float4 v = load(row + i), g = load(gamma + i), b = load(beta + i);
        *(float4*)(result + i) =
            make_float4(fmaf((v.x - mean) * scale, g.x, b.x), fmaf((v.y - mean) * scale, g.y, b.y),
                        fmaf((v.z - mean) * scale, g.z, b.z), fmaf((v.w - mean) * scale, g.w, b.w));
    }
}
