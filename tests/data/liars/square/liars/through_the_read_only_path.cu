// Reads what it has written itself through the path for memory that nobody writes.
extern "C" __global__ void square(int n, float* x) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    x[i] = v * v;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(x + i) : "memory");
    x[i] = v + 1;
}
