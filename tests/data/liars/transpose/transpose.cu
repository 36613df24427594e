// y[c][r] = x[r][c]
extern "C" __global__ void transpose(int h, int w, const float* __restrict__ x, float* __restrict__ y) {
    const int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (r < h && c < w) y[c * h + r] = x[r * w + c];
}
