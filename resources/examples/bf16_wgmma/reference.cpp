// What bf16_wgmma must compute, in double: C = A * B^T, all row-major. The matrices come in place of their tensor maps.
#include <cstddef>

void reference(const double* a, const double* b, double* c, int m, int n, int k) {
    const auto columns = static_cast<std::size_t>(n);
    const auto depth = static_cast<std::size_t>(k);
    for (std::size_t row = 0; row < static_cast<std::size_t>(m); ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            double sum = 0;
            for (std::size_t p = 0; p < depth; ++p) sum += a[row * depth + p] * b[column * depth + p];
            c[row * columns + column] = sum;
        }
}
