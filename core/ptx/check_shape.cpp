#include "ptx/check_context.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

const std::vector<std::string_view>& opcodeNames() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
#define PTXWB_INSTRUCTION(id, text, ...) all.push_back(text);
#include "ptx/instructions.def"
#undef PTXWB_INSTRUCTION
        return all;
    }();
    return names;
}

const std::vector<std::string_view>& modifierNames() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
#define PTXWB_MODIFIER(id, text) all.push_back("." text);
#include "ptx/modifiers.def"
#undef PTXWB_MODIFIER
        for (const char* type :
             {".u8",   ".u16",    ".u32",    ".u64",   ".s8",    ".s16",   ".s32",    ".s64",  ".b8",  ".b16",
              ".b32",  ".b64",    ".b128",   ".f16",   ".f16x2", ".bf16",  ".bf16x2", ".tf32", ".f32", ".f64",
              ".pred", ".global", ".shared", ".local", ".param", ".const", ".v2",     ".v4"})
            all.push_back(type);
        return all;
    }();
    return names;
}

/// Spelled out: "add takes 3 operands (d,a,b), not 2".
void checkCount(CheckContext& context, const Function& function, const Instruction& instruction,
                const InstructionRow& row) {
    const unsigned given = instruction.operandCount;
    if (given >= row.minOperands && given <= row.maxOperands) return;
    std::string count = std::to_string(row.minOperands);
    if (row.maxOperands != row.minOperands) count += fmt::format(" to {}", row.maxOperands);
    const std::string pattern =
        row.operands.empty() || row.operands == "*" ? std::string() : fmt::format(" ({})", row.operands);
    const bool one = row.maxOperands == 1;
    context.reporter.error(instruction.span,
                           fmt::format("{} takes {} operand{}{}, not {}", writtenName(context, function, instruction),
                                       count, one ? "" : "s", pattern, given),
                           given > row.maxOperands ? "take an operand away" : "an operand is missing");
}

void checkDestination(CheckContext& context, const Function& function, const Instruction& instruction,
                      const Operand& operand) {
    switch (operand.kind) {
    case OperandKind::reg:
    case OperandKind::sink:
    case OperandKind::unresolved: return;
    case OperandKind::vector:
    case OperandKind::pair:
        for (const Operand& child : function.childrenOf(operand))
            checkDestination(context, function, instruction, child);
        return;
    default: break;
    }
    const bool special = operand.kind == OperandKind::special;
    context.reporter.error(
        operand.span,
        fmt::format("{} writes its first operand, and {} cannot be written",
                    writtenName(context, function, instruction), describe(context, function, operand)),
        special ? "special registers are read only" : "the first operand is the register for the result");
}

void checkGuard(CheckContext& context, const Function& function, const Instruction& instruction) {
    if (instruction.guard == noIndex) return;
    const ScalarType type = function.registerType(instruction.guard);
    if (type == ScalarType::pred) return;
    const std::uint32_t end = instruction.opcodeSpan.offset;
    context.reporter.error(
        {instruction.span.offset, end - instruction.span.offset - (end > instruction.span.offset ? 1 : 0)},
        fmt::format("{} is of type .{}, and only a predicate can guard an instruction",
                    function.registerName(instruction.guard), name(type)),
        "compare it with setp into a .pred register first");
}

/// Severity of a word that the table does not know: a PTX newer than it may have it.
void unknownWord(CheckContext& context, Span span, std::string message, std::string hint) {
    if (context.module.version <= ptxVersions().back())
        context.reporter.error(span, std::move(message), std::move(hint));
    else
        context.reporter.note(span, std::move(message), hint.empty() ? "newer versions of PTX may have it" : hint);
}

void checkBranch(CheckContext& context, const Function& function, const Instruction& instruction) {
    const auto operands = function.operandsOf(instruction);
    if (instruction.opcode != Opcode::bra || operands.size() != 1) return;
    const Operand& target = operands[0];
    if (target.kind == OperandKind::unresolved) return;
    if (target.kind != OperandKind::label)
        context.reporter.error(target.span,
                               fmt::format("bra goes to a label, not to {}", describe(context, function, target)),
                               "a jump through a table is brx.idx");
    else if (function.labels[target.symbol].directive != noIndex)
        context.reporter.error(target.span, "bra goes to one label, and this one names a list",
                               "a jump through a table is brx.idx");
}

} // namespace

std::string_view writtenName(const CheckContext& context, const Function& function, const Instruction& instruction) {
    const auto modifiers = function.modifiersOf(instruction);
    const std::uint32_t end = modifiers.empty() ? instruction.opcodeSpan.end() : modifiers.back().span.end();
    return context.module.textOf({instruction.opcodeSpan.offset, end - instruction.opcodeSpan.offset});
}

std::string describe(const CheckContext& context, const Function& function, const Operand& operand) {
    const std::string_view text = context.module.textOf(operand.span);
    switch (operand.kind) {
    case OperandKind::reg:
        return fmt::format("register {} of type .{}", text, name(function.registerType(operand.symbol)));
    case OperandKind::special: return fmt::format("special register {}", text);
    case OperandKind::integer: return fmt::format("the integer {}", text);
    case OperandKind::floating: return fmt::format("the floating-point number {}", text);
    case OperandKind::variable: return fmt::format("the variable {}", text);
    case OperandKind::label: return fmt::format("the label {}", text);
    case OperandKind::function: return fmt::format("the function {}", text);
    case OperandKind::address: return fmt::format("the address {}", text);
    case OperandKind::vector: return fmt::format("the vector {}", text);
    default: return fmt::format("'{}'", text);
    }
}

void checkShape(CheckContext& context, const Function& function, const Instruction& instruction) {
    checkGuard(context, function, instruction);
    const InstructionRow* const row = instructionRow(instruction.opcode);
    if (!row) {
        const std::string_view word = context.module.textOf(instruction.opcodeSpan);
        unknownWord(context, instruction.opcodeSpan, fmt::format("'{}' is no instruction of PTX 9.0", word),
                    didYouMean(word, opcodeNames()));
        return;
    }
    for (const ModifierUse& use : function.modifiersOf(instruction)) {
        if (use.id != Modifier::unknown || use.type != ScalarType::none || use.space != StateSpace::none || use.vector)
            continue;
        const std::string_view word = context.module.textOf(use.span);
        unknownWord(context, use.span, fmt::format("'{}' is no modifier of PTX 9.0", word),
                    didYouMean(word, modifierNames()));
    }
    checkAge(context, function, instruction);
    checkCount(context, function, instruction, *row);
    checkBranch(context, function, instruction);
    const auto operands = function.operandsOf(instruction);
    const unsigned destinations = destinationCount(function, instruction);
    if (instruction.opcode == Opcode::call) return;
    for (unsigned i = 0; i < destinations && i < operands.size(); ++i)
        checkDestination(context, function, instruction, operands[i]);
}

} // namespace ptxwb::ptx
