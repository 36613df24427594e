// C = A * B in f32, row-major: A is m x k, B is k x n. One element of C a thread, straight from global memory.
extern "C" __global__ void sgemm_naive(int m, int n, int k, const float* a, const float* b, float* c) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n) return;

    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += a[(size_t)row * k + p] * b[(size_t)p * n + column];
    c[(size_t)row * n + column] = sum;
}
