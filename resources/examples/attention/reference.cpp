// What attention must compute, in double: each head has n queries, keys and values of 64 numbers.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

void reference(int heads, int n, double scale, const double* q, const double* k, const double* v, double* out) {
    const auto rows = static_cast<std::size_t>(n);
    std::vector<double> weights(rows);
    for (std::size_t row = 0; row < static_cast<std::size_t>(heads) * rows; ++row) {
        const std::size_t first = row / rows * rows; // of this head
        double highest = -INFINITY, sum = 0;
        for (std::size_t j = 0; j < rows; ++j) {
            double score = 0;
            for (std::size_t d = 0; d < 64; ++d) score += q[row * 64 + d] * k[(first + j) * 64 + d];
            weights[j] = score * scale;
            highest = std::max(highest, weights[j]);
        }
        for (double& weight : weights) sum += weight = std::exp(weight - highest);
        for (std::size_t d = 0; d < 64; ++d) out[row * 64 + d] = 0;
        for (std::size_t j = 0; j < rows; ++j)
            for (std::size_t d = 0; d < 64; ++d) out[row * 64 + d] += weights[j] / sum * v[(first + j) * 64 + d];
    }
}
