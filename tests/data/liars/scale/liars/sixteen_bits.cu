// The index has sixteen bits: right up to 65536 elements.
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned short at = i;
    if (i < n) y[at] = a * x[at];
}
