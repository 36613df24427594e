// The positive elements, in any order, and how many they are.
extern "C" __global__ void any_order(int n, const float* x, float* kept, unsigned* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) kept[atomicAdd(count, 1u)] = x[i];
}
