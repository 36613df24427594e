// One step of a five-point stencil: each inner point becomes center * itself + side * the sum of its four neighbours, the
// points of the border stay as they are. One point a thread.
extern "C" __global__ void stencil2d(int width, int height, float center, float side, const float* in, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    size_t i = (size_t)y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        out[i] = in[i];
    else
        out[i] = center * in[i] + side * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
