// Tiles of 8 in shared memory.
//@ launch {"grid": ["ceil_div(n, 8)", "ceil_div(m, 8)", 1], "block": [8, 8, 1]}
extern "C" __global__ void product(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ float ta[8][8], tb[8][9];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
    float sum = 0;
    for (int i = 0; i < k; i += 8) {
        ta[y][x] = row < m && i + x < k ? a[row * k + i + x] : 0.0f;
        tb[y][x] = i + y < k && column < n ? b[(i + y) * n + column] : 0.0f;
        __syncthreads();
        for (int j = 0; j < 8; ++j) sum += ta[y][j] * tb[j][x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}
