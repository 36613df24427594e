// Data movement: transposition, vectors of all widths, grid-stride loops, structs by value.
extern "C" __global__ void transpose_tiled(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < rows && y + j < columns) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

// 4x4 bytes in four registers of four lanes: shuffles and byte permutations.
extern "C" __global__ void transpose_bytes(const unsigned* in, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = in[i];
    unsigned o = __shfl_xor_sync(0xffffffffu, v, 1);
    v = i & 1 ? __byte_perm(v, o, 0x3715) : __byte_perm(v, o, 0x6240);
    o = __shfl_xor_sync(0xffffffffu, v, 2);
    v = i & 2 ? __byte_perm(v, o, 0x3276) : __byte_perm(v, o, 0x5410);
    out[i] = v;
}

struct Box {
    short left, right;
    double scale;
    unsigned char flags[3];
};
extern "C" __global__ void vectors(const float4* a, const short4* b, const uchar2* c, const double2* d, float4* out,
                                   Box box) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 v = a[i];
    const short4 s = b[i];
    const uchar2 u = c[i];
    const double2 e = d[i];
    out[i] = make_float4(v.w + s.x * box.left, v.z - s.y + box.right, v.y + u.x + box.flags[i % 3],
                         float(e.x * box.scale + e.y) + s.z - s.w * u.y);
}

extern "C" __global__ void grid_stride(int n, float a, const float* __restrict__ x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = fmaf(a, __ldg(x + i), y[i]);
}

// Two tables of different types in one piece of dynamic shared memory.
extern "C" __global__ void dynamic_shared(const short* in, const double* weights, double* out, int n) {
    extern __shared__ __align__(16) unsigned char raw[];
    double* w = reinterpret_cast<double*>(raw);
    short* s = reinterpret_cast<short*>(w + n);
    for (int i = threadIdx.x; i < n; i += blockDim.x) w[i] = weights[i], s[n - 1 - i] = in[blockIdx.x * n + i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = w[n - 1 - i] * s[i];
}
