// C = A * B, row-major: A is m x k, B is k x n, C is m x n, and none of them needs to be a multiple of the tile.
// A block computes one 16 x 16 tile of C. It walks along k in steps of 16: each step copies one tile of A and one of B
// into shared memory (zeros where they stick out), then every thread adds 16 products.
extern "C" __global__ void sgemm_tiled(int m, int n, int k, const float* a, const float* b, float* c) {
    __shared__ float tileA[16][16];
    __shared__ float tileB[16][16];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int column = blockIdx.x * 16 + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < k; k0 += 16) {
        int aColumn = k0 + tx;
        int bRow = k0 + ty;
        tileA[ty][tx] = row < m && aColumn < k ? a[(size_t)row * k + aColumn] : 0.0f;
        tileB[ty][tx] = bRow < k && column < n ? b[(size_t)bRow * n + column] : 0.0f;
        __syncthreads(); // the tiles are complete

        for (int i = 0; i < 16; ++i) sum += tileA[ty][i] * tileB[i][tx];
        __syncthreads(); // nobody reads the tiles any more, the next step may overwrite them
    }

    if (row < m && column < n) c[(size_t)row * n + column] = sum;
}
