// What transpose must compute; a double holds every f16.
#include <cstddef>

void reference(int rows, int columns, const double* in, double* out) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
        for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c)
            out[c * static_cast<std::size_t>(rows) + r] = in[r * static_cast<std::size_t>(columns) + c];
}
