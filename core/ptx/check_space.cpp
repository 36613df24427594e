#include "ptx/check_context.h"

#include <fmt/format.h>

#include <bit>

namespace ptxwb::ptx {

namespace {

/// `.shared::cta` of the n-th address where an instruction names several spaces (cp.async), else that of all.
StateSpace spaceFor(const Function& function, const Instruction& instruction, std::size_t address) {
    StateSpace last = StateSpace::none;
    std::size_t seen = 0;
    for (const ModifierUse& use : function.modifiersOf(instruction)) {
        if (use.space == StateSpace::none) continue;
        last = use.space;
        if (seen++ == address) return use.space;
    }
    return last;
}

void checkBase(CheckContext& context, const Function& function, const Instruction& instruction, StateSpace space,
               const Operand& base) {
    if (base.kind != OperandKind::variable) return;
    const Variable& variable =
        base.owner == Owner::module ? context.module.variables[base.symbol] : variableOf(function, base.symbol);
    const StateSpace real = variable.space;
    if (space == real || real == StateSpace::none || real == StateSpace::reg) return;
    // A generic access takes what has a generic address by itself.
    if (space == StateSpace::none && real != StateSpace::param && real != StateSpace::constant) return;
    const std::string_view written = writtenName(context, function, instruction);
    Diagnostic* const d = context.reporter.error(
        base.span,
        space == StateSpace::none
            ? fmt::format("{} is in .{}, where {} without a state space does not reach", variable.name, name(real),
                          written)
            : fmt::format("{} is in .{}, and {} goes to .{}", variable.name, name(real), written, name(space)),
        fmt::format("write .{}", name(real)));
    Reporter::relate(d, context.module, variable.nameSpan, fmt::format("{} is declared here", variable.name));
}

/// At most 16 bytes at once; 32 in global memory from sm_100 on.
void checkAccessWidth(CheckContext& context, const Function& function, const Instruction& instruction) {
    const unsigned elements = function.vectorOf(instruction),
                   bytes = elements * sizeBytes(function.typeOf(instruction));
    if (elements == 1 || bytes <= 16) return;
    const std::string_view written = writtenName(context, function, instruction);
    const Span head{instruction.opcodeSpan.offset, static_cast<std::uint32_t>(written.size())};
    if (bytes > 32)
        context.reporter.error(head, fmt::format("{} would move {} bytes at once", written, bytes),
                               "the most is 32 bytes");
    else if (context.target.sm && context.target.sm < 100)
        context.reporter.error(head, fmt::format("{} moves 32 bytes at once, and that needs sm_100", written),
                               "move 16 bytes twice");
    else if (const StateSpace space = function.spaceOf(instruction);
             space != StateSpace::global && space != StateSpace::none)
        context.reporter.error(head, fmt::format("{} moves 32 bytes at once, and only .global takes that", written),
                               "move 16 bytes twice");
}

/// A register that holds an address is an integer, in whichever instruction.
void checkAddressRegister(CheckContext& context, const Function& function, const Operand& base) {
    if (base.kind != OperandKind::reg || base.component) return;
    const ScalarType type = function.registerType(base.symbol);
    if (!isFloat(type) && type != ScalarType::pred) return;
    context.reporter.error(
        base.span,
        fmt::format("{} is of type .{} and cannot hold an address", context.module.textOf(base.span), name(type)),
        "addresses are .u64 or .b64 (.u32 for .shared and .local)");
}

} // namespace

void checkSpace(CheckContext& context, const Function& function, const Instruction& instruction) {
    for (const Operand& operand : function.operandsOf(instruction))
        // What stands before coordinates is a tensor map or a texture; ptxas looks at its register less closely.
        if (operand.kind == OperandKind::address && operand.childCount == 1)
            checkAddressRegister(context, function, function.childrenOf(operand)[0]);
    switch (instruction.opcode) {
    case Opcode::ld:
    case Opcode::st:
        if (!function.has(instruction, Modifier::bulk)) checkAccessWidth(context, function, instruction);
        break;
    case Opcode::ldu:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::prefetch:
    case Opcode::cp: break;
    default: return;
    }
    std::size_t addresses = 0;
    for (const Operand& operand : function.operandsOf(instruction)) {
        if (operand.kind != OperandKind::address) continue;
        // The third address of an asynchronous copy is its barrier, in shared memory.
        const StateSpace space = addresses < 2 ? spaceFor(function, instruction, addresses) : StateSpace::shared;
        const bool tensorMap = function.has(instruction, Modifier::tensormap) ||
                               (operand.childCount > 1 && function.has(instruction, Modifier::tensor));
        if (!tensorMap) checkBase(context, function, instruction, space, function.childrenOf(operand)[0]);
        ++addresses;
    }
}

} // namespace ptxwb::ptx
