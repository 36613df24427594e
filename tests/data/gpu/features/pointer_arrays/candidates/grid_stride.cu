//@ launch {"grid": ["ceil_div(n, 1024)", 1, 1], "block": [256, 1, 1]}
extern "C" __global__ void pointer_arrays(int n, const float* const* p, float* y) {
    const float *u = p[0], *v = p[1], *w = p[2];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = u[i] + v[i] - w[i];
}
