// What histogram must compute: it adds to what `counts` holds.
#include <cstdint>

void reference(int n, const std::uint8_t* in, std::uint32_t* counts) {
    for (int i = 0; i < n; ++i) ++counts[in[i]];
}
