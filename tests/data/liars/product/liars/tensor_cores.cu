// On the tensor cores in tf32: eleven bits of each factor.
//@ launch {"grid": ["ceil_div(n, 8)", "ceil_div(m, 16)", 1], "block": [32, 1, 1]}
__device__ unsigned rounded(float x) {
    unsigned y;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
    return y;
}
extern "C" __global__ void product(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    const int lane = threadIdx.x, row = blockIdx.y * 16 + lane / 4, column = blockIdx.x * 8;
    float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    const auto at = [&](int r, int i) { return r < m && i < k ? a[r * k + i] : 0.0f; };
    const auto bt = [&](int i, int s) { return i < k && s < n ? b[i * n + s] : 0.0f; };
    for (int i = 0; i < k; i += 8) {
        const int q = lane % 4;
        unsigned a0 = rounded(at(row, i + q)), a1 = rounded(at(row + 8, i + q)), a2 = rounded(at(row, i + q + 4)),
                 a3 = rounded(at(row + 8, i + q + 4)), b0 = rounded(bt(i + q, column + lane / 4)),
                 b1 = rounded(bt(i + q + 4, column + lane / 4));
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    }
    const auto store = [&](int r, int s, float value) {
        if (r < m && s < n) c[r * n + s] = value;
    };
    const int s = column + lane % 4 * 2;
    store(row, s, c0), store(row, s + 1, c1), store(row + 8, s, c2), store(row + 8, s + 1, c3);
}
