// Makes a matrix in CSR: rows of many lengths, empty ones among them, and columns in ascending order inside of a row.
#include <cstdint>

void inputs(unsigned long long seed, int rows, int columns, int elements, std::int32_t* rowStart, std::int32_t* column,
            double* /*value*/, double* /*x*/, double* /*y*/) {
    std::uint64_t state = seed * 0x9e3779b97f4a7c15ULL + 1;
    const auto next = [&] {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>(state >> 33);
    };
    // What is left is spread over the rows that are left: each gets 0 to twice the average, the last one the rest.
    std::int32_t used = 0;
    for (int r = 0; r < rows; ++r) {
        rowStart[r] = used;
        const std::int32_t left = elements - used, average = left / (rows - r);
        const auto wanted = static_cast<std::int32_t>(next() % static_cast<std::uint32_t>(2 * average + 1));
        used += r + 1 == rows ? left : next() % 8 == 0 ? 0 : wanted;
    }
    rowStart[rows] = elements;
    // The columns of a row begin somewhere and go on in steps of 1 to 16, around the end where need be.
    for (int r = 0; r < rows; ++r) {
        std::uint32_t at = next();
        for (std::int32_t i = rowStart[r]; i < rowStart[r + 1]; ++i) {
            at += 1 + next() % 16;
            column[i] = static_cast<std::int32_t>(at % static_cast<std::uint32_t>(columns));
        }
    }
}
