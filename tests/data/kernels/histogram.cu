// Histograms of bytes: shared atomics, and one atomic for all equal values of a warp.
extern "C" __global__ void histogram_shared(const unsigned char* in, int n, unsigned* counts) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    if (bins[threadIdx.x]) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

extern "C" __global__ void histogram_match(const unsigned char* in, int n, unsigned* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned active = __ballot_sync(0xffffffffu, i < n);
    if (i >= n) return;
    const unsigned equal = __match_any_sync(active, int(in[i]));
    if (__ffs(equal) - 1 == (threadIdx.x & 31)) atomicAdd(&counts[in[i]], unsigned(__popc(equal)));
}
