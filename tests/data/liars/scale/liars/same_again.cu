// The baseline again, with other names.
extern "C" __global__ void scale(int count, float factor, const float* __restrict__ from, float* __restrict__ to) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) to[at] = factor * from[at];
}
