// only sm_90a
__global__ void __launch_bounds__(128) product(unsigned long long a, unsigned long long b, float* o) {
    float d[4] = {o[0], o[1], o[2], o[3]}; asm volatile("wgmma.fence.sync.aligned;");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 1; }" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned;"); asm volatile("wgmma.wait_group.sync.aligned 0;"); asm volatile("setmaxnreg.inc.sync.aligned.u32 240;"); o[threadIdx.x] = d[0] + d[3];
}
