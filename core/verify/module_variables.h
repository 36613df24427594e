// The `.global` and `.const` variables of a module as contents by name: what a launch starts with and what it leaves.
// Used by the executors, and by the checks that look at what outlives a launch.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ptxwb::emulator {
class Memory;
struct Program;
} // namespace ptxwb::emulator

namespace ptxwb::verify {

/// Bytes by the variable's name.
using VariableContents = std::map<std::string, std::vector<std::uint8_t>, std::less<>>;

/// Module variables of .global and .const that lie in this module; internal names are enough for the driver too.
std::vector<const ptx::Variable*> moduleVariables(const ptx::Module& module);

/// Places them where the decoded program expects them, before any buffer: with their initialisers, or what `contents`
/// says in place of it. In the order of `program.image`.
void placeVariables(emulator::Memory& memory, const emulator::Program& program, const VariableContents& contents);

/// What the `.global` ones hold in a memory that `placeVariables` filled.
VariableContents variablesIn(const emulator::Memory& memory, const emulator::Program& program);

} // namespace ptxwb::verify
