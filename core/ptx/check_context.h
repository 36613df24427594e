// What the parts of the checker share.
// Made by `check`; used by the check_*.cpp files only.
#pragma once

#include "ptx/forms.h"
#include "ptx/operand_roles.h"
#include "ptx/reporter.h"
#include "ptx/targets.h"

#include <unordered_map>

namespace ptxwb::ptx {

struct ShapeRow;

/// What the tables say about one spelling of an instruction, `ld.global.f32`.
struct Spelling {
    Fit fit;
    const ShapeRow* shape = nullptr;
};

/// A file has thousands of instructions and few spellings.
class Spellings {
public:
    const Spelling& of(std::string_view written, Opcode opcode, std::span<const ModifierUse> words);

private:
    std::unordered_map<std::string_view, Spelling> m_known;
};

struct CheckContext {
    CheckContext(const Module& m, Reporter& r) : module(m), reporter(r) {}

    const Module& module;
    Reporter& reporter;
    Target target; ///< the first one; its sm is 0 where it is not known
    Spellings spellings;
};

std::string versionText(unsigned version); ///< "7.8" of 78

/// `.version` and `.target`.
void checkHead(CheckContext& context);
/// Opcode and modifiers are known; operands as many as the opcode takes; what is written can be written.
void checkShape(CheckContext& context, const Function& function, const Instruction& instruction);
/// `.version` and `.target` are new enough for the form of the instruction.
void checkAge(CheckContext& context, const Function& function, const Instruction& instruction);
/// The modifiers and types stand together in a form of the table.
void checkForm(CheckContext& context, const Function& function, const Instruction& instruction);
/// Number and kinds of operands as the form has them, numbers in range.
void checkOperands(CheckContext& context, const Function& function, const Instruction& instruction);
/// Variables lie in the state space that the instruction goes to; no access is too wide.
void checkSpace(CheckContext& context, const Function& function, const Instruction& instruction);
/// Vectors have as many elements as the form says: fragments of matrices, texels, packed moves.
void checkVectors(CheckContext& context, const Function& function, const Instruction& instruction);
/// Types, rounding and the other modifiers that an opcode needs.
void checkTypes(CheckContext& context, const Function& function, const Instruction& instruction);
/// Ways through a body: its end, what is never reached, registers that nothing writes.
void checkFlow(CheckContext& context, const Function& function);

/// "add.s32" as written, with its modifiers.
std::string_view writtenName(const CheckContext& context, const Function& function, const Instruction& instruction);
/// "the register %r1 of type .b32", "the number 5", for messages.
std::string describe(const CheckContext& context, const Function& function, const Operand& operand);

} // namespace ptxwb::ptx
