// Counter-based random words: word `i` of a stream is a function of the stream's key and i alone, so that an element's
// value does not depend on the size of the buffer, the machine or the order of computation. Used by fill.cpp and
// sizes.cpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace ptxwb::kernel {

/// The output function of splitmix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// 2014; with the constants of Stafford's mix 13.
constexpr std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

/// The state that splitmix64 started from `key` has after `counter` steps, put out.
constexpr std::uint64_t randomWord(std::uint64_t key, std::uint64_t counter) {
    return mix64(key + (counter + 1) * 0x9E3779B97F4A7C15U);
}

/// FNV-1a, 64 bits.
constexpr std::uint64_t hashText(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return hash;
}

/// Uniform over 0 ... count - 1 (count 0: over all 64 bits), by the upper half of a 128-bit product.
constexpr std::uint64_t below(std::uint64_t word, std::uint64_t count) {
    if (count == 0) return word;
    const std::uint64_t low = (word & 0xFFFFFFFFU) * (count & 0xFFFFFFFFU);
    const std::uint64_t middle = (word >> 32) * (count & 0xFFFFFFFFU) + (low >> 32);
    const std::uint64_t other = (word & 0xFFFFFFFFU) * (count >> 32) + (middle & 0xFFFFFFFFU);
    return (word >> 32) * (count >> 32) + (middle >> 32) + (other >> 32);
}

} // namespace ptxwb::kernel
