// Each block waits for the one behind it: where not all of them fit onto the device at once, it waits for ever.
__device__ unsigned turn;
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];
    __syncthreads();
    if (threadIdx.x) return;
    const unsigned mine = gridDim.x - 1 - blockIdx.x;
    while (*(volatile unsigned*)&turn != mine) {}
    *(volatile unsigned*)&turn = blockIdx.x == 0 ? 0 : mine + 1;
}
