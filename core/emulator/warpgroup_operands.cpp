// Source: PTX ISA 9.0, 9.7.15.5.1.1 canonical layouts, strides, swizzling modes.
#include "emulator/warpgroup_operands.h"

#include <cstring>

namespace ptxwb::emulator {

MatrixDescriptor matrixDescriptor(std::uint64_t bits) {
    const auto field = [&](unsigned at, unsigned width) {
        return static_cast<std::uint32_t>(bits >> at & ((std::uint64_t{1} << width) - 1));
    };
    MatrixDescriptor d;
    d.start = field(0, 14) << 4;
    d.leading = field(16, 14) << 4;
    d.stride = field(32, 14) << 4;
    d.base = field(49, 3);
    d.swizzle = (4 - field(62, 2)) & 3; // 1, 2, 3 are 128, 64, 32 bytes
    return d;
}

namespace {

/// Pieces of 16 bytes trade places as bits 7 and on of their address say, counted from where the pattern begins.
std::uint32_t exchanged(const MatrixDescriptor& d, std::uint32_t offset) {
    const std::uint32_t bits = (1U << d.swizzle) - 1;
    return offset ^ (((offset >> 7) - d.base) & bits) << 4;
}

/// Rows of 8 lie 16 bytes apart, or as far as the swizzle spans.
std::uint32_t alongK(const MatrixDescriptor& d, unsigned row, unsigned piece) {
    const std::uint32_t pitch = 16U << d.swizzle;
    return d.start + row % 8 * pitch + row / 8 * d.stride + piece * (d.swizzle ? 16 : d.leading);
}

/// `unit`: of 8 rows.
std::uint32_t alongRows(const MatrixDescriptor& d, unsigned unit, unsigned k) {
    if (!d.swizzle) return d.start + unit * d.stride + k % 8 * 16 + k / 8 * d.leading;
    const unsigned span = 1U << d.swizzle;
    return d.start + unit % span * 16 + unit / span * d.leading + k % 8 * (16 * span) + k / 8 * d.stride;
}

} // namespace

MatrixPieces matrixPieces(const MatrixDescriptor& d, bool together, unsigned first, unsigned rows) {
    MatrixPieces out;
    out.together = together;
    out.rows = rows;
    out.offsets.reserve(std::size_t{2} * rows);
    if (together) {
        for (unsigned k = 0; k < 16; ++k)
            for (unsigned unit = first / 8; unit < (first + rows) / 8; ++unit)
                out.offsets.push_back(exchanged(d, alongRows(d, unit, k)));
    } else {
        for (unsigned row = first; row < first + rows; ++row)
            for (unsigned piece = 0; piece < 2; ++piece) out.offsets.push_back(exchanged(d, alongK(d, row, piece)));
    }
    return out;
}

std::uint32_t MatrixPieces::word(const std::uint8_t* shared, unsigned r, unsigned at) const {
    if (!together) {
        std::uint32_t out = 0;
        std::memcpy(&out, shared + offsets[2 * r + at / 16] + at % 16, 4);
        return out;
    }
    std::uint16_t parts[2];
    for (unsigned i = 0; i < 2; ++i)
        std::memcpy(&parts[i], shared + offsets[(at / 2 + i) * (rows / 8) + r / 8] + r % 8 * 2, 2);
    return parts[0] | std::uint32_t{parts[1]} << 16;
}

} // namespace ptxwb::emulator
