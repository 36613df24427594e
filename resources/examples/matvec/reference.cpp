// What matvec must compute, in double.
#include <cstddef>

void reference(int rows, int columns, const double* a, const double* x, double* y) {
    for (int r = 0; r < rows; ++r) {
        const double* row = a + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
        double sum = 0;
        for (int i = 0; i < columns; ++i) sum += row[i] * x[i];
        y[r] = sum;
    }
}
