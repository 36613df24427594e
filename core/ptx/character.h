// Byte classes of PTX text.
// Used by the lexer and the reader of literals.
#pragma once

#include <array>
#include <cstdint>

namespace ptxwb::ptx {

enum ByteClass : std::uint8_t {
    byteBlank = 1,
    byteLetter = 2, ///< starts an identifier
    byteDigit = 4,
    byteFollow = 8, ///< continues an identifier: letter, digit, _ and $
    byteHex = 16,
    byteWordPart = 32, ///< continues a dotted word: letter, digit, _
};

inline constexpr std::array<std::uint8_t, 256> byteClasses = [] {
    std::array<std::uint8_t, 256> classes{};
    const auto add = [&classes](char first, char last, unsigned bits) {
        for (char c = first; c <= last; ++c) {
            std::uint8_t& known = classes[static_cast<unsigned char>(c)];
            known = static_cast<std::uint8_t>(known | bits);
        }
    };
    for (const char c : {' ', '\t', '\n', '\r', '\v', '\f'}) add(c, c, byteBlank);
    add('a', 'z', byteLetter | byteFollow | byteWordPart);
    add('A', 'Z', byteLetter | byteFollow | byteWordPart);
    add('0', '9', byteDigit | byteFollow | byteHex | byteWordPart);
    add('a', 'f', byteHex);
    add('A', 'F', byteHex);
    add('_', '_', byteFollow | byteWordPart);
    add('$', '$', byteFollow);
    return classes;
}();

inline bool isByte(char c, unsigned mask) {
    return (byteClasses[static_cast<unsigned char>(c)] & mask) != 0;
}

} // namespace ptxwb::ptx
