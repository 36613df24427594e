// The source that pairs.ptx was compiled from before it was edited. A block of 32 x 8 threads turns a 64 x 64 tile over in
// words of two elements: 2 x 2 elements are turned over in registers, the words by their place in shared memory.
extern "C" __global__ void __launch_bounds__(256) transpose(int rows, int columns, const unsigned* in, unsigned* out) {
    __shared__ unsigned tile[64][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int rowWords = columns / 2, outWords = rows / 2;
    const int word = blockIdx.x * 32 + tx;

    unsigned upper[4], lower[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) { // eight loads on their way
        const int row = blockIdx.y * 64 + 2 * (ty + 8 * k);
        upper[k] = lower[k] = 0;
        if (word < rowWords && row < rows) {
            upper[k] = __ldg(in + (size_t)row * rowWords + word);
            lower[k] = __ldg(in + (size_t)(row + 1) * rowWords + word);
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        // The words of an output row are the row pairs of the input; xor keeps a warp's stores in different banks.
        const int pair = (ty + 8 * k) ^ tx;
        tile[2 * tx][pair] = __byte_perm(upper[k], lower[k], 0x5410);
        tile[2 * tx + 1][pair] = __byte_perm(upper[k], lower[k], 0x7632);
    }
    __syncthreads();

    const int outWord = blockIdx.y * 32 + tx;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const int y = ty + 8 * k, outRow = blockIdx.x * 64 + y;
        if (outRow < columns && outWord < outWords) out[(size_t)outRow * outWords + outWord] = tile[y][tx ^ (y / 2)];
    }
}
