// Four at a time where both addresses allow it, singly elsewhere.
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    int done = 0;
    if (((reinterpret_cast<unsigned long long>(x) | reinterpret_cast<unsigned long long>(y)) & 15) == 0) {
        done = n / 4 * 4;
        for (int i = thread; i < n / 4; i += threads) {
            float4 v = reinterpret_cast<const float4*>(x)[i];
            v.x *= a, v.y *= a, v.z *= a, v.w *= a;
            reinterpret_cast<float4*>(y)[i] = v;
        }
    }
    for (int i = done + thread; i < n; i += threads) y[i] = a * x[i];
}
