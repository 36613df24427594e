// The eight largest of the 256 elements of each row, largest first, with their columns; of equal elements the one with the
// lower column comes first. A block has one row: eight times it finds the largest element by a tree in shared memory and
// takes it out.
extern "C" __global__ void topk(int rows, const float* in, float* values, int* columns) {
    __shared__ float treeValue[256];
    __shared__ int treeColumn[256];

    int t = threadIdx.x;
    float mine = in[(size_t)blockIdx.x * 256 + t];
    for (int k = 0; k < 8; ++k) {
        treeValue[t] = mine;
        treeColumn[t] = t;
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
            if (t < half) {
                float a = treeValue[t], b = treeValue[t + half];
                int ca = treeColumn[t], cb = treeColumn[t + half];
                if (b > a || (b == a && cb < ca)) {
                    treeValue[t] = b;
                    treeColumn[t] = cb;
                }
            }
            __syncthreads();
        }
        int winner = treeColumn[0];
        if (t == 0) {
            values[(size_t)blockIdx.x * 8 + k] = treeValue[0];
            columns[(size_t)blockIdx.x * 8 + k] = winner;
        }
        if (t == winner) mine = -INFINITY;
        __syncthreads(); // everybody knows the winner before the tree is used again
    }
}
