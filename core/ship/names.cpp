#include "ship/parts.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::ship {

std::string identifier(std::string_view text) {
    std::string name;
    for (const char c : text) {
        const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        name += fits ? c : '_';
    }
    if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name.insert(0, "k_");
    return name;
}

std::string upperCase(std::string_view text) {
    std::string upper(text);
    std::ranges::transform(upper, upper.begin(),
                           [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c); });
    return upper;
}

std::string comment(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        // Trigraphs and backslashes at the end of a line would splice lines; a comment must neither end nor begin.
        const bool opens = !out.empty() && ((out.back() == '*' && c == '/') || (out.back() == '/' && c == '*') ||
                                            (out.back() == '?' && c == '?'));
        if (opens) out += ' ';
        out += byte < 0x20 || byte >= 0x7F || c == '\\' ? '?' : c;
    }
    return out;
}

std::string literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\' && c != '?';
        // Three octal digits: what follows cannot become part of it.
        out += isPlain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
    }
    return out + '"';
}

} // namespace ptxwb::ship
