// What a name in the text stands for, and where a register's value lives: its uses, its definitions, its live range.
// Called by the window for the operand under the mouse and for the register that a person clicks.
#pragma once

#include "ptx/cfg.h"

#include <optional>
#include <string>
#include <vector>

namespace ptxwb::ptx {

/// An operand, or a guard's predicate, at a place of the text.
struct OperandAt {
    OperandKind kind = OperandKind::unresolved;
    Index function = noIndex; ///< into Module::functions
    std::uint32_t instruction = 0;
    Span span; ///< the name alone
    Owner owner = Owner::function;
    Index symbol = noIndex; ///< as Operand::symbol
};
/// `offset`: a byte of the text. Nothing where no operand with a name lies there.
std::optional<OperandAt> operandAt(const Module& module, std::uint32_t offset);

/// Where the operand's name is declared; nothing for special registers and numbers.
std::optional<Span> declarationOf(const Module& module, const OperandAt& operand);

/// One occurrence of a register.
struct Occurrence {
    std::uint32_t instruction = 0;
    Span span;
    bool isWrite = false;
    bool inRange = false; ///< belongs to the live range that was asked about
};

struct RegisterUse {
    std::vector<Occurrence> occurrences; ///< of the register in its function, in order of the text
    /// Writes that the operand's value may come from; of a written operand itself.
    std::vector<std::uint32_t> definitions;
    bool maybeUnwritten = false; ///< on some way nothing wrote it before
    /// By instruction: whether the value lives there, from behind a write to the last read.
    std::vector<bool> live;
};
/// `operand` is a register.
RegisterUse registerUse(const Module& module, const OperandAt& operand);

} // namespace ptxwb::ptx
