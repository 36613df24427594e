#include "ptx/check_context.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::ptx {

namespace {

using enum ScalarType;

/// The types whose rules are plain: none of 8 bits and less but the integers.
bool isPlain(ScalarType type) {
    return isSigned(type) || isUnsigned(type) || isBits(type) || type == pred || type == f16 || type == f16x2 ||
           type == bf16 || type == bf16x2 || type == f32 || type == f64 || type == f32x2 || type == u16x2 ||
           type == s16x2;
}

bool isInteger(ScalarType type) {
    return isSigned(type) || isUnsigned(type);
}

/// Source: PTX ISA 9.0, 9.2 Type Information for Instructions and Operands; tried with ptxas 13.0.88.
bool classesAgree(ScalarType instructionType, ScalarType registerType) {
    if (isBits(registerType) || isBits(instructionType)) return true;
    if (instructionType == f32x2 || instructionType == u16x2 || instructionType == s16x2) return true;
    if (isInteger(registerType) && isInteger(instructionType)) return true;
    return registerType == instructionType;
}

bool fits(ScalarType instructionType, ScalarType registerType, bool relaxed) {
    if (registerType == f16x2) return true; // ptxas takes it nearly everywhere
    if (instructionType == pred || registerType == pred) return instructionType == registerType;
    const unsigned wanted = sizeBytes(instructionType), given = sizeBytes(registerType);
    return (relaxed ? given >= wanted : given == wanted) && classesAgree(instructionType, registerType);
}

/// The type twice as wide: of mul.wide and mad.wide.
ScalarType widened(ScalarType type) {
    switch (type) {
    case u16: return u32;
    case s16: return s32;
    case u32: return u64;
    case s32: return s64;
    default: return none;
    }
}

/// The bits type as wide as `type`.
ScalarType bitsOf(ScalarType type) {
    switch (sizeBytes(type)) {
    case 2: return b16;
    case 4: return b32;
    case 8: return b64;
    default: return none;
    }
}

std::string listed(TypeSet types) {
    std::string all;
    for (unsigned i = 1; i <= static_cast<unsigned>(e3m2x4); ++i) {
        const auto type = static_cast<ScalarType>(i);
        if (types.has(type)) all += fmt::format("{}.{}", all.empty() ? "" : " ", name(type));
    }
    return all;
}

struct Wanted {
    ScalarType type = none;
    bool relaxed = false;
};

class TypeCheck {
public:
    TypeCheck(CheckContext& context, const Function& function, const Instruction& instruction)
        : m_context(context), m_function(function), m_instruction(instruction),
          m_operands(function.operandsOf(instruction)) {}

    void run() {
        const TypeRule* const rule = typeRule(m_instruction.opcode);
        if (!rule || has(Modifier::bulk) || has(Modifier::async)) return;
        if (!countTypes()) return;
        if (m_types < rule->typeCount) return missingType(*rule);
        if (needsHalf()) return;
        if (!classAllowed(*rule)) return;
        checkRounding();
        checkOperation();
        if (m_types != rule->typeCount && m_instruction.opcode != Opcode::atom && m_instruction.opcode != Opcode::red)
            return; // mixed precision, packed conversions
        checkVector();
        checkPacking();
        for (std::size_t i = 0; i < m_operands.size(); ++i) checkOperand(*rule, i);
    }

private:
    std::string_view written() const { return writtenName(m_context, m_function, m_instruction); }
    bool has(Modifier modifier) const { return m_function.has(m_instruction, modifier); }

    /// False where a modifier is unknown: it could be a type.
    bool countTypes() {
        for (const ModifierUse& use : m_function.modifiersOf(m_instruction)) {
            if (use.type != none) {
                if (m_types == 0) m_first = use.type;
                if (m_types == 1) m_second = use.type;
                ++m_types;
            } else if (use.id == Modifier::unknown && use.space == StateSpace::none && use.vector == 0) {
                return false;
            }
        }
        return true;
    }

    Span head() const {
        const auto modifiers = m_function.modifiersOf(m_instruction);
        const std::uint32_t end = modifiers.empty() ? m_instruction.opcodeSpan.end() : modifiers.back().span.end();
        return {m_instruction.opcodeSpan.offset, end - m_instruction.opcodeSpan.offset};
    }

    void missingType(const TypeRule& rule) {
        if (rule.typeCount == 2 && m_types == 1)
            m_context.reporter.error(head(),
                                     fmt::format("{} needs two types, of the result and of the source", written()),
                                     "for example cvt.u32.u64 or set.eq.u32.f32");
        else
            m_context.reporter.error(head(), fmt::format("{} needs a type", written()), example());
    }

    std::string example() const {
        const std::string_view opcodeName = instructionRow(m_instruction.opcode)->name;
        for (const Operand& operand : m_operands)
            if (operand.kind == OperandKind::reg) {
                const ScalarType type = m_function.registerType(operand.symbol);
                if (typeRule(m_instruction.opcode)->allowed.has(type))
                    return fmt::format("the first register is .{}: write {}.{}", name(type), written(), name(type));
                break;
            }
        return fmt::format("add it after {}, for example .u32 or .f32 as the operands are", opcodeName);
    }

    /// mul and mad of integers without .lo, .hi or .wide.
    bool needsHalf() {
        if (m_instruction.opcode != Opcode::mul && m_instruction.opcode != Opcode::mad) return false;
        const bool half = has(Modifier::lo) || has(Modifier::hi) || has(Modifier::wide);
        if (isInteger(m_first) == half) return false;
        if (half && isFloat(m_first))
            m_context.reporter.error(head(), fmt::format("{}: floating-point products have no halves", written()),
                                     "leave .lo, .hi or .wide out");
        else if (!half)
            m_context.reporter.error(
                head(),
                fmt::format("{} of integers needs .lo, .hi or .wide", instructionRow(m_instruction.opcode)->name),
                "the lower half is .lo, as in C");
        else
            return false;
        return true;
    }

    bool classAllowed(const TypeRule& rule) {
        if (rule.allowed.empty() || rule.allowed.has(m_first)) return true;
        std::string hint;
        const ScalarType sameBits = bitsOf(m_first);
        if (sizeBytes(m_first) == 1)
            hint = "registers are computed with in 16 bits and more: widen it with cvt first";
        else if (rule.allowed.has(sameBits))
            hint = fmt::format("it takes bits: write .{}", name(sameBits));
        else
            hint = "it takes " + listed(rule.allowed);
        m_context.reporter.error(
            head(), fmt::format("{} has no form for .{}", instructionRow(m_instruction.opcode)->name, name(m_first)),
            std::move(hint));
        return false;
    }

    bool hasRounding() const {
        for (const Modifier modifier : {Modifier::rn, Modifier::rz, Modifier::rm, Modifier::rp, Modifier::rna,
                                        Modifier::rs, Modifier::rni, Modifier::rzi, Modifier::rmi, Modifier::rpi})
            if (has(modifier)) return true;
        return false;
    }

    void roundingMissing(std::string_view hint) {
        m_context.reporter.error(head(), fmt::format("{} needs to be told how to round", written()), std::string(hint));
    }

    void checkRounding() {
        switch (m_instruction.opcode) {
        case Opcode::fma:
            if (!hasRounding()) roundingMissing("write .rn for the nearest, as C does");
            break;
        case Opcode::mad:
            if ((m_first == f32 || m_first == f64) && !hasRounding())
                roundingMissing("write .rn for the nearest, as C does");
            break;
        case Opcode::div:
        case Opcode::sqrt:
        case Opcode::rcp:
            if (!isFloat(m_first) || hasRounding() || has(Modifier::approx) || has(Modifier::full)) break;
            roundingMissing(m_first == f32 ? "write .rn for the nearest, or .approx for fast and less exact"
                                           : "write .rn for the nearest");
            break;
        case Opcode::rsqrt:
        case Opcode::sin:
        case Opcode::cos:
        case Opcode::lg2:
        case Opcode::ex2:
        case Opcode::tanh:
            if (!has(Modifier::approx))
                m_context.reporter.error(head(), fmt::format("{} exists as an approximation only", written()),
                                         fmt::format("write {}.approx", instructionRow(m_instruction.opcode)->name));
            break;
        case Opcode::cvt: checkConversionRounding(); break;
        default: break;
        }
    }

    void checkConversionRounding() {
        if (m_types != 2 || hasRounding() || has(Modifier::pack)) return;
        const bool from = isFloat(m_second), to = isFloat(m_first);
        const auto basic = [](ScalarType t) { return isInteger(t) || t == f16 || t == bf16 || t == f32 || t == f64; };
        if (!basic(m_first) || !basic(m_second)) return;
        if (from && isInteger(m_first)) return roundingMissing("write .rzi to cut the fraction off, as C does");
        if (to && isInteger(m_second)) return roundingMissing("write .rn for the nearest, as C does");
        if (from && to && sizeBytes(m_first) < sizeBytes(m_second))
            roundingMissing("write .rn for the nearest, as C does");
    }

    void checkOperation() {
        if (m_instruction.opcode == Opcode::setp || m_instruction.opcode == Opcode::set) {
            for (const ModifierUse& use : m_function.modifiersOf(m_instruction))
                if ((use.id >= Modifier::eq && use.id <= Modifier::nan) || use.id == Modifier::lo ||
                    use.id == Modifier::hi)
                    return;
            m_context.reporter.error(head(), fmt::format("{} needs a comparison", written()),
                                     "for example .eq, .lt or .ge");
        }
    }

    /// `.v4` and the number of elements agree.
    void checkVector() {
        std::size_t data = 0;
        switch (m_instruction.opcode) {
        case Opcode::ld:
        case Opcode::ldu: data = 0; break;
        case Opcode::st: data = 1; break;
        default: return;
        }
        if (data >= m_operands.size()) return;
        const Operand& operand = m_operands[data];
        const unsigned wanted = m_function.vectorOf(m_instruction);
        unsigned given = 1;
        if (operand.kind == OperandKind::vector)
            given = operand.childCount;
        else if (operand.kind == OperandKind::reg)
            given = operand.component ? 1 : m_function.groupOf(operand.symbol).vector;
        else
            return;
        if (given != wanted)
            m_context.reporter.error(operand.span,
                                     fmt::format("{} moves {} element{}, and {} has {}", written(), wanted,
                                                 wanted == 1 ? "" : "s", m_context.module.textOf(operand.span), given),
                                     given == 1 ? fmt::format("write the registers in braces: {{...}} with {}", wanted)
                                     : given == 2 || given == 4 || given == 8 ? fmt::format("write .v{}", given)
                                                                              : "");
    }

    /// `mov.b64 d, {a, b}`: a .b type, and elements of one width.
    void checkPacking() {
        const bool moves = m_instruction.opcode == Opcode::ld || m_instruction.opcode == Opcode::ldu ||
                           m_instruction.opcode == Opcode::st;
        if (!moves && m_instruction.opcode != Opcode::mov) return;
        for (const Operand& operand : m_operands) {
            if (operand.kind != OperandKind::vector) continue;
            unsigned bytes = 0;
            for (const Operand& child : m_function.childrenOf(operand)) {
                if (child.kind != OperandKind::reg || child.component) continue;
                const ScalarType type = m_function.registerType(child.symbol);
                if (type == pred) continue;
                if (bytes && sizeBytes(type) != bytes) {
                    m_context.reporter.error(
                        operand.span,
                        fmt::format("the elements of {} are not equally wide", m_context.module.textOf(operand.span)),
                        "pack registers of one width");
                    return;
                }
                bytes = sizeBytes(type);
            }
            if (!moves && m_function.vectorOf(m_instruction) == 1 && !isBits(m_first)) {
                m_context.reporter.error(
                    head(),
                    fmt::format("{} cannot pack or unpack {}", written(), m_context.module.textOf(operand.span)),
                    fmt::format("write mov.{}", name(bitsOf(m_first))));
                return;
            }
        }
    }

    Wanted wantedOf(OperandRole role) const {
        switch (role) {
        case OperandRole::exact: return {m_first, false};
        case OperandRole::exactSecond: return {m_second, false};
        case OperandRole::wide: return {widened(m_first), false};
        case OperandRole::relaxed: return {m_first, true};
        case OperandRole::relaxedSecond: return {m_second, true};
        case OperandRole::word: return {u32, false};
        case OperandRole::predicate: return {pred, false};
        default: return {};
        }
    }

    void checkOperand(const TypeRule& rule, std::size_t index) {
        if (index >= rule.roles.size()) return;
        OperandRole role = rule.roles[index];
        const bool wide = has(Modifier::wide);
        if (wide && role == OperandRole::exact && (index == 0 || index == 3)) role = OperandRole::wide;
        const Operand& operand = m_operands[index];
        if (role == OperandRole::address) return checkAddress(operand);
        const Wanted wanted = wantedOf(role);
        if (wanted.type == none || !isPlain(wanted.type)) return;
        if (m_instruction.opcode == Opcode::cvt && !(isPlain(m_first) && isPlain(m_second))) return;
        if (operand.kind == OperandKind::pair) {
            const auto children = m_function.childrenOf(operand);
            checkValue(children[0], wanted);
            checkValue(children[1], {pred, false});
        } else if (operand.kind == OperandKind::vector) {
            if (m_instruction.opcode == Opcode::ld || m_instruction.opcode == Opcode::ldu ||
                m_instruction.opcode == Opcode::st)
                for (const Operand& child : m_function.childrenOf(operand)) checkValue(child, wanted);
        } else {
            checkValue(operand, wanted);
        }
    }

    void checkAddress(const Operand& operand) {
        if (operand.kind == OperandKind::unresolved) return;
        if (operand.kind != OperandKind::address) {
            m_context.reporter.error(
                operand.span,
                fmt::format("{} needs an address here, not {}", written(), describe(m_context, m_function, operand)),
                operand.kind == OperandKind::reg || operand.kind == OperandKind::variable
                    ? fmt::format("write [{}]", m_context.module.textOf(operand.span))
                    : "");
            return;
        }
        if (operand.childCount == 0) return;
        const Operand& base = m_function.childrenOf(operand)[0];
        if (base.kind != OperandKind::reg) return;
        const ScalarType type = m_function.registerType(base.symbol);
        if (type == pred || (isFloat(type) && type != f16x2))
            m_context.reporter.error(base.span,
                                     fmt::format("{} is of type .{} and cannot hold an address",
                                                 m_context.module.textOf(base.span), name(type)),
                                     "addresses are .u64 or .b64 (.u32 for .shared and .local)");
    }

    void checkValue(const Operand& operand, Wanted wanted) {
        switch (operand.kind) {
        case OperandKind::reg: return checkRegister(operand, wanted);
        case OperandKind::integer:
            if (isFloat(wanted.type) && wanted.type != f16x2 && wanted.type != bf16x2)
                m_context.reporter.error(operand.span,
                                         fmt::format("{} needs a floating-point number here, and {} is an integer",
                                                     written(), m_context.module.textOf(operand.span)),
                                         wanted.type == f32 || wanted.type == f64
                                             ? "write it with a point, or its bits as 0f and 8 hex digits"
                                             : "16-bit floating-point numbers come from a register");
            return;
        case OperandKind::floating: return checkReal(operand, wanted);
        default: return;
        }
    }

    void checkReal(const Operand& operand, Wanted wanted) {
        if (wanted.type == f32 || wanted.type == f64) return;
        if (isBits(wanted.type) && operand.floatBits == sizeBytes(wanted.type) * 8u) return;
        if (wanted.type == f16x2 || wanted.type == bf16x2) return;
        m_context.reporter.error(operand.span,
                                 fmt::format("{} cannot take the floating-point number {}", written(),
                                             m_context.module.textOf(operand.span)),
                                 isFloat(wanted.type) ? "16-bit floating-point numbers come from a register"
                                                      : "write an integer, or the bits as a hex number");
    }

    void checkRegister(const Operand& operand, Wanted wanted) {
        if (operand.component) return;
        const RegisterGroup& group = m_function.groupOf(operand.symbol);
        if (group.vector > 1 || fits(wanted.type, group.type, wanted.relaxed)) return;
        const std::string_view text = m_context.module.textOf(operand.span);
        const unsigned wantedBytes = sizeBytes(wanted.type), givenBytes = sizeBytes(group.type);
        std::string hint;
        if (wanted.type == pred)
            hint = "compare it with setp into a .pred register first";
        else if (group.type == pred)
            hint = "selp turns a predicate into a number";
        else if (givenBytes != wantedBytes)
            hint = fmt::format("use another register or another type of {}, or change the width with cvt",
                               instructionRow(m_instruction.opcode)->name);
        else
            hint = "mov.b32 or mov.b64 moves the bits between integer and floating-point registers";
        Diagnostic* const d =
            m_context.reporter.error(operand.span,
                                     fmt::format("{} needs .{} here{}, and {} is .{}", written(), name(wanted.type),
                                                 wanted.relaxed ? " or a wider register" : "", text, name(group.type)),
                                     std::move(hint));
        Reporter::relate(d, m_context.module, group.span, fmt::format("{} is declared here", text));
    }

    CheckContext& m_context;
    const Function& m_function;
    const Instruction& m_instruction;
    std::span<const Operand> m_operands;
    unsigned m_types = 0;
    ScalarType m_first = none, m_second = none;
};

} // namespace

void checkTypes(CheckContext& context, const Function& function, const Instruction& instruction) {
    TypeCheck(context, function, instruction).run();
}

} // namespace ptxwb::ptx
