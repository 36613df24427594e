// A warp for each 64 elements, two a lane.
//@ launch {"grid": ["ceil_div(n, 64)", 1, 1], "block": [32, 1, 1]}
extern "C" __global__ void extremes(int n, const float* __restrict__ x, float* __restrict__ least, float* __restrict__ most, int* __restrict__ place) {
    const int b = blockIdx.x, first = 64 * b + threadIdx.x, second = first + 32;
    float low = first < n ? x[first] : __int_as_float(0x7F800000), high = first < n ? x[first] : -low;
    int at = first;
    if (second < n) {
        low = fminf(low, x[second]);
        if (x[second] > high) high = x[second], at = second;
    }
    for (int step = 16; step > 0; step /= 2) {
        low = fminf(low, __shfl_xor_sync(0xFFFFFFFFu, low, step));
        const float other = __shfl_xor_sync(0xFFFFFFFFu, high, step);
        const int otherAt = __shfl_xor_sync(0xFFFFFFFFu, at, step);
        if (other > high || (other == high && otherAt < at)) high = other, at = otherAt;
    }
    if (threadIdx.x == 0) least[b] = low, most[b] = high, place[b] = at;
}
