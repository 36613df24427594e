#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void tiles(int* o, const int* i) {
    auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<32>(block); auto eight = cg::tiled_partition<8>(tile);
    o[0] = cg::reduce(tile, i[tile.thread_rank()], cg::plus<int>()); o[1] = cg::inclusive_scan(eight, i[0]); o[2] = eight.shfl(i[1], 3) + eight.any(i[2]);
    auto active = cg::coalesced_threads(); o[3] = active.size() + active.thread_rank(); auto part = cg::labeled_partition(tile, i[3]); o[4] = part.meta_group_rank(); block.sync();
    __shared__ int buffer[256]; cg::memcpy_async(block, buffer, i, sizeof(int) * 256); cg::wait(block); o[5] = buffer[255 - threadIdx.x];
}
__global__ void grid(int* o) { auto g = cg::this_grid(); o[g.thread_rank()] = 1; g.sync(); o[0] = o[g.size() - 1]; }
