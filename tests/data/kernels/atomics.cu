// Atomics whose result does not depend on the order: all operations, types and spaces; a hash table; a union of sets.
#include <cuda_fp16.h>

extern "C" __global__ void atomic_operations(const int* in, int* i32, unsigned* u32, unsigned long long* u64, float* f32, double* f64) {
    const int v = in[blockIdx.x * blockDim.x + threadIdx.x], t = threadIdx.x;
    atomicAdd(&i32[0], v), atomicSub(&i32[1], v), atomicMin(&i32[2], v), atomicMax(&i32[3], v);
    atomicAnd(&u32[0], ~(1u << (v & 31))), atomicOr(&u32[1], 1u << (t & 15)), atomicXor(&u32[2], unsigned(v) * 2654435761u);
    atomicMin(&u32[3], unsigned(v) + 100), atomicMax(&u32[4], unsigned(v) + 100);
    atomicInc(&u32[5], 10), atomicDec(&u32[6], 6);
    atomicAdd(&u64[0], (unsigned long long)v), atomicMax(&u64[1], (unsigned long long)v << 33 >> 7), atomicXor(&u64[2], 1ull << (v & 63));
    atomicMin((long long*)&u64[3], (long long)v << 32), atomicOr(&u64[4], 1ull << t % 64), atomicAnd(&u64[5], ~(1ull << t % 8));
    atomicAdd(&f32[0], float(v)), atomicAdd(&f64[0], v * 0.5);
    const int old = atomicExch(&i32[4 + t % 2], 5); // 0 once, then 5
    if (old != 0 && old != 5) atomicAdd(&i32[6], 1);
    int seen = i32[7], expected;
    do {
        expected = seen;
        seen = atomicCAS(&i32[7], expected, expected + (v & 7));
    } while (seen != expected);
}

extern "C" __global__ void atomic_shared(const int* in, unsigned long long* out) {
    __shared__ int sum, low;
    __shared__ unsigned set, ticket;
    __shared__ unsigned long long wide, key;
    __shared__ float real;
    if (threadIdx.x == 0) sum = 0, low = 1 << 30, set = 0, ticket = 0, wide = 0, key = ~0ull, real = 0;
    __syncthreads();
    const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd_block(&sum, v), atomicMin(&low, v), atomicOr(&set, 1u << (v & 31)), atomicInc(&ticket, 1000);
    atomicAdd(&wide, (unsigned long long)v * v), atomicAdd(&real, v * 0.25f);
    // The smallest value and where it stands.
    atomicMin(&key, (unsigned long long)(v + 1000) << 32 | threadIdx.x);
    __syncthreads();
    const unsigned long long results[7] = {(unsigned long long)sum, (unsigned long long)low, set, ticket, wide, key, (unsigned long long)__float_as_uint(real)};
    if (threadIdx.x < 7) {
        unsigned long long mine = 0;
#pragma unroll
        for (int k = 0; k < 7; ++k)
            if (threadIdx.x == k) mine = results[k];
        out[blockIdx.x * 7 + threadIdx.x] = mine;
    }
}

// Small whole numbers, so that every order of f16 additions is exact.
extern "C" __global__ void atomic_half(half2* pairs, half* single) {
    atomicAdd(&pairs[threadIdx.x % 3], __floats2half2_rn(1.0f, float(threadIdx.x % 4)));
    atomicAdd(single, __float2half(2.0f));
}

// Open addressing; afterwards every key is looked up.
extern "C" __global__ void hash_table(const int* keys, unsigned* slots, unsigned* counts, unsigned* found, int n) {
    const unsigned mask = 511;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const unsigned key = unsigned(keys[i]) + 1;
        for (unsigned at = key * 2654435761u >> 23;; at = (at + 1) & mask) {
            const unsigned old = atomicCAS(&slots[at], 0u, key);
            if (old != 0 && old != key) continue;
            atomicAdd(&counts[at], 1u);
            break;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const unsigned key = unsigned(keys[i]) + 1;
        unsigned at = key * 2654435761u >> 23;
        while (slots[at] != key) at = (at + 1) & mask;
        found[i] = counts[at];
    }
}

// Connected components: parents by compare and swap, then every node points to the smallest of its set.
extern "C" __global__ void components(const unsigned char* from, const unsigned char* to, int edges, int* parent) {
    const auto root = [&](int v) {
        for (int p; (p = *(volatile int*)(parent + v)) != v;) v = p;
        return v;
    };
    for (int e = threadIdx.x; e < edges; e += blockDim.x) {
        int a = root(from[e]), b = root(to[e]);
        while (a != b) {
            const int high = max(a, b), low = min(a, b);
            if (atomicCAS(&parent[high], high, low) == high) break;
            a = root(high), b = root(low);
        }
    }
    __syncthreads();
    const int mine = root(threadIdx.x);
    __syncthreads();
    parent[threadIdx.x] = mine;
}
