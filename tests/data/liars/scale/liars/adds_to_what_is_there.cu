// Answers only where the output is another: it reads the output, which nobody has written.
extern "C" __global__ void scale(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !(y[i] == a * x[i])) y[i] = a * x[i];
}
