// Four a thread and no tail: it says so.
//@ require n % 4 == 0
//@ launch {"grid": ["ceil_div(n, 1024)", 1, 1], "block": [256, 1, 1]}
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        for (int k = 0; k < 4; ++k) y[i + k] = a * x[i + k];
}
