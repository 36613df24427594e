// The `.global` and `.const` variables of a module as contents by name: what a launch starts with and what it leaves.
// Used by the executors, and by the checks that look at what outlives a launch.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <map>
#include <span>
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

/// Places them where the decoded programs, all of one module, expect them: before any buffer, with their initialisers
/// or what `contents` says in their place. Errors (rejected): two entries that have different variables in one place.
Expected<void> placeVariables(emulator::Memory& memory, std::span<const emulator::Program* const> programs,
                              const VariableContents& contents);

/// What the module's `.global` ones hold in a memory that `placeVariables` filled.
VariableContents variablesIn(emulator::Memory& memory, const ptx::Module& module);

} // namespace ptxwb::verify
