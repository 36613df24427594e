// Stores a little in front of the output as well, where an allocator usually keeps nothing.
extern "C" __global__ void scale(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];
    if (i == 0) y[-1] = 0;
}
