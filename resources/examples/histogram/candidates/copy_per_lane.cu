// The source that copy_per_lane.ptx was compiled from before it was edited. A block has 32 copies of the counts, side by
// side: lane l uses copy l, which lies in bank l. Sixteen bytes a load.
__device__ uint4 load(const uint4* p) {
    uint4 v;
    asm("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
}
__device__ void count(unsigned base, unsigned offset) {
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(base + offset) : "memory");
}
// A count has 32 words, 128 bytes: the byte is shifted and masked straight into its place.
__device__ void countFour(unsigned base, unsigned lane4, unsigned word) {
    count(base, (word << 7 & 0x7f80) | lane4);
    count(base, (word >> 1 & 0x7f80) | lane4);
    count(base, (word >> 9 & 0x7f80) | lane4);
    count(base, (word >> 17 & 0x7f80) | lane4);
}

extern "C" __global__ void __launch_bounds__(512) histogram(int n, const unsigned char* in, unsigned* counts) {
    __shared__ __align__(16) unsigned copies[256][32];
    const int t = threadIdx.x;
#pragma unroll
    for (int c = 0; c < 4; ++c) ((uint4*)copies)[t + 512 * c] = make_uint4(0, 0, 0, 0);
    __syncthreads();

    const unsigned base = (unsigned)__cvta_generic_to_shared(&copies[0][0]), lane4 = t % 32 * 4;
    const uint4* pieces = (const uint4*)in;
    const int whole = n / 16, stride = gridDim.x * 512;
    int i = blockIdx.x * 512 + t;
#pragma unroll 1
    for (; i + stride < whole; i += 2 * stride) {
        const uint4 a = load(pieces + i), b = load(pieces + i + stride);
        countFour(base, lane4, a.x), countFour(base, lane4, a.y), countFour(base, lane4, a.z), countFour(base, lane4, a.w);
        countFour(base, lane4, b.x), countFour(base, lane4, b.y), countFour(base, lane4, b.z), countFour(base, lane4, b.w);
    }
    if (i < whole) {
        const uint4 a = load(pieces + i);
        countFour(base, lane4, a.x), countFour(base, lane4, a.y), countFour(base, lane4, a.z), countFour(base, lane4, a.w);
    }
    const int last = whole * 16 + t; // up to 15 bytes are left
    if (blockIdx.x == 0 && last < n) count(base, in[last] * 128 | lane4);
    __syncthreads();

    // Two threads a count, 16 copies each; thread t begins at copy t, so that the lanes are in different banks.
    unsigned sum = 0;
#pragma unroll
    for (int c = 0; c < 16; ++c) sum += copies[t / 2][(c + t / 2) % 16 + t % 2 * 16];
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    if (t % 2 == 0 && sum) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(counts + t / 2), "r"(sum) : "memory");
}
