// What stencil2d must compute, in double.
#include <cstddef>

void reference(int width, int height, double center, double side, const double* in, double* out) {
    const auto line = static_cast<std::ptrdiff_t>(width);
    for (std::ptrdiff_t y = 0; y < height; ++y)
        for (std::ptrdiff_t x = 0; x < width; ++x) {
            const double* p = in + y * line + x;
            const bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
            out[y * line + x] = border ? *p : center * p[0] + side * (p[-1] + p[1] + p[-line] + p[line]);
        }
}
