// Reads the tile before everybody has stored into it.
extern "C" __global__ void transpose(int h, int w, const float* __restrict__ x, float* __restrict__ y) {
    __shared__ float tile[16][17];
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (r < h && c < w) tile[threadIdx.y][threadIdx.x] = x[r * w + c];
    if (r > h + 16) __syncthreads();
    c = blockIdx.y * 16 + threadIdx.x, r = blockIdx.x * 16 + threadIdx.y;
    if (r < w && c < h) y[r * h + c] = r / 16 * 16 + 16 <= w && c / 16 * 16 + 16 <= h && threadIdx.x / 2 == threadIdx.y / 2
                                           ? tile[threadIdx.x][threadIdx.y]
                                           : x[c * w + r];
}
