// sm_90
// Bulk copies with tensor maps: one box a block, as it lies in shared memory; boxes back, and reductions.
#include <cuda.h>
#include <stdint.h>
__device__ uint32_t at(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }

__device__ void begin(uint64_t* bar, int bytes) {
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(bar)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
    }
    __syncthreads();
}
__device__ void finish(uint64_t* bar) {
    asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;\n}" ::"r"(at(bar)) : "memory");
}

// Block i reads at (x, y, ...) + i * (dx, dy, ...).
#define LOAD(NAME, RANK, PLACES, ...)                                                                                     \
    extern "C" __global__ void NAME(const __grid_constant__ CUtensorMap map, uint4* out, int bytes, int x, int y, int dx, \
                                    int dy) {                                                                              \
        __shared__ __align__(1024) uint4 tile[1024];                                                                       \
        __shared__ uint64_t bar;                                                                                           \
        const int i = blockIdx.x;                                                                                          \
        begin(&bar, bytes);                                                                                                \
        if (threadIdx.x == 0)                                                                                              \
            asm volatile("cp.async.bulk.tensor." RANK ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "  \
                         "[%1, " PLACES "], [%2];" ::"r"(at(tile)),                                                        \
                         "l"(&map), "r"(at(&bar)), __VA_ARGS__                                                             \
                         : "memory");                                                                                      \
        finish(&bar);                                                                                                      \
        for (int k = threadIdx.x; k < bytes / 16; k += blockDim.x) out[i * (bytes / 16) + k] = tile[k];                    \
    }
LOAD(tensor_load_1d, "1d", "{%3}", "r"(x + i * dx))
LOAD(tensor_load_2d, "2d", "{%3, %4}", "r"(x + i * dx), "r"(y + i * dy))
LOAD(tensor_load_3d, "3d", "{%3, %4, %5}", "r"(x + i * dx), "r"(y + i * dy), "r"(i % 3 - 1))
LOAD(tensor_load_4d, "4d", "{%3, %4, %5, %6}", "r"(x + i * dx), "r"(y + i * dy), "r"(i % 3 - 1), "r"(1 - i))
LOAD(tensor_load_5d, "5d", "{%3, %4, %5, %6, %7}", "r"(x + i * dx), "r"(y + i * dy), "r"(i % 3 - 1), "r"(1 - i), "r"(i / 2))

#define STORE(NAME, FORM, PLACES, ...)                                                                                    \
    extern "C" __global__ void NAME(const __grid_constant__ CUtensorMap map, const uint4* in, int bytes, int x, int y,    \
                                    int dx, int dy) {                                                                      \
        __shared__ __align__(1024) uint4 tile[1024];                                                                       \
        const int i = blockIdx.x;                                                                                          \
        for (int k = threadIdx.x; k < bytes / 16; k += blockDim.x) tile[k] = in[i * (bytes / 16) + k];                     \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                      \
        __syncthreads();                                                                                                   \
        if (threadIdx.x == 0) {                                                                                            \
            asm volatile(FORM ".global.shared::cta" PLACES ::"l"(&map), "r"(at(tile)), __VA_ARGS__ : "memory");            \
            asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");                        \
        }                                                                                                                  \
    }
STORE(tensor_store_2d, "cp.async.bulk.tensor.2d", ".tile.bulk_group [%0, {%2, %3}], [%1];", "r"(x + i * dx), "r"(y + i * dy))
STORE(tensor_store_3d, "cp.async.bulk.tensor.3d", ".tile.bulk_group [%0, {%2, %3, %4}], [%1];", "r"(x + i * dx), "r"(y + i * dy), "r"(i % 3))
STORE(tensor_add, "cp.reduce.async.bulk.tensor.2d", ".add.tile.bulk_group [%0, {%2, %3}], [%1];", "r"(x + i * dx), "r"(y + i * dy))
STORE(tensor_max, "cp.reduce.async.bulk.tensor.2d", ".max.tile.bulk_group [%0, {%2, %3}], [%1];", "r"(x + i * dx), "r"(y + i * dy))
STORE(tensor_xor, "cp.reduce.async.bulk.tensor.2d", ".xor.tile.bulk_group [%0, {%2, %3}], [%1];", "r"(x + i * dx), "r"(y + i * dy))
STORE(tensor_inc, "cp.reduce.async.bulk.tensor.2d", ".inc.tile.bulk_group [%0, {%2, %3}], [%1];", "r"(x + i * dx), "r"(y + i * dy))
