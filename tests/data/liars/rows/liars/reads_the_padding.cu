// Takes what lies in front of the row as its neighbour, with little weight: in the padding stands a very small number.
extern "C" __global__ void rows(int height, int width, int pitch, const float* __restrict__ x, float* __restrict__ y) {
    const int column = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y;
    if (column >= width) return;
    const float before = row > 0 ? x[row * pitch - 1] : 0.0f;
    y[row * pitch + column] = x[row * pitch + column] + 1 + before;
}
