// Through a tile with a column to spare.
extern "C" __global__ void transpose(int h, int w, const float* __restrict__ x, float* __restrict__ y) {
    __shared__ float tile[16][17];
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (r < h && c < w) tile[threadIdx.y][threadIdx.x] = x[r * w + c];
    __syncthreads();
    c = blockIdx.y * 16 + threadIdx.x, r = blockIdx.x * 16 + threadIdx.y;
    if (r < w && c < h) y[r * h + c] = tile[threadIdx.x][threadIdx.y];
}
