// Four partial sums, added at the end.
extern "C" __global__ void product(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    const int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || column >= n) return;
    float sums[4] = {0, 0, 0, 0};
    for (int i = 0; i < k; ++i) sums[i % 4] += a[row * k + i] * b[i * n + column];
    c[row * n + column] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}
