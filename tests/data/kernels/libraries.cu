// Kernels on the headers that come with the toolkit: CUB, cooperative groups, cuda::barrier and pipeline, cuda::atomic_ref.
// Calls through tables and virtual functions, 128-bit integers.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

extern "C" __global__ void cub_reduce(int n, const int* in, int* out) {
    using Reduce = cub::BlockReduce<int, 256>;
    __shared__ typename Reduce::TempStorage storage;
    const int i = blockIdx.x * 256 + threadIdx.x;
    const int sum = Reduce(storage).Sum(i < n ? in[i] : 0);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void cub_scan(int n, const unsigned* in, unsigned* out) {
    using Scan = cub::BlockScan<unsigned, 128>;
    using Load = cub::BlockLoad<unsigned, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<unsigned, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union {
        typename Scan::TempStorage scan;
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } storage;
    unsigned values[4];
    const int base = blockIdx.x * 512, valid = min(512, n - base);
    Load(storage.load).Load(in + base, values, valid, 0u);
    __syncthreads();
    Scan(storage.scan).ExclusiveSum(values, values);
    __syncthreads();
    Store(storage.store).Store(out + base, values, valid);
}

extern "C" __global__ void cub_sort(int n, const unsigned* in, unsigned* out) {
    using Sort = cub::BlockRadixSort<unsigned, 128, 4>;
    __shared__ typename Sort::TempStorage storage;
    unsigned keys[4];
    const int base = blockIdx.x * 512;
    for (int k = 0; k < 4; ++k) {
        const int i = base + threadIdx.x * 4 + k;
        keys[k] = i < n ? in[i] : 0xFFFFFFFFu;
    }
    Sort(storage).SortBlockedToStriped(keys);
    for (int k = 0; k < 4; ++k) {
        const int i = base + k * 128 + threadIdx.x;
        if (i < n) out[i] = keys[k];
    }
}

extern "C" __global__ void group_reduce(int n, const float* in, float* out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float sum = cg::reduce(tile, i < n ? in[i] : 0.0f, cg::plus<float>());
    if (tile.thread_rank() == 0) out[blockIdx.x * 8 + threadIdx.x / 16] = sum;
}

extern "C" __global__ void group_coalesced(int n, const int* in, int* count) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n || in[i] % 3 != 0) return;
    const auto group = cg::coalesced_threads();
    if (group.thread_rank() == 0) atomicAdd(count, static_cast<int>(group.size()));
    const auto alike = cg::labeled_partition(group, in[i] & 1);
    if (alike.thread_rank() == 0) atomicAdd(count + 1 + (in[i] & 1), static_cast<int>(alike.size()));
}

extern "C" __global__ void library_barrier(int n, const float* in, float* out) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ Barrier barrier;
    __shared__ float tile[128];
    const auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, 128);
    block.sync();
    const int i = blockIdx.x * 128 + threadIdx.x;
    for (int round = 0; round < 3; ++round) {
        tile[threadIdx.x] = (i < n ? in[i] : 0.0f) + static_cast<float>(round);
        barrier.arrive_and_wait();
        const float other = tile[127 - threadIdx.x];
        auto token = barrier.arrive();
        barrier.wait(std::move(token));
        if (i < n && round == 2) out[i] = other;
    }
}

extern "C" __global__ void library_copy(int n, const float* in, float* out) {
    __shared__ float tile[256];
    const auto block = cg::this_thread_block();
    const int base = blockIdx.x * 256, valid = min(256, n - base);
    cg::memcpy_async(block, tile, in + base, sizeof(float) * valid);
    cg::wait(block);
    for (int k = threadIdx.x; k < valid; k += 64) out[base + k] = tile[valid - 1 - k];
}

extern "C" __global__ void library_pipeline(int n, const int* in, int* out) {
    __shared__ int tiles[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    const int count = n / 128;
    int sum = 0;
    for (int compute = 0, fetch = 0; compute < count; ++compute) {
        for (; fetch < count && fetch < compute + 2; ++fetch) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, tiles[fetch % 2], in + fetch * 128, sizeof(int) * 128, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += tiles[compute % 2][(threadIdx.x + compute) % 128];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void library_atomics(int n, const int* in, int* greatest, unsigned long long* sum, float* most) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    cuda::atomic_ref<int, cuda::thread_scope_device>(*greatest).fetch_max(in[i], cuda::memory_order_relaxed);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(*sum).fetch_add(
        static_cast<unsigned>(in[i]), cuda::memory_order_acq_rel);
    cuda::atomic_ref<float, cuda::thread_scope_device> shared(*most);
    const float value = static_cast<float>(in[i] & 1023);
    float old = shared.load();
    while (old < value && !shared.compare_exchange_weak(old, value)) {
    }
}

struct Step {
    __device__ virtual float of(float x) const = 0;
};
struct Square : Step {
    __device__ float of(float x) const override { return x * x; }
};
struct Negative : Step {
    __device__ float of(float x) const override { return -x; }
};
__device__ __noinline__ float up(float x) { return x + 1.0f; }
__device__ __noinline__ float down(float x) { return x - 1.0f; }

extern "C" __global__ void virtual_calls(int n, const float* in, float* out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    const Square square;
    const Negative negative;
    const Step* step = in[i] > 0 ? static_cast<const Step*>(&square) : &negative;
    float (*const table[2])(float) = {up, down};
    out[i] = table[i & 1](step->of(in[i]));
}

extern "C" __global__ void division_128(int n, const unsigned long long* a, const unsigned long long* b,
                                        unsigned long long* quotient, unsigned long long* remainder) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    const unsigned __int128 x = static_cast<unsigned __int128>(a[i]) << 40 | b[i];
    const unsigned __int128 d = (static_cast<unsigned __int128>(b[i] & 0xFFFF) << 60) | (a[i] >> 20) | 1;
    quotient[i] = static_cast<unsigned long long>(x / ((b[i] >> 20) | 1));
    remainder[i] = static_cast<unsigned long long>(x % d);
}
