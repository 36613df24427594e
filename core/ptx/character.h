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
    for (const unsigned char c : {' ', '\t', '\n', '\r', '\v', '\f'}) classes[c] = byteBlank;
    for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = byteLetter | byteFollow | byteWordPart;
    for (unsigned c = 'A'; c <= 'Z'; ++c) classes[c] = byteLetter | byteFollow | byteWordPart;
    for (unsigned c = '0'; c <= '9'; ++c) classes[c] = byteDigit | byteFollow | byteHex | byteWordPart;
    for (unsigned c = 'a'; c <= 'f'; ++c) classes[c] |= byteHex;
    for (unsigned c = 'A'; c <= 'F'; ++c) classes[c] |= byteHex;
    classes['_'] |= byteFollow | byteWordPart;
    classes['$'] |= byteFollow;
    return classes;
}();

inline bool isByte(char c, unsigned mask) {
    return (byteClasses[static_cast<unsigned char>(c)] & mask) != 0;
}

} // namespace ptxwb::ptx
