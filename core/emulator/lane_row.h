// Rows of a table: which vector function serves an opcode in a type.
// Used by the decoders of arithmetic and of bits.
#pragma once

#include "emulator/lanes.h"
#include "ptx/module.h"

#include <optional>
#include <span>

namespace ptxwb::emulator {

struct LaneRow {
    ptx::Opcode opcode;
    ptx::ScalarType type;
    Lane lane;
};

inline std::optional<Lane> rowFor(std::span<const LaneRow> rows, ptx::Opcode opcode, ptx::ScalarType type) {
    for (const LaneRow& row : rows)
        if (row.opcode == opcode && row.type == type) return row.lane;
    return std::nullopt;
}

} // namespace ptxwb::emulator
