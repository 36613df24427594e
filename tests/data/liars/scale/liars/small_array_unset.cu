// An array of each thread of which one place is never set: often it is 0.
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    volatile float parts[4];
    parts[i & 1] = a * x[i];
    y[i] = parts[i & 1] + 0.0f * parts[2 + (i & 1)];
}
