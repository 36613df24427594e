// The source that registers.ptx was compiled from before it was edited. A warp has a segment, 16 neighbours a lane in
// registers: distances below 16 stay inside of a lane, the others are shuffles.
extern "C" __global__ void __launch_bounds__(128) bitonic_sort(int segments, const unsigned* in, unsigned* out) {
    __shared__ __align__(16) unsigned rows[4][32][20]; // to give each lane's 16 back in one piece
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int segment = blockIdx.x * 4 + warp;
    if (segment >= segments) return;
    const uint4* from = (const uint4*)(in + (size_t)segment * 512);

    // Which element starts in which lane does not matter: the network sorts them all.
    unsigned x[16];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        uint4 v;
        asm("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from + lane + 32 * k));
        x[4 * k] = v.x, x[4 * k + 1] = v.y, x[4 * k + 2] = v.z, x[4 * k + 3] = v.w;
    }

    // Inside of a lane: each pair's direction is known here and now.
#pragma unroll
    for (int size = 2; size <= 8; size *= 2)
#pragma unroll
        for (int distance = size / 2; distance > 0; distance /= 2)
#pragma unroll
            for (int i = 0; i < 16; ++i)
                if ((i & distance) == 0) {
                    const unsigned a = min(x[i], x[i + distance]), b = max(x[i], x[i + distance]);
                    x[i] = (i & size) == 0 ? a : b;
                    x[i + distance] = (i & size) == 0 ? b : a;
                }
    // From here on the direction is that of the lane. A lane that sorts downwards turns all bits over and sorts upwards.
    unsigned turned = 0;
#pragma unroll
    for (int size = 16; size <= 512; size *= 2) {
        const unsigned turn = size < 512 && (lane & size / 16) != 0 ? 0xffffffffu : 0;
        if (size < 512 || turned) {
#pragma unroll
            for (int i = 0; i < 16; ++i) x[i] ^= turn ^ turned;
        }
        turned = turn;
#pragma unroll
        for (int lanes = size / 32; lanes > 0; lanes /= 2) {
            const bool upper = (lane & lanes) != 0;
#pragma unroll
            for (int i = 0; i < 16; ++i) {
                const unsigned other = __shfl_xor_sync(0xffffffffu, x[i], lanes);
                x[i] = upper ? max(x[i], other) : min(x[i], other);
            }
        }
#pragma unroll
        for (int distance = 8; distance > 0; distance /= 2)
#pragma unroll
            for (int i = 0; i < 16; ++i)
                if ((i & distance) == 0) {
                    const unsigned a = min(x[i], x[i + distance]), b = max(x[i], x[i + distance]);
                    x[i] = a;
                    x[i + distance] = b;
                }
    }

    unsigned(*mine)[20] = rows[warp];
#pragma unroll
    for (int k = 0; k < 4; ++k) *(uint4*)&mine[lane][4 * k] = make_uint4(x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]);
    __syncwarp();
    uint4* to = (uint4*)(out + (size_t)segment * 512);
#pragma unroll
    for (int k = 0; k < 4; ++k) to[lane + 32 * k] = *(const uint4*)&mine[lane / 4 + 8 * k][lane % 4 * 4];
}
