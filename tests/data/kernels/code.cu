// Code in all its shapes: recursion, local arrays, switches, printf, dynamic programming.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>
#include <stdio.h>

__device__ __noinline__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__device__ __noinline__ void quicksort(int* v, int low, int high) {
    if (low >= high) return;
    const int pivot = v[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
        while (v[i] < pivot) ++i;
        while (v[j] > pivot) --j;
        if (i <= j) {
            const int a = v[i];
            v[i++] = v[j], v[j--] = a;
        }
    }
    quicksort(v, low, j);
    quicksort(v, i, high);
}
extern "C" __global__ void recursion(int* data, int* numbers) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    quicksort(data + i * 20, 0, 19);
    numbers[i] = ackermann(i % 3, i % 7);
}

// Queens on a board of n: the search has its own stack in local memory.
extern "C" __global__ void queens(int* counts, int n) {
    int column[12], row = 1, count = 0;
    column[0] = threadIdx.x, column[1] = 0;
    while (row > 0) {
        bool fits = column[row] < n;
        for (int r = 0; fits && r < row; ++r) fits = column[r] != column[row] && abs(column[r] - column[row]) != row - r;
        if (fits && row + 1 == n) ++count;
        if (fits && row + 1 < n) column[++row] = 0;
        else if (column[row] < n) ++column[row];
        else if (--row > 0) ++column[row];
    }
    counts[threadIdx.x] = count;
}

// A machine with a stack, one program a lane: switch, loops, early returns.
extern "C" __global__ void machine(const uint8_t* code, int* out) {
    const uint8_t* at = code + threadIdx.x * 16;
    int stack[8] = {1, 2, 3, 4, 5, 6, 7, 8}, top = 7, steps = 0;
    for (int pc = 0; pc < 16 && steps < 100; ++pc, ++steps) {
        int& a = stack[top];
        int& b = stack[top ? top - 1 : 7];
        switch (at[pc] % 12) {
        case 0: a += b; break;
        case 1: a = b - a; break;
        case 2: a *= b; break;
        case 3: a ^= b << (a & 7); break;
        case 4: a = max(a, b); break;
        case 5: top = (top + 1) & 7; break;
        case 6: top = (top + 7) & 7; break;
        case 7: a = b ? a / b : 1; break;
        case 8: if (a & 1) pc -= 3, pc = pc < -1 ? -1 : pc; break;
        case 9: a = __popc(a); break;
        case 10: if (b > 1000000) { out[threadIdx.x] = b; return; } break;
        default: { const int c = a; a = b, b = c; }
        }
    }
    int sum = steps;
    for (int k = 0; k < 8; ++k) sum = sum * 31 + stack[k];
    out[threadIdx.x] = sum;
}

extern "C" __global__ void printing(const int* in, int* out) {
    if (threadIdx.x == 0) printf("block %d of %u: %s\n", int(blockIdx.x), gridDim.x, in[0] > 3 ? "large" : "small");
    out[threadIdx.x] = printf("%c", 'a' + int(threadIdx.x) % 26);
    __syncwarp();
    if (threadIdx.x == 5)
        printf("\n%5d|%-6d|%06.2f|%e|%g|%x|%#o|%llu|%hd|%+d|%.3s|%p|%%|%5.1f%c\n", in[1], in[2], 3.14159, 1e-10, 0.0001, in[3] + 255, 8,
               1ull << 40, 70000, 7, "abcdef", (void*)0x10, -2.25, '!');
}

// Edit distance by anti-diagonals, and shortest paths of 24 nodes.
extern "C" __global__ void edit_distance(const uint8_t* a, const uint8_t* b, int* out, int n) {
    __shared__ int rows[3][130];
    const int t = threadIdx.x; // column 1 ... n is t + 1
    for (int k = t; k < 3 * 130; k += blockDim.x) rows[k / 130][k % 130] = 0;
    __syncthreads();
    for (int d = 0; d <= 2 * n; ++d) { // cells (i, j) with i + j = d
        int* now = rows[d % 3];
        const int *one = rows[(d + 2) % 3], *two = rows[(d + 1) % 3];
        for (int j = t; j <= n; j += blockDim.x) {
            const int i = d - j;
            if (i < 0 || i > n) continue;
            now[j] = i == 0 ? j : j == 0 ? i : min(two[j - 1] + (a[i - 1] != b[j - 1]), min(one[j], one[j - 1]) + 1);
        }
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = rows[2 * n % 3][n];
}
extern "C" __global__ void shortest_paths(const uint8_t* lengths, int* out) {
    __shared__ int d[24][24];
    const int x = threadIdx.x, y = threadIdx.y;
    d[y][x] = x == y ? 0 : lengths[y * 24 + x] % 4 == 0 ? lengths[y * 24 + x] + 1 : 1 << 20;
    for (int k = 0; k < 24; ++k) {
        __syncthreads();
        const int through = d[y][k] + d[k][x];
        __syncthreads();
        d[y][x] = min(d[y][x], through);
    }
    out[y * 24 + x] = d[y][x];
}

// f16 and bf16, alone and in pairs: every operation is rounded once.
extern "C" __global__ void half_arithmetic(const half2* a, const half2* b, half2* out, int* compared) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const half2 x = a[i], y = b[i];
    const half2 p = __hfma2(x, y, __hmul2(x, x)), q = __hsub2(__hmax2(x, y), __habs2(y));
    const half s = __hfma(__low2half(x), __high2half(y), __hneg(__low2half(y)));
    out[2 * i] = __hadd2(__hadd2(p, q), __lowhigh2highlow(__half2half2(s)));
    out[2 * i + 1] = __hadd2_sat(__hfma2_relu(x, y, x), __hmin2(x, q));
    compared[i] = __hbgt2(x, y) + 2 * __hblt2(x, y) + 4 * __heq(__low2half(x), __high2half(x)) + 8 * __half2int_rd(s) + __half2short_rz(__hmul(s, s));
}
extern "C" __global__ void bf16_arithmetic(const __nv_bfloat162* a, const __nv_bfloat162* b, __nv_bfloat162* out, float* wide) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const __nv_bfloat162 x = a[i], y = b[i];
    out[i] = __hfma2(x, y, __hmin2(x, __hneg2(y)));
    wide[i] = __bfloat162float(__float2bfloat16_rz(__low2float(x) * 1.7f)) + __bfloat162float(__hmul(__low2bfloat16(x), __high2bfloat16(y)));
}
