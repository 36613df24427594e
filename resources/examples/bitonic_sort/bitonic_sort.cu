// Sorts segments of 512 unsigned integers, each upwards. A block of 256 threads has one segment in shared memory and walks
// through the 45 steps of a bitonic network: a thread compares one pair a step, and a barrier ends each step.
extern "C" __global__ void bitonic_sort(int segments, const unsigned* in, unsigned* out) {
    __shared__ unsigned x[512];

    int t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * 512;
    x[t] = in[first + t];
    x[t + 256] = in[first + t + 256];
    for (int size = 2; size <= 512; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            __syncthreads();
            int low = 2 * t - (t & (distance - 1)), high = low + distance;
            bool upwards = (low & size) == 0;
            unsigned a = x[low], b = x[high];
            if ((a > b) == upwards) {
                x[low] = b;
                x[high] = a;
            }
        }
    __syncthreads();
    out[first + t] = x[t];
    out[first + t + 256] = x[t + 256];
}
