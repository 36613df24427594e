// Kernels of the emulator's bench. tiles_and_bins.ptx is made by
// nvcc -ptx -arch=sm_80 -O3 tiles_and_bins.cu -o tiles_and_bins.ptx
#include <cuda_fp16.h>

// c = a * b, all n x n with n a multiple of 64: 256 threads make a tile of 64 x 64, each 4 x 4 of it.
extern "C" __global__ void register_tiled_product(int n, const float* a, const float* b, float* c) {
    __shared__ float as[16][64], bs[16][64];
    const int row = blockIdx.y * 64, column = blockIdx.x * 64;
    const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 16 * 64; i += 256) {
            as[i % 16][i / 16] = a[(row + i / 16) * n + k + i % 16];
            bs[i / 64][i % 64] = b[(k + i / 64) * n + column + i % 64];
        }
        __syncthreads();
        for (int kk = 0; kk < 16; ++kk) {
            float x[4], y[4];
            for (int i = 0; i < 4; ++i) x[i] = as[kk][ty * 4 + i];
            for (int j = 0; j < 4; ++j) y[j] = bs[kk][tx * 4 + j];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) c[(row + ty * 4 + i) * n + column + tx * 4 + j] = sum[i][j];
}

// counts[block][bin]: how many of the block's values fall into each of 256 bins.
extern "C" __global__ void shared_histogram(int n, const unsigned* values, unsigned* counts) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[(values[i] * 2654435761u) >> 24], 1u);
    __syncthreads();
    counts[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}

// c = a * b, all n x n with n a multiple of 64, f16 with f32 sums: 4 warps make a tile of 64 x 64, each 16 rows of it.
extern "C" __global__ void mma_product(int n, const __half* a, const __half* b, float* c) {
    __shared__ __align__(16) __half as[64][24], bs[16][72];
    const int row = blockIdx.y * 64, column = blockIdx.x * 64;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum[8][4] = {};
    for (int k = 0; k < n; k += 16) {
        const int i = threadIdx.x;
        *reinterpret_cast<uint4*>(&as[i / 2][i % 2 * 8]) =
            *reinterpret_cast<const uint4*>(&a[(row + i / 2) * n + k + i % 2 * 8]);
        *reinterpret_cast<uint4*>(&bs[i / 8][i % 8 * 8]) =
            *reinterpret_cast<const uint4*>(&b[(k + i / 8) * n + column + i % 8 * 8]);
        __syncthreads();
        unsigned x[4];
        const auto from = static_cast<unsigned>(__cvta_generic_to_shared(&as[warp * 16 + lane % 16][lane / 16 * 8]));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(from));
        for (int j = 0; j < 8; ++j) {
            unsigned y[2];
            const auto column8 = static_cast<unsigned>(__cvta_generic_to_shared(&bs[lane % 16][j * 8]));
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                         : "=r"(y[0]), "=r"(y[1])
                         : "r"(column8));
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                         "{%0, %1, %2, %3};"
                         : "+f"(sum[j][0]), "+f"(sum[j][1]), "+f"(sum[j][2]), "+f"(sum[j][3])
                         : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
        }
        __syncthreads();
    }
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 4; ++i)
            c[(row + warp * 16 + lane / 4 + i / 2 * 8) * n + column + j * 8 + lane % 4 * 2 + i % 2] = sum[j][i];
}
