// As many blocks as the device takes at once.
//@ launch {"grid": ["min(sm_count * max_blocks_per_sm, ceil_div(n, 64))", 1, 1], "block": [64, 1, 1]}
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i];
}
