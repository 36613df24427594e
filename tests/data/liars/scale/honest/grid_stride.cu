// A few blocks go over everything.
//@ launch {"grid": [3, 1, 1], "block": [128, 1, 1]}
//@ require n > 0
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i];
}
