typedef float (*unary)(float); __device__ float twice(float x) { return 2 * x; } __device__ __noinline__ float half_of(float x) { return x / 2; } __device__ unary table[2] = {twice, half_of};
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
struct Base { __device__ virtual int value(int x) const { return x; } int pad; }; struct Derived : Base { __device__ int value(int x) const override { return x * pad; } };
struct Big { int a[9]; double d; }; __device__ __noinline__ Big returns(Big b, char c, short s) { b.a[c] = s; b.d += 1; return b; } extern "C" __device__ __noinline__ void nothing(int* p) { if (p) *p = 1; }
__global__ void calls(float* o, int* i, Big b, int n) { o[0] = table[n](o[1]); i[0] = fibonacci(n); Derived d; d.pad = n; Base* p = n ? (Base*)&d : new Base; i[1] = p->value(3); Big r = returns(b, 3, n); i[2] = r.a[4]; o[2] = r.d; nothing(i + 4); }
template <int N> __global__ void unrolled(int* o) {
#pragma unroll
    for (int i = 0; i < N; ++i) o[i] = i * N; } template __global__ void unrolled<3>(int*); template __global__ void unrolled<64>(int*);
__global__ void lambda(int* o, int n) { auto f = [=](int x) { return x * n; }; o[0] = f(o[1]); switch (o[2]) { case 0: o[3] = 1; break; case 1: o[4] = 5; break; case 2: o[5] = 9; break; case 3: o[6] = 2; break; case 4: o[7] = 8; break; case 7: o[8] = 3; case 9: o[9] = 4; default: o[10] = 5; } }
