// The log of a recording: rows of 32 words and the bits that flip in them.
// Written by the recorder; read by the stepper and by `unpack`, which checks it.
#pragma once

#include "emulator/recording.h"

#include <array>

namespace ptxwb::emulator {

inline constexpr std::uint32_t recordedRowWords = 32, recordedRowBytes = 128;

inline std::uint32_t recordedRows(const RecordedRegion& region) {
    return (region.bytes + recordedRowBytes - 1) / recordedRowBytes;
}

struct RowChange {
    std::uint32_t region = 0, row = 0;
    std::array<std::uint32_t, recordedRowWords> flips{};
};

void appendNumber(std::vector<std::uint8_t>& log, std::uint64_t value); ///< 7 bits a byte, the low ones first
void appendChange(std::vector<std::uint8_t>& log, const RowChange& change);

/// Reads numbers and changes from bytes that may be anything.
class LogReader {
public:
    explicit LogReader(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

    std::optional<std::uint64_t> number();
    std::optional<std::uint32_t> word();
    std::optional<std::span<const std::uint8_t>> take(std::size_t count);
    /// Empty at the end, and where the bytes are no change: `isBroken` tells.
    std::optional<RowChange> next();
    bool atEnd() const { return m_bytes.empty(); }
    bool isBroken() const { return m_broken; }

private:
    std::span<const std::uint8_t> m_bytes;
    bool m_broken = false;
};

} // namespace ptxwb::emulator
