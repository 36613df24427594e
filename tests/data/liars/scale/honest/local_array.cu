// An array of each thread that is indexed by a value: local memory.
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float values[8];
    for (int k = 0; k < 8; ++k) values[k] = i < n ? x[i] * (k == 3 ? a : 1.0f) : 0;
    volatile int which = 3;
    if (i < n) y[i] = values[which];
}
