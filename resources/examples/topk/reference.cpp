// What topk must compute: the eight largest of 256, equal ones by column.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

void reference(int rows, const double* in, double* values, std::int32_t* columns) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
        const double* row = in + r * 256;
        std::array<std::int32_t, 256> order;
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return row[a] > row[b]; });
        for (std::size_t k = 0; k < 8; ++k) {
            values[r * 8 + k] = row[order[k]];
            columns[r * 8 + k] = order[k];
        }
    }
}
