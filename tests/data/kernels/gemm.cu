// Products of matrices and vectors on the ordinary cores. fmaf in a fixed order: exact to the bit.
extern "C" __global__ void gemv(const float* a, const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int j = lane; j < columns; j += 32) sum = fmaf(a[row * columns + j], x[j], sum);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0) y[row] = sum;
}

extern "C" __global__ void gemm_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float as[16][16], bs[16][17];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;
    for (int p = 0; p < k; p += 16) {
        as[y][x] = row < m && p + x < k ? a[row * k + p + x] : 0;
        bs[y][x] = p + y < k && column < n ? b[(p + y) * n + column] : 0;
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 16; ++q) sum = fmaf(as[y][q], bs[q][x], sum);
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

// 64 x 64 a block, 8 x 4 a thread.
extern "C" __global__ void gemm_registers(const float* a, const float* b, float* c, int n, int k) {
    __shared__ __align__(16) float as[8][64], bs[8][64];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    float sum[8][4] = {};
    for (int p = 0; p < k; p += 8) {
        for (int i = t; i < 512; i += 128) as[i % 8][i / 8] = a[(blockIdx.y * 64 + i / 8) * k + p + i % 8];
        for (int i = t; i < 128; i += 128)
            reinterpret_cast<float4*>(&bs[i / 16][0])[i % 16] =
                *reinterpret_cast<const float4*>(b + (p + i / 16) * n + blockIdx.x * 64 + i % 16 * 4);
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 8; ++q) {
            const float4 v = *reinterpret_cast<const float4*>(&bs[q][tx * 4]);
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                const float u = as[q][ty * 8 + i];
                sum[i][0] = fmaf(u, v.x, sum[i][0]);
                sum[i][1] = fmaf(u, v.y, sum[i][1]);
                sum[i][2] = fmaf(u, v.z, sum[i][2]);
                sum[i][3] = fmaf(u, v.w, sum[i][3]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        *reinterpret_cast<float4*>(c + (blockIdx.y * 64 + ty * 8 + i) * n + blockIdx.x * 64 + tx * 4) =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

// int8, four at a time; signed and unsigned.
extern "C" __global__ void gemm_dp4a(const int* a, const int* b, int* c, unsigned* u, int n, int words) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (column >= n) return;
    int sum = 0;
    unsigned other = 0;
    for (int p = 0; p < words; ++p) {
        sum = __dp4a(a[row * words + p], b[column * words + p], sum);
        other = __dp4a(unsigned(a[row * words + p]), unsigned(b[column * words + p]), other);
        sum = __dp2a_lo(a[row * words + p], b[column * words + p], sum);
    }
    c[row * n + column] = sum;
    u[row * n + column] = other;
}

extern "C" __global__ void gemm_double(const double* a, const double* b, double* c, int n) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    double sum = 0;
    for (int p = 0; p < n; ++p) sum = fma(a[row * n + p], b[p * n + column], sum);
    c[row * n + column] = sum;
}

// Sparse rows of different lengths: half a warp a row.
extern "C" __global__ void spmv(const int* offsets, const short* columns, const float* values, const float* x, float* y,
                                int rows) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
    const unsigned members = 0xffffu << (threadIdx.x & 16);
    if (row >= rows) return;
    const int first = row * 5 + offsets[row], last = (row + 1) * 5 + offsets[row + 1];
    float sum = 0;
    for (int i = first + lane; i < last; i += 16) sum = fmaf(values[i], x[columns[i]], sum);
    for (int d = 8; d > 0; d /= 2) sum += __shfl_xor_sync(members, sum, d, 16);
    if (lane == 0) y[row] = sum;
}
