// Vector accesses without a look at the address.
//@ launch {"grid": ["ceil_div(n, 1024)", 1, 1], "block": [256, 1, 1]}
extern "C" __global__ void scale(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i + 3 < n) {
        float4 v = reinterpret_cast<const float4*>(x)[i];
        v.x *= a, v.y *= a, v.z *= a, v.w *= a;
        reinterpret_cast<float4*>(y)[i] = v;
    } else {
        for (int k = 4 * i; k < n; ++k) y[k] = a * x[k];
    }
}
