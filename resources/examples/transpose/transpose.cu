// out = in transposed, f16: `in` has `rows` rows of `columns` elements. A block of 32 x 8 threads turns a 32 x 32 tile over
// in shared memory; one column of padding keeps the walk down a column free of bank conflicts.
#include <cuda_fp16.h>

extern "C" __global__ void transpose(int rows, int columns, const __half* in, __half* out) {
    __shared__ __half tile[32][33];

    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < columns && y + k < rows) tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * columns + x];
    __syncthreads();

    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < rows && y + k < columns) out[(size_t)(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
}
