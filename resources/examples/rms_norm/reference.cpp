// What rms_norm must compute, in double.
#include <cmath>
#include <cstddef>

void reference(int rows, int columns, double epsilon, const double* in, const double* weight, double* out) {
    for (int r = 0; r < rows; ++r) {
        const double* row = in + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
        double* result = out + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
        double sum = 0;
        for (int i = 0; i < columns; ++i) sum += row[i] * row[i];
        const double scale = 1 / std::sqrt(sum / columns + epsilon);
        for (int i = 0; i < columns; ++i) result[i] = row[i] * scale * weight[i];
    }
}
