// Right, but its input is gone afterwards.
extern "C" __global__ void scale(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i];
        const_cast<float*>(x)[i] = 0;
    }
}
