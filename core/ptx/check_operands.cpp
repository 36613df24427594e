#include "ptx/check_context.h"
#include "ptx/operand_shapes.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

class OperandCheck {
public:
    OperandCheck(CheckContext& context, const Function& function, const Instruction& instruction, const ShapeRow& row)
        : m_context(context), m_function(function), m_instruction(instruction), m_row(row),
          m_operands(function.operandsOf(instruction)) {}

    void run() {
        if (!countFits()) return;
        // Operands that may be left out are taken in order, as long as enough stay for those that may not.
        std::size_t spare = m_operands.size() - m_row.required, at = 0;
        for (const OperandShape& shape : m_row.operands) {
            if (at >= m_operands.size()) break;
            if (shape.optional) {
                if (spare == 0) continue;
                --spare;
            }
            checkOne(m_operands[at++], shape);
        }
    }

private:
    std::string_view written() const { return writtenName(m_context, m_function, m_instruction); }

    bool countFits() {
        const std::size_t given = m_operands.size(), most = m_row.operands.size();
        if (given >= m_row.required && given <= most) return true;
        const std::string count =
            most == m_row.required ? std::to_string(most) : fmt::format("{} to {}", m_row.required, most);
        m_context.reporter.error(
            m_instruction.span,
            fmt::format("{} takes {} operand{}, not {}", written(), count, most == 1 ? "" : "s", given),
            given > most ? "take an operand away" : "an operand is missing");
        return false;
    }

    bool registerFits(const Operand& operand, const OperandShape& shape) const {
        const RegisterGroup& group = m_function.groupOf(operand.symbol);
        if (shape.may(Slot::anyRegister) || operand.component) return true;
        if (group.vector > 1) return shape.may(Slot::vector) || shape.may(Slot::anyRegister);
        if (group.type == ScalarType::pred) return shape.may(Slot::predicate);
        switch (sizeBytes(group.type)) {
        case 2: return shape.may(Slot::half);
        case 4: return shape.may(Slot::anyWord) || (shape.may(Slot::word) && group.type != ScalarType::f32);
        case 8: return shape.may(Slot::doubleWord);
        case 16: return shape.may(Slot::quadWord);
        default: return false;
        }
    }

    /// Where ptxas takes a register to read, it takes a number too; what is written has been checked before.
    static bool takesNumber(const OperandShape& shape) {
        for (const Slot slot : {Slot::integer, Slot::predicate, Slot::half, Slot::word, Slot::anyWord, Slot::doubleWord,
                                Slot::quadWord, Slot::anyRegister})
            if (shape.may(slot)) return true;
        return false;
    }

    bool fits(const Operand& operand, const OperandShape& shape) const {
        if (shape.may(Slot::anything)) return true;
        switch (operand.kind) {
        case OperandKind::reg: return registerFits(operand, shape);
        case OperandKind::integer: return takesNumber(shape);
        case OperandKind::floating: return shape.may(Slot::real) || shape.may(Slot::anyRegister);
        case OperandKind::address: return shape.may(Slot::address);
        case OperandKind::vector: return shape.may(Slot::vector);
        case OperandKind::sink: return shape.may(Slot::sink) || shape.may(Slot::anyRegister);
        case OperandKind::pair: return shape.may(Slot::anyRegister);
        case OperandKind::special:
            return shape.may(Slot::word) || shape.may(Slot::anyWord) || shape.may(Slot::integer) ||
                   shape.may(Slot::anyRegister);
        case OperandKind::unresolved: return true; // has been reported
        default: return false;
        }
    }

    static std::string wanted(const OperandShape& shape) {
        static constexpr std::pair<Slot, const char*> names[] = {
            {Slot::address, "an address"},
            {Slot::vector, "a vector"},
            {Slot::predicate, "a predicate"},
            {Slot::half, "a register of 16 bits"},
            {Slot::word, "an integer register of 32 bits"},
            {Slot::anyWord, "a register of 32 bits"},
            {Slot::doubleWord, "a register of 64 bits"},
            {Slot::quadWord, "a register of 128 bits"},
            {Slot::anyRegister, "a register"},
            {Slot::integer, "an integer"},
            {Slot::real, "a floating-point number"},
            {Slot::sink, "_"},
        };
        std::string all;
        for (const auto& [slot, text] : names)
            if (shape.may(slot)) all += (all.empty() ? "" : " or ") + std::string(text);
        return all;
    }

    void checkOne(const Operand& operand, const OperandShape& shape) {
        if (!fits(operand, shape)) {
            const bool bare =
                shape.may(Slot::address) && (operand.kind == OperandKind::reg || operand.kind == OperandKind::variable);
            m_context.reporter.error(operand.span,
                                     fmt::format("{} needs {} here, not {}", written(), wanted(shape),
                                                 describe(m_context, m_function, operand)),
                                     bare ? fmt::format("write [{}]", m_context.module.textOf(operand.span)) : "");
            return;
        }
        if (operand.kind == OperandKind::vector && shape.elements && operand.childCount != shape.elements)
            m_context.reporter.error(operand.span, fmt::format("{} takes a vector of {} here, and {} has {}", written(),
                                                               shape.elements, m_context.module.textOf(operand.span),
                                                               operand.childCount));
        if (operand.kind == OperandKind::integer && (operand.value < shape.least || operand.value > shape.most))
            m_context.reporter.error(
                operand.span,
                shape.least == shape.most
                    ? fmt::format("{} takes only {} here, not {}", written(), shape.least, operand.value)
                    : fmt::format("{} takes {} to {} here, not {}", written(), shape.least, shape.most, operand.value));
    }

    CheckContext& m_context;
    const Function& m_function;
    const Instruction& m_instruction;
    const ShapeRow& m_row;
    std::span<const Operand> m_operands;
};

} // namespace

void checkOperands(CheckContext& context, const Function& function, const Instruction& instruction) {
    const Spelling& spelling = context.spellings.of(writtenName(context, function, instruction), instruction.opcode,
                                                    function.modifiersOf(instruction));
    if (spelling.shape) OperandCheck(context, function, instruction, *spelling.shape).run();
}

} // namespace ptxwb::ptx
