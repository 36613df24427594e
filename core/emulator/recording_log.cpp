#include "emulator/recording_log.h"

#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

void appendWord(std::vector<std::uint8_t>& log, std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) log.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

} // namespace

void appendNumber(std::vector<std::uint8_t>& log, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) log.push_back(static_cast<std::uint8_t>(value | 0x80));
    log.push_back(static_cast<std::uint8_t>(value));
}

// region * 2 + (all changed words flip the same bits), row, which words, then one word or as many as change.
void appendChange(std::vector<std::uint8_t>& log, const RowChange& change) {
    std::uint32_t which = 0, first = 0;
    bool same = true;
    for (std::uint32_t i = 0; i < recordedRowWords; ++i) {
        if (!change.flips[i]) continue;
        if (!which) first = change.flips[i];
        same &= change.flips[i] == first;
        which |= 1U << i;
    }
    appendNumber(log, std::uint64_t{change.region} * 2 + same);
    appendNumber(log, change.row);
    appendWord(log, which);
    if (same) return appendWord(log, first);
    for (const std::uint32_t flips : change.flips)
        if (flips) appendWord(log, flips);
}

std::optional<std::uint64_t> LogReader::number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !m_bytes.empty(); shift += 7) {
        const std::uint8_t byte = m_bytes.front();
        m_bytes = m_bytes.subspan(1);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (!(byte & 0x80)) return value;
    }
    m_broken = true;
    return std::nullopt;
}

std::optional<std::span<const std::uint8_t>> LogReader::take(std::size_t count) {
    if (count > m_bytes.size()) {
        m_broken = true;
        return std::nullopt;
    }
    const auto bytes = m_bytes.first(count);
    m_bytes = m_bytes.subspan(count);
    return bytes;
}

std::optional<std::uint32_t> LogReader::word() {
    const auto bytes = take(4);
    if (!bytes) return std::nullopt;
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i) word |= std::uint32_t{(*bytes)[i]} << (8 * i);
    return word;
}

std::optional<RowChange> LogReader::next() {
    if (atEnd() || m_broken) return std::nullopt;
    const auto key = number();
    const auto row = key ? number() : std::nullopt;
    const auto which = row ? word() : std::nullopt;
    if (!which || *key >> 1 > ~0U || *row > ~0U) {
        m_broken = true;
        return std::nullopt;
    }
    RowChange change;
    change.region = static_cast<std::uint32_t>(*key >> 1);
    change.row = static_cast<std::uint32_t>(*row);
    std::optional<std::uint32_t> flips;
    if (*key & 1) flips = word();
    for (std::uint32_t left = *which; left; left &= left - 1) {
        if (!(*key & 1)) flips = word();
        if (!flips) return std::nullopt;
        change.flips[static_cast<unsigned>(std::countr_zero(left))] = *flips;
    }
    return change;
}

} // namespace ptxwb::emulator
