extern "C" __global__ void aliasing(int n, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    *(volatile float*)(y + i) = 0;
    y[i] = 2 * *(const volatile float*)(x + i);
}
