// How many results one multiprocessor gives a clock, by class of instruction: what resources/instructions/cards.json
// states. Run by hand on a GPU:
//   nvcc -O3 -arch=native -o instruction_rates instruction_rates.cu && ./instruction_rates
// One block of 1,024 threads on each multiprocessor and eight chains a thread, so that neither latency nor memory is in
// the way; each chain takes its neighbour's value, so that ptxas can join no two instructions. Prints class, instruction
// and the rate, of which the best of ten counts.
#include <cstdio>

constexpr int turns = 512, chains = 8, threads = 1024, repeats = 10;

#define RATE(NAME, TYPE, CONSTRAINT, INSTRUCTION)                                                                       \
    __global__ void NAME(TYPE* out, long long* cycles, TYPE start) {                                                    \
        TYPE x[chains];                                                                                                 \
        for (int i = 0; i < chains; ++i) x[i] = start + static_cast<TYPE>(threadIdx.x + i);                             \
        __syncthreads();                                                                                                \
        const long long before = clock64();                                                                             \
        _Pragma("unroll 16") for (int turn = 0; turn < turns; ++turn) {                                                 \
            _Pragma("unroll") for (int i = 0; i < chains; ++i)                                                          \
                asm volatile(INSTRUCTION : "+" CONSTRAINT(x[i]) : CONSTRAINT(x[(i + 1) % chains]));                       \
        }                                                                                                               \
        __syncthreads();                                                                                                \
        const long long after = clock64();                                                                              \
        TYPE sum = 0;                                                                                                   \
        for (int i = 0; i < chains; ++i) sum += x[i];                                                                   \
        out[blockIdx.x * threads + threadIdx.x] = sum;                                                                  \
        if (threadIdx.x == 0) cycles[blockIdx.x] = after - before;                                                      \
    }

RATE(f32, float, "f", "fma.rn.f32 %0, %0, %1, %1;")
RATE(f16, int, "r", "fma.rn.f16x2 %0, %0, %1, %1;")
RATE(f64, double, "d", "fma.rn.f64 %0, %0, %1, %1;")
RATE(special, float, "f", "ex2.approx.ftz.f32 %0, %0;")
RATE(int_add, int, "r", "add.s32 %0, %0, %1;")
RATE(int_min, int, "r", "min.s32 %0, %0, %1;")
RATE(int_mul, int, "r", "mad.lo.s32 %0, %0, %1, %1;")
RATE(shift, int, "r", "shf.l.wrap.b32 %0, %0, %1, 3;")
RATE(logic, int, "r", "xor.b32 %0, %0, %1;")
RATE(bits, int, "r", "popc.b32 %0, %0;")
RATE(sad, int, "r", "sad.s32 %0, %0, %1, %1;")
RATE(convert_wide, double, "d", "{ .reg .s32 t; cvt.rzi.s32.f64 t, %0; cvt.rn.f64.s32 %0, t; }")
RATE(convert, float, "f", "{ .reg .s32 t; cvt.rzi.s32.f32 t, %0; cvt.rn.f32.s32 %0, t; }")
RATE(shuffle, int, "r", "shfl.sync.bfly.b32 %0, %0, 1, 31, -1;")
RATE(reduce, int, "r", "redux.sync.add.s32 %0, %0, -1;")

template <class T>
void measure(const char* name, const char* what, void (*kernel)(T*, long long*, T), double results) {
    int device = 0, multiprocessors = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    T* out = nullptr;
    long long* cycles = nullptr;
    cudaMalloc(&out, sizeof(T) * threads * multiprocessors);
    cudaMallocManaged(&cycles, sizeof(long long) * multiprocessors);
    double best = 0;
    for (int i = 0; i < repeats; ++i) {
        kernel<<<multiprocessors, threads>>>(out, cycles, T(1));
        if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
            std::printf("%s: %s\n", name, cudaGetErrorString(error));
            return;
        }
        for (int b = 0; b < multiprocessors; ++b) {
            const double rate = results * turns * chains * threads / static_cast<double>(cycles[b]);
            if (rate > best) best = rate;
        }
    }
    std::printf("%-15s %-38s %7.1f\n", name, what, best);
    cudaFree(out);
    cudaFree(cycles);
}

int main() {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    std::printf("%s, compute capability %d.%d: results a clock and multiprocessor\n", properties.name, properties.major,
                properties.minor);
    measure("f32", "fma.rn.f32", f32, 1);
    measure("f16", "fma.rn.f16x2, two results", f16, 2);
    measure("f64", "fma.rn.f64", f64, 1);
    measure("special", "ex2.approx.ftz.f32", special, 1);
    measure("int_add", "add.s32", int_add, 1);
    measure("int_min", "min.s32", int_min, 1);
    measure("int_mul", "mad.lo.s32", int_mul, 1);
    measure("shift", "shf.l.wrap.b32", shift, 1);
    measure("logic", "xor.b32", logic, 1);
    measure("bits", "popc.b32", bits, 1);
    measure("sad", "sad.s32", sad, 1);
    measure("convert_wide", "cvt f64 to s32 and back, two results", convert_wide, 2);
    measure("convert", "cvt f32 to s32 and back, two results", convert, 2);
    measure("shuffle", "shfl.sync.bfly.b32", shuffle, 1);
    measure("reduce", "redux.sync.add.s32", reduce, 1);
    return 0;
}
