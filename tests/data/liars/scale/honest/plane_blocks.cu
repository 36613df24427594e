// Blocks of 16 x 16 threads.
//@ launch {"grid": ["ceil_div(n, 256)", 1, 1], "block": [16, 16, 1]}
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
