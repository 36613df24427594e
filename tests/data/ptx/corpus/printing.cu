#include <cassert>
#include <cstdio>
struct Wide { double a; char c; short s[3]; };
__global__ void prints(Wide w, int n, const char* text, float f) {
    printf("none\n"); printf("%d %s %f %c\n", n, "literal", f, w.c); printf("%lld %p %5.2e\n", 1ll << n, text, w.a);
    assert(n > 3 && "with a message"); if (n == 9) __trap(); if (n == 10) __brkpt();
}
__global__ void allocates(int** p, int n) { int* m = (int*)malloc(n); m[0] = n; p[0] = m; free(p[1]); p[2] = new int[n]; delete[] p[3]; int* a = (int*)__builtin_alloca(n * 4); a[n - 1] = n; p[4][0] = a[n / 2]; memcpy(p[5], p[6], n); memset(p[7], 3, 64); }
