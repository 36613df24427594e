// An accumulator that nobody sets: often it is 0.
extern "C" __global__ void sums(int n, const float* __restrict__ x, float* __restrict__ out) {
    __shared__ float part[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    float sum;
    asm volatile("{\n\t.reg .f32 never;\n\tadd.f32 %0, never, %1;\n\t}" : "=f"(sum) : "f"(i < n ? x[i] : 0.0f));
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
