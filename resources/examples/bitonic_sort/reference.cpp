// What bitonic_sort must compute.
#include <algorithm>
#include <cstddef>
#include <cstdint>

void reference(int segments, const std::uint32_t* in, std::uint32_t* out) {
    for (std::size_t s = 0; s < static_cast<std::size_t>(segments); ++s) {
        std::copy_n(in + s * 512, 512, out + s * 512);
        std::sort(out + s * 512, out + s * 512 + 512);
    }
}
