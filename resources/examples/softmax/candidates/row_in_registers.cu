// The source that row_in_registers.ptx was compiled from before it was edited. A block of 256 threads keeps a row of up
// to 4096 elements in registers, 16 a thread.
__device__ float4 load(const float4* p) {
    float4 v;
    asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}
__device__ float exp2Approximate(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

extern "C" __global__ void __launch_bounds__(256) softmax(int rows, int columns, const float* in, float* out) {
    __shared__ __align__(16) float maxima[8];
    __shared__ __align__(16) float sums[8];
    const int t = threadIdx.x, quads = columns / 4;
    const float4* row = (const float4*)(in + (size_t)blockIdx.x * columns);
    float4* result = (float4*)(out + (size_t)blockIdx.x * columns);

    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k] = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
        if (t + 256 * k < quads) v[k] = load(row + t + 256 * k);
    }

    float highest = -INFINITY;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        highest = fmaxf(highest, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) highest = fmaxf(highest, __shfl_xor_sync(0xffffffffu, highest, lanes));
    if (t % 32 == 0) maxima[t / 32] = highest;
    __syncthreads();
    const float4 m0 = *(const float4*)&maxima[0], m1 = *(const float4*)&maxima[4];
    highest = fmaxf(fmaxf(fmaxf(m0.x, m0.y), fmaxf(m0.z, m0.w)), fmaxf(fmaxf(m1.x, m1.y), fmaxf(m1.z, m1.w)));
    asm volatile("// %0 is the maximum of the row" : "+f"(highest));

    // The difference first: scaled on its own, a huge element would overflow.
    const float log2e = 1.44269504f;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k].x = exp2Approximate((v[k].x - highest) * log2e);
        v[k].y = exp2Approximate((v[k].y - highest) * log2e);
        v[k].z = exp2Approximate((v[k].z - highest) * log2e);
        v[k].w = exp2Approximate((v[k].w - highest) * log2e);
        sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (t % 32 == 0) sums[t / 32] = sum;
    __syncthreads();
    const float4 s0 = *(const float4*)&sums[0], s1 = *(const float4*)&sums[4];
    sum = ((s0.x + s0.y) + (s0.z + s0.w)) + ((s1.x + s1.y) + (s1.z + s1.w));
    asm volatile("// %0 is the sum of the row" : "+f"(sum));

    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(sum));
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (t + 256 * k < quads)
            result[t + 256 * k] =
                make_float4(v[k].x * inverse, v[k].y * inverse, v[k].z * inverse, v[k].w * inverse);
}
