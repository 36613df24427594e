// RMS norm of each row: out = in / sqrt(mean of in^2 + epsilon) * weight, in bf16 with the sum in f32. A block of 256
// threads has one row; it walks over it twice and adds by a tree in shared memory.
#include <cuda_bf16.h>

extern "C" __global__ void rms_norm(int rows, int columns, float epsilon, const __nv_bfloat16* in,
                                    const __nv_bfloat16* weight, __nv_bfloat16* out) {
    __shared__ float tree[256];

    const __nv_bfloat16* row = in + (size_t)blockIdx.x * columns;
    __nv_bfloat16* result = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;

    float sum = 0.0f;
    for (int i = t; i < columns; i += 256) {
        float x = __bfloat162float(row[i]);
        sum += x * x;
    }
    tree[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) tree[t] += tree[t + half];
        __syncthreads();
    }
    float scale = rsqrtf(tree[0] / columns + epsilon);

    for (int i = t; i < columns; i += 256)
        result[i] = __float2bfloat16(__bfloat162float(row[i]) * scale * __bfloat162float(weight[i]));
}
