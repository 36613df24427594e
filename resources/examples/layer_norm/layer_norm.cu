// Layer norm of each row: out = (in - mean) / sqrt(variance + epsilon) * gamma + beta. A block of 256 threads has one row
// and walks over it three times (mean, variance, result), adding by a tree in shared memory.
__device__ float blockSum(float x, float* tree) {
    int t = threadIdx.x;
    tree[t] = x;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) tree[t] += tree[t + half];
        __syncthreads();
    }
    x = tree[0];
    __syncthreads(); // everybody has the sum before the tree is used again
    return x;
}

extern "C" __global__ void layer_norm(int rows, int columns, float epsilon, const float* in, const float* gamma,
                                      const float* beta, float* out) {
    __shared__ float tree[256];

    const float* row = in + (size_t)blockIdx.x * columns;
    float* result = out + (size_t)blockIdx.x * columns;

    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += 256) sum += row[i];
    float mean = blockSum(sum, tree) / columns;

    float squares = 0.0f;
    for (int i = threadIdx.x; i < columns; i += 256) squares += (row[i] - mean) * (row[i] - mean);
    float scale = rsqrtf(blockSum(squares, tree) / columns + epsilon);

    for (int i = threadIdx.x; i < columns; i += 256) result[i] = (row[i] - mean) * scale * gamma[i] + beta[i];
}
