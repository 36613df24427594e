// The source that warp_steps.ptx was compiled from before it was edited. The baseline with barriers only where the pairs of
// a step reach beyond what a warp has had itself.
extern "C" __global__ void __launch_bounds__(256) bitonic_sort(int segments, const unsigned* in, unsigned* out) {
    __shared__ __align__(8) unsigned x[512];
    const int t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * 512;
    // Thread t loads the elements 2t and 2t + 1: warp w has 64w to 64w + 63, in all steps of a distance up to 32.
    *(uint2*)&x[2 * t] = *(const uint2*)(in + first + 2 * t);
#pragma unroll
    for (int size = 2; size <= 512; size *= 2)
#pragma unroll
        for (int distance = size / 2; distance > 0; distance /= 2) {
            // Before a step of the whole block, and once after it; else the warp's own is enough.
            if (distance >= 64 || (distance == 32 && size >= 128)) __syncthreads();
            else __syncwarp();
            const int low = 2 * t - (t & (distance - 1)), high = low + distance;
            const unsigned a = x[low], b = x[high];
            const unsigned small = min(a, b), large = max(a, b);
            const bool upwards = (low & size) == 0;
            x[low] = upwards ? small : large;
            x[high] = upwards ? large : small;
        }
    __syncwarp();
    *(uint2*)(out + first + 2 * t) = *(const uint2*)&x[2 * t];
}
