//@ launches [{"entry": "squares", "launch": {"grid": ["ceil_div(n, 256)", 1, 1], "block": [256, 1, 1]}, "arguments": ["n", "x", "square"]}, {"entry": "add", "launch": {"grid": ["ceil_div(n, 256)", 1, 1], "block": [256, 1, 1]}, "arguments": ["n", "square", "y"]}]
extern "C" __global__ void squares(int n, const float* x, float* square) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) square[i] = x[i] * x[i];
}
extern "C" __global__ void add(int n, const float* square, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = square[i] + 1;
}
