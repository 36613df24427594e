// What sgemm_naive must compute, in double: C = A * B, row-major.
#include <cstddef>

void reference(int m, int n, int k, const double* a, const double* b, double* c) {
    const auto columns = static_cast<std::size_t>(n);
    const auto depth = static_cast<std::size_t>(k);
    for (std::size_t row = 0; row < static_cast<std::size_t>(m); ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            double sum = 0;
            for (std::size_t p = 0; p < depth; ++p) sum += a[row * depth + p] * b[p * columns + column];
            c[row * columns + column] = sum;
        }
    }
}
