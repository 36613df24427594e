// What softmax must compute, in double. fmax ignores NaN as the kernel's does; the sum then brings it into every element.
#include <cmath>
#include <cstddef>

void reference(int rows, int columns, const double* in, double* out) {
    for (int r = 0; r < rows; ++r) {
        const double* row = in + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
        double* result = out + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
        double highest = -INFINITY, sum = 0;
        for (int i = 0; i < columns; ++i) highest = std::fmax(highest, row[i]);
        for (int i = 0; i < columns; ++i) sum += std::exp(row[i] - highest);
        for (int i = 0; i < columns; ++i) result[i] = std::exp(row[i] - highest) / sum;
    }
}
