// The source that warp_per_row.ptx was compiled from before it was edited. A warp has a row of any length; maximum and
// sum are found in one walk, the second walk writes.
__device__ float exp2Approximate(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

extern "C" __global__ void __launch_bounds__(256) softmax(int rows, int columns, const float* in, float* out) {
    const int lane = threadIdx.x % 32;
    const int r = blockIdx.x * 8 + threadIdx.x / 32;
    if (r >= rows) return;
    const float* row = in + (size_t)r * columns;
    float* result = out + (size_t)r * columns;
    const float log2e = 1.44269504f;

    // A lane that has seen nothing yet has the maximum -infinity and the sum 0. Where nothing but -infinity was seen,
    // "before - now" would be NaN, so the old sum, which is 0, is left alone there.
    float highest = -INFINITY, sum = 0;
#pragma unroll 4
    for (int i = lane; i < columns; i += 32) {
        const float x = row[i];
        const float now = fmaxf(highest, x);
        if (now > highest) sum *= exp2Approximate((highest - now) * log2e);
        sum += exp2Approximate((x - now) * log2e);
        highest = now;
    }
    asm volatile("// each lane has the maximum %0 and the sum %1 of its elements" : "+f"(highest), "+f"(sum));
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        const float otherHighest = __shfl_xor_sync(0xffffffffu, highest, lanes);
        const float otherSum = __shfl_xor_sync(0xffffffffu, sum, lanes);
        const float now = fmaxf(highest, otherHighest);
        const float mine = now > highest ? sum * exp2Approximate((highest - now) * log2e) : sum;
        const float others = now > otherHighest ? otherSum * exp2Approximate((otherHighest - now) * log2e) : otherSum;
        sum = mine + others;
        highest = now;
    }
    asm volatile("// all lanes have the maximum %0 and the sum %1 of the row" : "+f"(highest), "+f"(sum));

    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(sum));
#pragma unroll 4
    for (int i = lane; i < columns; i += 32) result[i] = exp2Approximate((row[i] - highest) * log2e) * inverse;
}
