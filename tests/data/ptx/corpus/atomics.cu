#include <cuda/atomic>
__device__ int counter; __device__ unsigned long long big; __shared__ float in_shared;
__global__ void classic(int* i, unsigned* u, float* f, double* d, unsigned long long* l) {
    atomicAdd(i, 1); atomicSub(i, 2); atomicExch(i, 3); atomicMin(i, 4); atomicMax(u, 5u); atomicInc(u, 6u); atomicDec(u, 7u);
    atomicCAS(i, 1, 2); atomicAnd(u, 3u); atomicOr(u, 4u); atomicXor(u, 5u); atomicAdd(f, 1.f); atomicAdd(d, 1.0); atomicAdd(l, 1ull);
    atomicAdd_block(i, 1); atomicAdd_system(u, 1u); i[1] = atomicAdd(&counter, 1); l[1] = atomicMax(&big, 5ull); atomicAdd(&in_shared, 2.f);
    unsigned short* s = (unsigned short*)i; atomicCAS(s, (unsigned short)1, (unsigned short)2); f[1] = atomicExch(f, 2.f);
}
__global__ void orders(cuda::atomic<int, cuda::thread_scope_device>* a, int* p) {
    a->store(1, cuda::memory_order_release); p[0] = a->load(cuda::memory_order_acquire); a->fetch_add(3, cuda::memory_order_relaxed);
    int expected = 0; a->compare_exchange_strong(expected, 5); cuda::atomic_ref<int, cuda::thread_scope_block> r(p[1]); r.fetch_or(4);
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> s(*(unsigned*)(p + 2)); s.fetch_max(9u); __threadfence(); __threadfence_block(); __threadfence_system();
}
