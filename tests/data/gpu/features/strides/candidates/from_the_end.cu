extern "C" __global__ void strides(int height, int width, int pitch, const float* x, float* y) {
    const int column = width - 1 - int(blockIdx.x * 64 + threadIdx.x), row = blockIdx.y;
    if (column >= 0) y[row * pitch + column] = x[row * pitch + column] + 1;
}
