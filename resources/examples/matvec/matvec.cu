// y = A x, A row-major. A block of 256 threads has one row and adds by a tree in shared memory.
extern "C" __global__ void matvec(int rows, int columns, const float* a, const float* x, float* y) {
    __shared__ float tree[256];

    const float* row = a + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = t; i < columns; i += 256) sum += row[i] * x[i];
    tree[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) tree[t] += tree[t + half];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = tree[0];
}
