// Stencils in one, two and three dimensions, convolution with weights in constant memory, and a cellular automaton.
extern "C" __global__ void stencil_1d(const int* in, int* out, int n) {
    __shared__ int line[128 + 6];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const auto at = [&](int k) { return k >= 0 && k < n ? in[k] : 0; };
    line[threadIdx.x + 3] = at(i);
    if (threadIdx.x < 3) {
        line[threadIdx.x] = at(i - 3);
        line[threadIdx.x + 131] = at(i + 128);
    }
    __syncthreads();
    int sum = 0;
    for (int d = 0; d < 7; ++d) sum += line[threadIdx.x + d] * (d + 1);
    if (i < n) out[i] = sum;
}

extern "C" __global__ void stencil_2d(const float* in, float* out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const float c = in[y * w + x];
    const float l = x > 0 ? in[y * w + x - 1] : c, r = x < w - 1 ? in[y * w + x + 1] : c;
    const float u = y > 0 ? in[(y - 1) * w + x] : c, d = y < h - 1 ? in[(y + 1) * w + x] : c;
    out[y * w + x] = c + 0.2f * (l + r + u + d - 4.0f * c);
}

// Each thread walks along z with its three values in registers; neighbours come from shared memory.
extern "C" __global__ void stencil_3d(const double* in, double* out, int depth) {
    __shared__ double plane[10][18];
    const int x = threadIdx.x, y = threadIdx.y, w = 16, h = 8, slice = w * h;
    const int at = y * w + x;
    double below = 0, here = in[at], above = depth > 1 ? in[slice + at] : 0;
    if (y == 0) plane[0][x + 1] = plane[9][x + 1] = 0;
    if (x == 0) plane[y + 1][0] = plane[y + 1][17] = 0;
    for (int z = 0; z < depth; ++z) {
        plane[y + 1][x + 1] = here;
        __syncthreads();
        const double around = plane[y][x + 1] + plane[y + 2][x + 1] + plane[y + 1][x] + plane[y + 1][x + 2];
        out[z * slice + at] = fma(-6.0, here, around + below + above);
        __syncthreads();
        below = here;
        here = above;
        above = z + 2 < depth ? in[(z + 2) * slice + at] : 0;
    }
}

__constant__ float weights[5][5] = {{1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};
extern "C" __global__ void convolution(const unsigned char* in, unsigned char* out, int w, int h) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i)
            sum = fmaf(weights[j + 2][i + 2], in[min(max(y + j, 0), h - 1) * w + min(max(x + i, 0), w - 1)], sum);
    out[y * w + x] = static_cast<unsigned char>(__float2int_rn(sum / 256.0f));
}

// Conway's game of life, 32 cells a word: neighbours are counted by bitwise full adders.
extern "C" __global__ void life(const unsigned* in, unsigned* out, int words, int rows, int steps) {
    extern __shared__ unsigned cells[];
    const int count = words * rows;
    for (int i = threadIdx.x; i < count; i += blockDim.x) cells[i] = in[i];
    for (int step = 0; step < steps; ++step) {
        const unsigned* from = cells + (step & 1) * count;
        unsigned* to = cells + (1 - (step & 1)) * count;
        __syncthreads();
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            const int x = i % words, y = i / words, right = (x + 1) % words, left = (x + words - 1) % words;
            unsigned ones = 0, twos = 0, fours = 0;
            for (int d = -1; d <= 1; ++d) {
                const unsigned* row = from + (y + d + rows) % rows * words;
                const unsigned n[3] = {__funnelshift_l(row[left], row[x], 1), d ? row[x] : 0,
                                       __funnelshift_r(row[x], row[right], 1)};
                for (unsigned bit : n) {
                    const unsigned carry = ones & bit;
                    fours |= twos & carry;
                    ones ^= bit;
                    twos ^= carry;
                }
            }
            to[i] = twos & ~fours & (ones | from[i]);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = cells[(steps & 1) * count + i];
}
