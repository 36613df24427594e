// sm_90
// Clusters: registers, shared memory of other blocks, remote atomics and mbarriers, copies from block to block.
#include <stdint.h>
__device__ uint32_t at(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ uint32_t in(uint32_t address, uint32_t rank) {
    uint32_t r;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(address), "r"(rank));
    return r;
}
#define READ(NAME, REGISTER)                                       \
    __device__ uint32_t NAME() {                                   \
        uint32_t r;                                                \
        asm volatile("mov.u32 %0, %%" REGISTER ";" : "=r"(r));     \
        return r;                                                  \
    }
READ(rankInCluster, "cluster_ctarank")
READ(blocksInCluster, "cluster_nctarank")
READ(blockX, "cluster_ctaid.x")
READ(blockY, "cluster_ctaid.y")
READ(blockZ, "cluster_ctaid.z")
READ(blocksX, "cluster_nctaid.x")
READ(blocksY, "cluster_nctaid.y")
READ(blocksZ, "cluster_nctaid.z")
READ(clusterX, "clusterid.x")
READ(clusterY, "clusterid.y")
READ(clusterZ, "clusterid.z")
READ(clustersX, "nclusterid.x")
READ(clustersY, "nclusterid.y")
READ(clustersZ, "nclusterid.z")
__device__ void meet() { asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory"); }

extern "C" __global__ void cluster_registers(uint32_t* out) {
    __shared__ uint32_t word;
    const uint32_t block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) word = block * 10;
    meet();
    if (threadIdx.x == 0) {
        uint32_t* o = out + block * 24;
        const uint32_t next = (rankInCluster() + 1) % blocksInCluster(), remote = in(at(&word), next);
        const uint32_t values[] = {rankInCluster(), blocksInCluster(), blockX(), blockY(), blockZ(), blocksX(), blocksY(), blocksZ(),
                                   clusterX(), clusterY(), clusterZ(), clustersX(), clustersY(), clustersZ()};
        for (int i = 0; i < 14; ++i) o[i] = values[i];
        uint32_t owner, seen, explicitly, isHere, isThere;
        asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(remote));
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(seen) : "r"(remote));
        asm volatile("{\n.reg .pred p;\nmov.pred p, %%is_explicit_cluster;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(explicitly));
        uint64_t far;
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(far) : "l"(&word), "r"(next));
        asm volatile("{\n.reg .pred p;\nisspacep.shared::cta p, %1;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(isHere) : "l"(far));
        asm volatile("{\n.reg .pred p;\nisspacep.shared::cluster p, %1;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(isThere) : "l"(far));
        uint32_t ownerOfFar, seenFar;
        asm volatile("getctarank.u64 %0, %1;" : "=r"(ownerOfFar) : "l"(far));
        asm volatile("ld.u32 %0, [%1];" : "=r"(seenFar) : "l"(far));
        o[14] = owner;
        o[15] = seen;
        o[16] = explicitly;
        o[17] = isHere + (next == rankInCluster() ? 100 : 0);
        o[18] = isThere;
        o[19] = ownerOfFar;
        o[20] = seenFar;
        o[21] = o[22] = o[23] = 7;
    }
    meet();
}

// The sum of a slice of each block, added up by the first block from the others' shared memory, in the order of ranks.
extern "C" __global__ void cluster_sum(const float* x, float* sums, int n) {
    __shared__ float part[8], mine;
    const uint32_t rank = rankInCluster(), size = blocksInCluster();
    float v = 0;
    const int start = blockIdx.x / size * n;
    for (int i = rank * blockDim.x + threadIdx.x; i < n; i += size * blockDim.x) v += x[start + i];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        v = part[0];
        for (int i = 1; i < blockDim.x / 32; ++i) v += part[i];
        mine = v;
    }
    meet();
    if (rank == 0 && threadIdx.x == 0) {
        float total = mine;
        for (uint32_t r = 1; r < size; ++r) {
            float other;
            asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(other) : "r"(in(at(&mine), r)));
            total += other;
        }
        sums[blockIdx.x / size] = total;
    }
    meet();
}

// Bins spread over the blocks of a cluster: remote atomics, and the generic address of another block's memory.
extern "C" __global__ void cluster_histogram(const uint32_t* x, uint32_t* bins, int n) {
    __shared__ uint32_t mine[32], last;
    const uint32_t rank = rankInCluster(), size = blocksInCluster();
    if (threadIdx.x < 32) mine[threadIdx.x] = 0;
    if (threadIdx.x == 0) last = 0;
    meet();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const uint32_t bin = x[i] % (32 * size);
        asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(in(at(&mine[bin % 32]), bin / 32)) : "memory");
        uint64_t far;
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(far) : "l"(&last), "r"(bin / 32));
        atomicMax(reinterpret_cast<uint32_t*>(far), x[i]);
    }
    meet();
    if (threadIdx.x < 32) atomicAdd(&bins[rank * 32 + threadIdx.x], mine[threadIdx.x]);
    if (threadIdx.x == 0) atomicMax(&bins[32 * size + rank], last);
}

__device__ void waitFor(uint64_t* bar, uint32_t parity) {
    asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(at(bar)), "r"(parity) : "memory");
}

// Each block hands its tile to the next one, round after round; the owner arrives remotely when it has read what it got.
extern "C" __global__ void cluster_ring(const uint32_t* x, uint32_t* out, int rounds) {
    __shared__ __align__(128) uint32_t tile[2][256], sums[256];
    __shared__ uint64_t came, taken, added;
    const uint32_t rank = rankInCluster(), size = blocksInCluster(), next = (rank + 1) % size, before = (rank + size - 1) % size;
    const int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nmbarrier.init.shared::cta.b64 [%1], 256;\nmbarrier.init.shared::cta.b64 [%2], 1;" ::"r"(at(&came)), "r"(at(&taken)), "r"(at(&added)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 2048;" ::"r"(at(&added)) : "memory");
    }
    tile[0][t] = x[blockIdx.x * 256 + t];
    sums[t] = 1000 * t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    meet();
    // Both neighbours add their first tile to the sums here.
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], 1024, [%2];" ::"r"(in(at(sums), next)), "r"(at(tile[0])), "r"(in(at(&added), next)) : "memory");
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], 1024, [%2];" ::"r"(in(at(sums), before)), "r"(at(tile[0])), "r"(in(at(&added), before)) : "memory");
    }
    waitFor(&added, 0);
    for (int round = 0; round < rounds; ++round) {
        if (t == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(at(&came)) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(in(at(tile[(round + 1) % 2]), next)), "r"(at(tile[round % 2])), "r"(in(at(&came), next)) : "memory");
        }
        waitFor(&came, round % 2);
        const uint32_t v = 3 * tile[(round + 1) % 2][t] + rank;
        tile[(round + 1) % 2][t] = v;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        // Tells the one before that its tile has come; then nobody reads or writes any.
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(in(at(&taken), before)) : "memory");
        out[(blockIdx.x * rounds + round) * 256 + t] = v + sums[t];
        waitFor(&taken, round % 2);
        meet();
    }
    meet();
}

// Single stores and additions that tell an mbarrier of another block.
extern "C" __global__ void cluster_stores(const uint32_t* x, uint32_t* out) {
    __shared__ __align__(16) uint32_t got[128], count;
    __shared__ uint64_t came, counted;
    const uint32_t rank = rankInCluster(), size = blocksInCluster(), next = (rank + 1) % size;
    const int t = threadIdx.x;
    if (t == 0) {
        count = 5;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nmbarrier.init.shared::cta.b64 [%1], 1;" ::"r"(at(&came)), "r"(at(&counted)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%1], 128;" ::"r"(at(&came)), "r"(at(&counted)) : "memory");
    }
    meet();
    if (t < 32) {
        const uint32_t* v = x + blockIdx.x * 128 + 4 * t;
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1,%2,%3,%4}, [%5];" ::"r"(in(at(&got[4 * t]), next)), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(in(at(&came), next)) : "memory");
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(in(at(&count), next)), "r"(t + rank), "r"(in(at(&counted), next)) : "memory");
    }
    waitFor(&came, 0);
    waitFor(&counted, 0);
    out[blockIdx.x * 128 + t] = got[t] + count;
    meet();
}

// What stands beside clusters in kernels for this machine.
extern "C" __global__ void beside(uint32_t* out) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    if (threadIdx.x % 32 < 4) {
        out[threadIdx.x] = 77;
        return;
    }
    uint32_t leader, isLeader;
    asm volatile("{\n.reg .pred p;\nelect.sync %0|p, 0xfffffff0;\nselp.u32 %1, 1, 0, p;\n}" : "=r"(leader), "=r"(isLeader));
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    out[threadIdx.x] = leader * 2 + isLeader;
}
