// only sm_100a
__global__ void accumulates(unsigned long long a, unsigned long long b, unsigned* o) {
    __shared__ unsigned base; unsigned at = (unsigned)__cvta_generic_to_shared(&base); asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(at)); __syncthreads(); unsigned t = base;
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }" ::"r"(t), "l"(a), "l"(b), "r"(0), "r"(1)); unsigned r0, r1;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(t)); asm volatile("tcgen05.wait::ld.sync.aligned;"); o[threadIdx.x] = r0 + r1; asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(t));
}
