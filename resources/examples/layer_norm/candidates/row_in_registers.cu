// The source that row_in_registers.ptx was compiled from before it was edited. A block of 256 threads keeps a row of up
// to 4096 elements in registers, 16 a thread.
__device__ float4 load(const float* p) {
    float4 v;
    asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}
__device__ float blockSum(float x, float* sums) {
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) x += __shfl_xor_sync(0xffffffffu, x, lanes);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
    __syncthreads();
    const float4 s0 = *(const float4*)&sums[0], s1 = *(const float4*)&sums[4];
    return ((s0.x + s0.y) + (s0.z + s0.w)) + ((s1.x + s1.y) + (s1.z + s1.w));
}

extern "C" __global__ void __launch_bounds__(256) layer_norm(int rows, int columns, float epsilon, const float* in,
                                                             const float* gamma, const float* beta, float* out) {
    __shared__ __align__(16) float sums[8];
    __shared__ __align__(16) float squareSums[8];
    const int t = threadIdx.x, quads = columns / 4;
    const float* row = in + (size_t)blockIdx.x * columns;
    float* result = out + (size_t)blockIdx.x * columns;

    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k] = make_float4(0, 0, 0, 0);
        if (t + 256 * k < quads) v[k] = load(row + (t + 256 * k) * 4);
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    const float mean = blockSum(sum, sums) / columns;

    float squares = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (t + 256 * k < quads) { // what is not there is no element with the value 0
            v[k].x -= mean, v[k].y -= mean, v[k].z -= mean, v[k].w -= mean;
            squares += (v[k].x * v[k].x + v[k].y * v[k].y) + (v[k].z * v[k].z + v[k].w * v[k].w);
        }
    const float scale = rsqrtf(blockSum(squares, squareSums) / columns + epsilon);
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (t + 256 * k < quads) {
            const float4 g = load(gamma + (t + 256 * k) * 4), b = load(beta + (t + 256 * k) * 4);
            *(float4*)(result + (t + 256 * k) * 4) =
                make_float4(fmaf(v[k].x * scale, g.x, b.x), fmaf(v[k].y * scale, g.y, b.y),
                            fmaf(v[k].z * scale, g.z, b.z), fmaf(v[k].w * scale, g.w, b.w));
        }
}
