extern "C" __global__ void pointer_arrays(int n, const float* const* p, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = p[0][i] + p[1][i] - p[2][i];
}
