// What int8_dot must compute.
#include <cstddef>
#include <cstdint>

void reference(int m, int n, int k, const std::int8_t* a, const std::int8_t* b, std::int32_t* c) {
    const auto columns = static_cast<std::size_t>(n);
    const auto depth = static_cast<std::size_t>(k);
    for (std::size_t i = 0; i < static_cast<std::size_t>(m); ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            std::int32_t sum = 0;
            for (std::size_t p = 0; p < depth; ++p) sum += a[i * depth + p] * b[j * depth + p];
            c[i * columns + j] = sum;
        }
}
