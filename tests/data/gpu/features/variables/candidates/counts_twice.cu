__constant__ float table[4];
__device__ unsigned hits;
extern "C" __global__ void variables(int n, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i] * table[i & 3];
    atomicAdd(&hits, 2u);
}
