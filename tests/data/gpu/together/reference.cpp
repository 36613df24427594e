// What the kernels of together.cu must compute.
#include <cstdint>

void add_total(int n, const double* x, double*, double* y) {
    double total = 0;
    for (int i = 0; i < n; ++i) total += x[i];
    for (int i = 0; i < n; ++i) y[i] = x[i] + total;
}

void neighbour(std::int32_t n, const std::int32_t* x, std::int32_t* y) {
    for (int i = 0; i < n; ++i) {
        const int j = i / 256 * 256 + (i + 64) % 256;
        y[i] = x[i] + (j < n ? x[j] : 0);
    }
}
