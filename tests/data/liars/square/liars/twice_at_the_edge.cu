// Blocks overlap by a warp: those elements are squared twice where both come to them.
//@ launch {"grid": ["ceil_div(n, 96)", 1, 1], "block": [128, 1, 1]}
extern "C" __global__ void square(int n, float* x) {
    const int i = blockIdx.x * 96 + threadIdx.x;
    if (i < n && (threadIdx.x < 96 || n % 96 != 32)) x[i] = x[i] * x[i] + 1;
}
