// Reductions: in shared memory, by shuffles, by redux, and a sum over all blocks in the last one to end.
extern "C" __global__ void reduce_shared(const float* in, float* out) {
    __shared__ float part[256];
    const unsigned t = threadIdx.x, i = blockIdx.x * 512 + t;
    part[t] = in[i] + in[i + 256];
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_shuffle(const double* in, double* out, int n) {
    __shared__ double part[32];
    double sum = 0, low = 1e300;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i], low = fmin(low, in[i]);
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, d);
        low = fmin(low, __shfl_xor_sync(0xffffffffu, low, d));
    }
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum + low;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0;
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
        if (threadIdx.x == 0) *out = sum;
    }
}

extern "C" __global__ void reduce_redux(const int* in, int* out) {
    const int i = blockIdx.x * 32 + threadIdx.x, value = in[i];
    const unsigned odd = __ballot_sync(0xffffffffu, value & 1);
    int results[8] = {__reduce_add_sync(0xffffffffu, value), __reduce_min_sync(0xffffffffu, value),
                      __reduce_max_sync(0xffffffffu, value), int(__reduce_min_sync(0xffffffffu, unsigned(value))),
                      int(__reduce_and_sync(0xffffffffu, unsigned(value))),
                      int(__reduce_or_sync(0xffffffffu, unsigned(value))),
                      int(__reduce_xor_sync(0xffffffffu, unsigned(value))), 0};
    if (value & 1) results[7] = __reduce_add_sync(odd, value);
    else results[7] = -1;
    int mine = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (threadIdx.x % 8 == k) mine = results[k];
    out[i] = mine;
}

__device__ unsigned ended = 0;
extern "C" __global__ void reduce_last_block(const int* in, int n, long long* part, long long* out) {
    __shared__ long long sum[128];
    __shared__ bool isLast;
    const unsigned t = threadIdx.x;
    long long mine = 0;
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) mine += (long long)in[i] * i;
    for (int round = 0; round < 2; ++round) {
        sum[t] = mine;
        __syncthreads();
        for (unsigned half = 64; half > 0; half /= 2) {
            if (t < half) sum[t] += sum[t + half];
            __syncthreads();
        }
        if (round == 1) break;
        if (t == 0) {
            part[blockIdx.x] = sum[0];
            __threadfence();
            isLast = atomicInc(&ended, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (!isLast) return;
        __threadfence();
        mine = t < gridDim.x ? *(volatile long long*)(part + t) : 0;
    }
    if (t == 0) *out = sum[0];
}
