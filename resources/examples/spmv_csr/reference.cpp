// What spmv_csr must compute, in double.
#include <cstddef>
#include <cstdint>

void reference(int rows, int /*columns*/, int /*elements*/, const std::int32_t* rowStart, const std::int32_t* column,
               const double* value, const double* x, double* y) {
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (std::int32_t i = rowStart[r]; i < rowStart[r + 1]; ++i) sum += value[i] * x[column[i]];
        y[r] = sum;
    }
}
