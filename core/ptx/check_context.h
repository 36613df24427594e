// What the parts of the checker share.
// Made by `check`; used by the check_*.cpp files only.
#pragma once

#include "ptx/operand_roles.h"
#include "ptx/reporter.h"

namespace ptxwb::ptx {

struct CheckContext {
    const Module& module;
    Reporter& reporter;
    unsigned sm = 0; ///< of the first target; 0 where it is not known
};

std::string versionText(unsigned version); ///< "7.8" of 78

/// `.version` and `.target`.
void checkHead(CheckContext& context);
/// Opcode and modifiers are known; operands as many as the opcode takes; what is written can be written.
void checkShape(CheckContext& context, const Function& function, const Instruction& instruction);
/// Types, rounding and the other modifiers that an opcode needs.
void checkTypes(CheckContext& context, const Function& function, const Instruction& instruction);
/// Ways through a body: its end, what is never reached, registers that nothing writes.
void checkFlow(CheckContext& context, const Function& function);

/// "add.s32" as written, with its modifiers.
std::string_view writtenName(const CheckContext& context, const Function& function, const Instruction& instruction);
/// "the register %r1 of type .b32", "the number 5", for messages.
std::string describe(const CheckContext& context, const Function& function, const Operand& operand);

} // namespace ptxwb::ptx
