// Kernels whose blocks are on the device at once: one meets at a grid barrier, one reads its neighbour's shared memory.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// y[i] = x[i] + the sum of all x, in one launch: each block's part, then all parts.
extern "C" __global__ void add_total(int n, const float* __restrict__ x, float* __restrict__ part,
                                     float* __restrict__ y) {
    __shared__ float warps[8];
    const int thread = threadIdx.x, stride = gridDim.x * blockDim.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + thread; i < n; i += stride) sum += x[i];
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (thread % 32 == 0) warps[thread / 32] = sum;
    __syncthreads();
    if (thread == 0) {
        float all = 0;
        for (float w : warps) all += w;
        part[blockIdx.x] = all;
    }
    cg::this_grid().sync();
    float total = 0;
    for (int b = 0; b < int(gridDim.x); ++b) total += part[b];
    for (int i = blockIdx.x * blockDim.x + thread; i < n; i += stride) y[i] = x[i] + total;
}

// y[i] = x[i] + the element of the cluster's next block.
extern "C" __global__ void neighbour(int n, const int* __restrict__ x, int* __restrict__ y) {
    __shared__ int own[64];
    const auto cluster = cg::this_cluster();
    const int i = blockIdx.x * 64 + threadIdx.x;
    own[threadIdx.x] = i < n ? x[i] : 0;
    cluster.sync();
    const int* next = cluster.map_shared_rank(own, (cluster.block_rank() + 1) % cluster.num_blocks());
    if (i < n) y[i] = own[threadIdx.x] + next[threadIdx.x];
    cluster.sync();
}
