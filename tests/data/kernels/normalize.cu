// Rows through exp, sqrt and division: softmax, layer norm in f32 and f16, RMS norm, log-sum-exp.
#include <cuda_fp16.h>

__device__ float warpSum(float v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

extern "C" __global__ void softmax(const float* in, float* out, int columns) {
    __shared__ float part[4];
    const float* row = in + blockIdx.x * columns;
    const int t = threadIdx.x, warp = t / 32;
    float top = -INFINITY;
    for (int i = t; i < columns; i += 128) top = fmaxf(top, row[i]);
    for (int d = 16; d > 0; d /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
    if (t % 32 == 0) part[warp] = top;
    __syncthreads();
    top = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
    __syncthreads();
    float sum = 0;
    for (int i = t; i < columns; i += 128) sum += expf(row[i] - top);
    sum = warpSum(sum);
    if (t % 32 == 0) part[warp] = sum;
    __syncthreads();
    sum = part[0] + part[1] + part[2] + part[3];
    for (int i = t; i < columns; i += 128) out[blockIdx.x * columns + i] = expf(row[i] - top) / sum;
}

// Maximum and sum in one pass, a warp a row.
extern "C" __global__ void softmax_online(const float* in, float* out, float* lse, int columns) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    in += row * columns, out += row * columns;
    float top = -INFINITY, sum = 0;
    for (int i = lane; i < columns; i += 32) {
        const float higher = fmaxf(top, in[i]);
        sum = sum * __expf(top - higher) + __expf(in[i] - higher);
        top = higher;
    }
    for (int d = 16; d > 0; d /= 2) {
        const float otherTop = __shfl_xor_sync(0xffffffffu, top, d), otherSum = __shfl_xor_sync(0xffffffffu, sum, d);
        const float higher = fmaxf(top, otherTop);
        sum = sum * __expf(top - higher) + otherSum * __expf(otherTop - higher);
        top = higher;
    }
    for (int i = lane; i < columns; i += 32) out[i] = __fdividef(__expf(in[i] - top), sum);
    if (lane == 0) lse[row] = top + logf(sum);
}

extern "C" __global__ void layer_norm(const float* in, const float* gain, const float* bias, float* out, int columns) {
    const int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32;
    in += row * columns, out += row * columns;
    float sum = 0, square = 0;
    for (int i = lane; i < columns; i += 32) sum += in[i];
    const float mean = warpSum(sum) / columns;
    for (int i = lane; i < columns; i += 32) square = fmaf(in[i] - mean, in[i] - mean, square);
    const float scale = 1.0f / sqrtf(warpSum(square) / columns + 1e-5f);
    for (int i = lane; i < columns; i += 32) out[i] = fmaf((in[i] - mean) * scale, gain[i], bias[i]);
}

// f16 in pairs, sums in f32, rsqrt.approx.
extern "C" __global__ void layer_norm_half(const half2* in, const half2* gain, half2* out, int pairs) {
    in += blockIdx.x * pairs, out += blockIdx.x * pairs;
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < pairs; i += 32) {
        const float2 v = __half22float2(in[i]);
        sum += v.x + v.y;
        square = fmaf(v.x, v.x, fmaf(v.y, v.y, square));
    }
    const float mean = warpSum(sum) / (2 * pairs), variance = warpSum(square) / (2 * pairs) - mean * mean;
    const half2 scale = __float2half2_rn(rsqrtf(variance + 1e-5f)), center = __float2half2_rn(mean);
    for (int i = threadIdx.x; i < pairs; i += 32) out[i] = __hmul2(__hmul2(__hsub2(in[i], center), scale), gain[i]);
}

extern "C" __global__ void rms_norm_gelu(const float* in, float* out, int columns) {
    in += blockIdx.x * columns, out += blockIdx.x * columns;
    float square = 0;
    for (int i = threadIdx.x; i < columns; i += 32) square = fmaf(in[i], in[i], square);
    const float scale = rsqrtf(warpSum(square) / columns + 1e-6f);
    for (int i = threadIdx.x; i < columns; i += 32) {
        const float x = in[i] * scale;
        out[i] = 0.5f * x * (1.0f + tanhf(0.79788456f * fmaf(0.044715f * x * x, x, x))) + 0.25f * erff(x);
    }
}
