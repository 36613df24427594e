// Stores nothing: the output still holds what was there before.
extern "C" __global__ void scale(int n, float a, const float* x, float* y) {
}
