// What fft256 must compute, in double: the definition, with a table of the 256 roots.
#include <array>
#include <cmath>
#include <cstddef>

void reference(int batch, const double* in, double* out) {
    constexpr double pi = 3.14159265358979323846;
    std::array<double, 256> cosine, sine;
    for (std::size_t i = 0; i < 256; ++i) {
        cosine[i] = std::cos(2 * pi * static_cast<double>(i) / 256);
        sine[i] = -std::sin(2 * pi * static_cast<double>(i) / 256);
    }
    for (std::size_t transform = 0; transform < static_cast<std::size_t>(batch); ++transform) {
        const double* x = in + transform * 512;
        double* y = out + transform * 512;
        for (std::size_t k = 0; k < 256; ++k) {
            double re = 0, im = 0;
            for (std::size_t n = 0; n < 256; ++n) {
                const std::size_t w = k * n % 256;
                re += x[2 * n] * cosine[w] - x[2 * n + 1] * sine[w];
                im += x[2 * n] * sine[w] + x[2 * n + 1] * cosine[w];
            }
            y[2 * k] = re;
            y[2 * k + 1] = im;
        }
    }
}
