// y = A x for a sparse matrix in CSR: row r has the elements rowStart[r] ... rowStart[r + 1] - 1 of `column` and `value`.
// A warp has a row: neighbouring lanes take neighbouring elements and add up by shuffles.
extern "C" __global__ void spmv_csr(int rows, int columns, int elements, const int* rowStart, const int* column,
                                    const float* value, const float* x, float* y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) return;

    float sum = 0.0f;
    for (int i = rowStart[row] + lane; i < rowStart[row + 1]; i += 32) sum += value[i] * x[column[i]];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) y[row] = sum;
}
