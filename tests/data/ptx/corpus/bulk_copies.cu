// at least sm_90
#include <cuda/barrier>
#include <cuda/ptx>
#include <cstdint>
#include <cuda.h>
#include <cooperative_groups.h>
namespace ptx = cuda::ptx;
__global__ void tensor(const __grid_constant__ CUtensorMap map, float* o) {
    __shared__ alignas(128) float tile[32][32]; __shared__ alignas(8) std::uint64_t bar;
    if (threadIdx.x == 0) { ptx::mbarrier_init(&bar, 1); ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster); ptx::fence_proxy_async(ptx::space_shared); } __syncthreads();
    if (threadIdx.x == 0) { const int at[2] = {0, 0}; ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &tile, &map, at, &bar); ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof(tile)); }
    while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {} tile[threadIdx.x][0] += 1; ptx::fence_proxy_async(ptx::space_shared); __syncthreads();
    if (threadIdx.x == 0) { const int at[2] = {0, 0}; ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, at, &tile); ptx::cp_async_bulk_commit_group(); ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>()); } o[0] = tile[1][1];
}
__global__ void bulk(const float* in, float* out) {
    __shared__ alignas(128) float data[256]; __shared__ alignas(8) std::uint64_t bar; if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 1); __syncthreads();
    if (threadIdx.x == 0) { ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, data, in, 1024, &bar); ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 1024); } while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {}
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, data, 1024); ptx::cp_async_bulk_commit_group(); ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
__global__ void __cluster_dims__(2, 1, 1) cluster(int* o) { auto c = cooperative_groups::this_cluster(); __shared__ int s; s = threadIdx.x; c.sync(); int* other = c.map_shared_rank(&s, c.block_rank() ^ 1); o[0] = *other + c.num_blocks(); ptx::barrier_cluster_arrive(); ptx::barrier_cluster_wait(); atomicAdd(other, 3); cudaGridDependencySynchronize(); cudaTriggerProgrammaticLaunchCompletion(); }
