// A fixed open-addressing table from words to small values, for the vocabulary of PTX.
// Used by types.cpp and by the tables of directives and special registers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ptxwb::ptx {

/// FNV-1a: words are a few bytes long, and every length and every letter counts.
constexpr std::uint32_t hashOf(std::string_view text) {
    std::uint32_t hash = 2166136261u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash ^ (hash >> 15);
}

/// `size` is a power of two, at least twice the number of words. Words must outlive the table (literals do).
template <class Value, std::size_t size>
class WordTable {
    static_assert((size & (size - 1)) == 0);

public:
    /// The value of `text`, made where there is none yet.
    constexpr Value& add(std::string_view text) {
        std::size_t at = hashOf(text) & (size - 1);
        while (!m_names[at].empty() && m_names[at] != text) at = (at + 1) & (size - 1);
        m_names[at] = text;
        return m_values[at];
    }
    constexpr const Value* find(std::string_view text) const {
        std::size_t at = hashOf(text) & (size - 1);
        while (!m_names[at].empty()) {
            if (m_names[at] == text) return &m_values[at];
            at = (at + 1) & (size - 1);
        }
        return nullptr;
    }

private:
    std::array<std::string_view, size> m_names{};
    std::array<Value, size> m_values{};
};

} // namespace ptxwb::ptx
