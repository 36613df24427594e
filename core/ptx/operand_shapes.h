// Number and kinds of the operands of each form, where they differ by form: the rows of operand_shapes.def.
// Used by the checker.
#pragma once

#include "ptx/forms.h"

#include <cstdint>
#include <limits>

namespace ptxwb::ptx {

/// What an operand may be; several at once.
enum class Slot : std::uint16_t {
    anything = 1,
    address = 2,
    vector = 4,
    predicate = 8,
    half = 16, ///< a register of 16 bits
    word = 32, ///< an integer or bits
    doubleWord = 64,
    quadWord = 128,
    anyRegister = 256,
    integer = 512,
    real = 1024,
    sink = 2048,
    anyWord = 4096, ///< .f32 too
};

struct OperandShape {
    std::uint16_t slots = 0;   ///< of Slot
    std::uint8_t elements = 0; ///< of a vector; 0 where any number will do
    bool optional = false;
    std::int64_t least = std::numeric_limits<std::int64_t>::min(); ///< of an integer
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    bool may(Slot slot) const { return (slots & static_cast<std::uint16_t>(slot)) != 0; }
};

struct ShapeRow {
    Opcode opcode = Opcode::unknown;
    std::vector<WordKey> words; ///< all must stand
    std::vector<OperandShape> operands;
    std::size_t required = 0; ///< operands that may not be left out
};

/// The first row that fits; nullptr where the table says nothing.
const ShapeRow* shapeRow(Opcode opcode, std::span<const ModifierUse> words);

} // namespace ptxwb::ptx
