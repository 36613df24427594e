// cp.async into shared memory, waited for.
extern "C" __global__ void sums(int n, const float* __restrict__ x, float* __restrict__ out) {
    __shared__ float part[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const unsigned to = unsigned(__cvta_generic_to_shared(&part[threadIdx.x]));
    if (i < n)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + i) : "memory");
    else
        part[threadIdx.x] = 0;
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
