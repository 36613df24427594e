// Inclusive prefix sums of segments of 1024 elements, the first step of a scan over a long array. A block of 1024 threads
// has one segment: in ten steps each element adds the one 1, 2, 4, ... places before it, between two buffers in turn.
extern "C" __global__ void scan(int n, const unsigned* in, unsigned* out) {
    __shared__ unsigned buffers[2][1024];

    int t = threadIdx.x;
    int i = blockIdx.x * 1024 + t;
    int from = 0;
    buffers[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < 1024; distance *= 2) {
        unsigned sum = buffers[from][t];
        if (t >= distance) sum += buffers[from][t - distance];
        from = 1 - from;
        buffers[from][t] = sum;
        __syncthreads();
    }
    if (i < n) out[i] = buffers[from][t];
}
