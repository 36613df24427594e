// The special registers of PTX: names, types, components.
// Used by the parser to know them, by the checker and the emulator.
#pragma once

#include "ptx/types.h"

#include <span>

namespace ptxwb::ptx {

struct SpecialRegister {
    std::string_view name; ///< "%tid", "WARP_SZ"
    ScalarType type = ScalarType::u32;
    std::uint8_t components = 1; ///< 4 for those with .x .y .z .w
};

/// `name` without a component; nullptr where there is no such register.
/// Source: PTX ISA 9.0, 10 Special Registers.
const SpecialRegister* specialRegister(std::string_view name);
std::span<const SpecialRegister> specialRegisters();

} // namespace ptxwb::ptx
