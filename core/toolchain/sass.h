// Machine code as text, by the toolkit's nvdisasm, with the source line that each instruction came from.
// Called by the worker's sass job.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::toolchain {

struct Toolkit;

struct SassInstruction {
    std::uint32_t offset = 0; ///< bytes from the function's start
    std::string text;         ///< "@P0 LDG.E R2, [R4.64]", without the semicolon
    std::string label;        ///< ".L_x_1", "$calls$_Z5twicef" where a branch or call leads to it; else empty
    std::string file;         ///< of the line table; empty where it has no place
    std::uint32_t line = 0;
};

struct SassFunction {
    std::string name;
    std::vector<SassInstruction> instructions;
};

/// What `nvdisasm -c -g` writes. Errors: not a single instruction in it.
Expected<std::vector<SassFunction>> parseSass(std::string_view text);

/// Errors: the toolkit has no nvdisasm (missing), a cubin that it refuses (rejected), cancellation.
Expected<std::vector<SassFunction>> disassemble(std::string_view cubin, const Toolkit& toolkit, std::stop_token stop);

} // namespace ptxwb::toolchain
