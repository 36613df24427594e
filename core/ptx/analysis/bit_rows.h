// A row of bits for each block: the sets that data-flow analyses work with.
// Used by liveness and reaching definitions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ptxwb::ptx {

class BitRows {
public:
    BitRows() = default;
    BitRows(std::size_t rows, std::size_t bits) : m_words((bits + 63) / 64), m_bits(rows * m_words, 0) {}

    bool has(std::size_t row, std::size_t bit) const { return (m_bits[row * m_words + bit / 64] >> (bit % 64)) & 1; }
    void set(std::size_t row, std::size_t bit) { m_bits[row * m_words + bit / 64] |= std::uint64_t{1} << (bit % 64); }
    void clear(std::size_t row, std::size_t bit) {
        m_bits[row * m_words + bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
    }
    std::span<std::uint64_t> row(std::size_t index) { return {m_bits.data() + index * m_words, m_words}; }
    std::span<const std::uint64_t> row(std::size_t index) const { return {m_bits.data() + index * m_words, m_words}; }

    /// into |= from; true where that changed something.
    static bool unite(std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
        std::uint64_t changed = 0;
        for (std::size_t i = 0; i < into.size(); ++i) {
            const std::uint64_t before = into[i];
            into[i] |= from[i];
            changed |= into[i] ^ before;
        }
        return changed != 0;
    }

private:
    std::size_t m_words = 0;
    std::vector<std::uint64_t> m_bits;
};

} // namespace ptxwb::ptx
