// One index over all elements, taken apart again.
//@ launch {"grid": ["ceil_div(h * w, 128)", 1, 1], "block": [128, 1, 1]}
extern "C" __global__ void rows(int height, int width, int pitch, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < height * width) y[i / width * pitch + i % width] = x[i / width * pitch + i % width] + 1;
}
