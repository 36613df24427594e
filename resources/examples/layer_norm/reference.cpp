// What layer_norm must compute, in double.
#include <cmath>
#include <cstddef>

void reference(int rows, int columns, double epsilon, const double* in, const double* gamma, const double* beta,
               double* out) {
    for (int r = 0; r < rows; ++r) {
        const double* row = in + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
        double* result = out + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
        double sum = 0, squares = 0;
        for (int i = 0; i < columns; ++i) sum += row[i];
        const double mean = sum / columns;
        for (int i = 0; i < columns; ++i) squares += (row[i] - mean) * (row[i] - mean);
        const double scale = 1 / std::sqrt(squares / columns + epsilon);
        for (int i = 0; i < columns; ++i) result[i] = (row[i] - mean) * scale * gamma[i] + beta[i];
    }
}
