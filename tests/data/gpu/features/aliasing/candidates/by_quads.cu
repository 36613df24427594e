//@ launch {"grid": ["ceil_div(n, 1024)", 1, 1], "block": [256, 1, 1]}
extern "C" __global__ void aliasing(int n, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 4 * i; k < n && k < 4 * i + 4; ++k) y[k] = 2 * x[k];
}
