// Constant expressions: what may stand wherever a number may.
// Called for operands, address offsets and initialisers.
#pragma once

#include "ptx/cursor.h"

#include <optional>

namespace ptxwb::ptx {

struct Constant {
    bool isFloat = false;
    bool isUnsigned = false;     ///< integers: u64 rather than s64
    std::uint8_t floatBits = 64; ///< 32 for a `0f` literal
    std::uint64_t bits = 0;      ///< value, two's complement; of a float its bits
};

/// Can the token ahead start a constant expression that is not a name or a list?
bool startsConstant(const Cursor& cursor);

/// s64 and u64 integers and f64, C's operators and precedence, the casts (.s64) and (.u64), WARP_SZ.
/// A `0f` literal stands alone. Reports and answers nothing on a mistake.
/// Source: PTX ISA 9.0, 4.5.4 to 4.5.6 Constant Expressions.
std::optional<Constant> parseConstant(Cursor& cursor);

} // namespace ptxwb::ptx
