__constant__ float table[4];
__device__ unsigned hits;
extern "C" __global__ void variables(int n, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i] * table[i & 3];
    const unsigned active = __activemask();
    if ((threadIdx.x & 31) == __ffs(active) - 1) atomicAdd(&hits, __popc(active));
}
