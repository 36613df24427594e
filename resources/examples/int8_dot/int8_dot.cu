// C = A * B^T in int8 with 32-bit sums: c[i][j] is the dot product of row i of A (m x k) and row j of B (n x k). k is a
// multiple of 4, so that a word holds four elements of a row. A block has a 16 x 16 tile of C and walks along k in steps of
// 64 elements through shared memory; __dp4a multiplies and adds four pairs at a time.
extern "C" __global__ void int8_dot(int m, int n, int k, const int* a, const int* b, int* c) {
    __shared__ int tileA[16][17], tileB[16][17]; // words of four elements

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    int words = k / 4;

    int sum = 0;
    for (int w0 = 0; w0 < words; w0 += 16) {
        int bRow = blockIdx.x * 16 + ty;
        bool there = w0 + tx < words;
        tileA[ty][tx] = row < m && there ? a[(size_t)row * words + w0 + tx] : 0;
        tileB[ty][tx] = bRow < n && there ? b[(size_t)bRow * words + w0 + tx] : 0;
        __syncthreads(); // the tiles are complete

        for (int w = 0; w < 16; ++w) sum = __dp4a(tileA[ty][w], tileB[tx][w], sum);
        __syncthreads(); // nobody reads the tiles any more
    }
    if (row < m && column < n) c[(size_t)row * n + column] = sum;
}
