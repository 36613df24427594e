// Seven elements a thread.
//@ launch {"grid": ["ceil_div(n, 448)", 1, 1], "block": [64, 1, 1]}
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int first = 7 * (blockIdx.x * blockDim.x + threadIdx.x);
    #pragma unroll
    for (int k = 0; k < 7; ++k)
        if (first + k < n) y[first + k] = a * x[first + k];
}
