// Softmax of each row: out[r][i] = exp(in[r][i] - max of row r) / sum of these. A block of 256 threads has one row and
// walks over it three times; maximum and sum are found by a tree in shared memory.
extern "C" __global__ void softmax(int rows, int columns, const float* in, float* out) {
    __shared__ float tree[256];

    const float* row = in + (size_t)blockIdx.x * columns;
    float* result = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;

    float highest = -INFINITY;
    for (int i = t; i < columns; i += 256) highest = fmaxf(highest, row[i]);
    tree[t] = highest;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) tree[t] = fmaxf(tree[t], tree[t + half]);
        __syncthreads();
    }
    highest = tree[0];
    __syncthreads(); // everybody has read the maximum before the tree is used again

    float sum = 0.0f;
    for (int i = t; i < columns; i += 256) sum += expf(row[i] - highest);
    tree[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) tree[t] += tree[t + half];
        __syncthreads();
    }
    sum = tree[0];

    for (int i = t; i < columns; i += 256) result[i] = expf(row[i] - highest) / sum;
}
