#include "ptx/check_context.h"

#include <fmt/format.h>

#include <charconv>

namespace ptxwb::ptx {

namespace {

/// m, n and k of `.m16n8k16`; zeros where the instruction has no such word.
struct MatrixShape {
    unsigned m = 0, n = 0, k = 0;
};

unsigned takeNumber(std::string_view& text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc{} ? value : 0;
}

MatrixShape shapeOf(const Function& function, const Instruction& instruction) {
    for (const ModifierUse& use : function.modifiersOf(instruction)) {
        std::string_view text = name(use.id);
        MatrixShape shape;
        if (!text.starts_with('m')) continue;
        text.remove_prefix(1);
        shape.m = takeNumber(text);
        if (!text.starts_with('n')) continue;
        text.remove_prefix(1);
        shape.n = takeNumber(text);
        if (!text.starts_with('k')) continue;
        text.remove_prefix(1);
        shape.k = takeNumber(text);
        return shape;
    }
    return {};
}

/// Bits of one element of a matrix operand as it lies in registers.
unsigned elementBits(ScalarType type) {
    switch (type) {
    case ScalarType::b1: return 1;
    case ScalarType::u4:
    case ScalarType::s4:
    case ScalarType::b4: return 4;
    case ScalarType::tf32: return 32;
    case ScalarType::e2m1:
    case ScalarType::e2m3:
    case ScalarType::e3m2: return 8;
    default: return sizeBytes(type) * 8;
    }
}

class VectorCheck {
public:
    VectorCheck(CheckContext& context, const Function& function, const Instruction& instruction)
        : m_context(context), m_function(function), m_instruction(instruction),
          m_operands(function.operandsOf(instruction)) {}

    void run() {
        switch (m_instruction.opcode) {
        case Opcode::mma: return mma();
        case Opcode::wgmma: return wgmma();
        case Opcode::tcgen05: return tensorMemory();
        case Opcode::wmma: return wmma();
        case Opcode::tex:
        case Opcode::tld4:
        case Opcode::suld: return elements(0, m_function.vectorOf(m_instruction));
        case Opcode::sust:
            if (has(Modifier::p)) return;
            return elements(1, m_function.vectorOf(m_instruction));
        case Opcode::atom:
            if (m_function.vectorOf(m_instruction) == 1) return;
            elements(0, m_function.vectorOf(m_instruction));
            return elements(2, m_function.vectorOf(m_instruction));
        case Opcode::red:
            if (m_function.vectorOf(m_instruction) > 1) elements(1, m_function.vectorOf(m_instruction));
            return;
        case Opcode::st:
            if (m_function.vectorOf(m_instruction) > 1 && !has(Modifier::async))
                elements(1, m_function.vectorOf(m_instruction));
            return;
        case Opcode::mov: return mov();
        default: return;
        }
    }

private:
    bool has(Modifier modifier) const { return m_function.has(m_instruction, modifier); }
    std::string_view written() const { return writtenName(m_context, m_function, m_instruction); }

    /// Operand `index` has `count` elements; a plain register where that is 1 will do.
    void elements(std::size_t index, std::size_t count) {
        if (index >= m_operands.size() || count == 0) return;
        const Operand& operand = m_operands[index].kind == OperandKind::pair
                                     ? m_function.childrenOf(m_operands[index])[0]
                                     : m_operands[index];
        std::size_t given = 1;
        if (operand.kind == OperandKind::vector)
            given = operand.childCount;
        else if (operand.kind == OperandKind::reg)
            given = m_function.groupOf(operand.symbol).vector;
        else if (operand.kind != OperandKind::integer && operand.kind != OperandKind::floating)
            return;
        if (given == count) return;
        m_context.reporter.error(operand.span,
                                 fmt::format("{} takes {} element{} here, and {} has {}", written(), count,
                                             count == 1 ? "" : "s", m_context.module.textOf(operand.span), given));
    }

    /// Registers of a fragment are `bytes` wide.
    void registers(std::size_t index, unsigned bytes) {
        if (index >= m_operands.size() || m_operands[index].kind != OperandKind::vector) return;
        for (const Operand& child : m_function.childrenOf(m_operands[index])) {
            if (child.kind != OperandKind::reg || child.component) continue;
            const ScalarType type = m_function.registerType(child.symbol);
            if (sizeBytes(type) == bytes) continue;
            m_context.reporter.error(child.span,
                                     fmt::format("{} takes registers of {} bits here, and {} is .{}", written(),
                                                 bytes * 8, m_context.module.textOf(child.span), name(type)));
            return;
        }
    }

    void fragment(std::size_t index, unsigned rows, unsigned columns, ScalarType type) {
        const unsigned bits = elementBits(type), registerBits = bits == 64 ? 64 : 32;
        if (bits == 0) return;
        elements(index, std::max(1u, rows * columns * bits / (32 * registerBits)));
        registers(index, registerBits / 8);
    }

    void mma() {
        const MatrixShape shape = shapeOf(m_function, m_instruction);
        const bool sparse = has(Modifier::sp) || has(Modifier::sp_ordered_metadata);
        if (shape.m == 0) return;
        // m8n8k4 of f16: four lanes in eight work on one of four products.
        const ScalarType types[] = {m_function.typeOf(m_instruction, 0), m_function.typeOf(m_instruction, 1),
                                    m_function.typeOf(m_instruction, 2), m_function.typeOf(m_instruction, 3)};
        const unsigned copies = shape.k == 4 && types[1] == ScalarType::f16 ? 4 : 1;
        // Two elements of 4 bits and less of a block-scaled product fill a byte of their own.
        const bool packed = has(Modifier::kind_mxf4) || has(Modifier::kind_mxf4nvf4);
        const unsigned k = packed ? shape.k / 2 : shape.k;
        fragment(0, shape.m * copies, shape.n, types[0]);
        fragment(1, shape.m * copies, sparse ? k / 2 : k, types[1]);
        fragment(2, k * copies, shape.n, types[2]);
        fragment(3, shape.m * copies, shape.n, types[3]);
    }

    /// Source: PTX ISA 9.0, 9.7.15.5 wgmma.mma_async: the warpgroup's 128 threads share D.
    void wgmma() {
        if (!has(Modifier::mma_async)) return;
        const MatrixShape shape = shapeOf(m_function, m_instruction);
        const bool half = m_function.typeOf(m_instruction) == ScalarType::f16;
        elements(0, shape.n / (half ? 4 : 2));
        registers(0, 4);
        if (m_operands.size() > 1 && m_operands[1].kind == OperandKind::vector) elements(1, 4);
    }

    /// Source: PTX ISA 9.0, 9.7.16.8 tcgen05.ld and tcgen05.st.
    void tensorMemory() {
        const bool load = has(Modifier::ld), store = has(Modifier::st);
        if (!load && !store) return;
        const unsigned each = has(Modifier::d16x256b) ? 4 : has(Modifier::d16x128b) ? 2 : 1;
        unsigned repeat = 0;
        for (const ModifierUse& use : m_function.modifiersOf(m_instruction)) {
            std::string_view text = name(use.id);
            if (text.size() < 2 || text[0] != 'x' || text[1] > '9') continue;
            text.remove_prefix(1);
            repeat = takeNumber(text);
        }
        elements(load ? 0 : m_operands.size() - 1, each * repeat);
    }

    /// Source: PTX ISA 9.0, 9.7.14.2 Matrix fragments for wmma.
    static unsigned wmmaRegisters(const MatrixShape& shape, char matrix, ScalarType type) {
        const bool accumulator = matrix == 'c' || matrix == 'd';
        switch (type) {
        case ScalarType::f16: return accumulator ? 4 : 8;
        case ScalarType::f32:
        case ScalarType::s32: return shape.m * shape.n / 32;
        case ScalarType::tf32: return 4;
        case ScalarType::f64: return accumulator ? 2 : 1;
        case ScalarType::bf16:
        case ScalarType::u8:
        case ScalarType::s8: {
            const unsigned side = matrix == 'a' ? shape.m : shape.n;
            return side * shape.k * elementBits(type) / (32 * 32);
        }
        case ScalarType::u4:
        case ScalarType::s4:
        case ScalarType::b1: return 1;
        default: return 0;
        }
    }

    void wmma() {
        const MatrixShape shape = shapeOf(m_function, m_instruction);
        const ScalarType type = m_function.typeOf(m_instruction, 0);
        if (has(Modifier::load)) {
            const char matrix = has(Modifier::a) ? 'a' : has(Modifier::b) ? 'b' : 'c';
            return elements(0, wmmaRegisters(shape, matrix, type));
        }
        if (has(Modifier::store)) return elements(1, wmmaRegisters(shape, 'd', type));
        const ScalarType second = m_function.typeOf(m_instruction, 2) == ScalarType::none
                                      ? ScalarType::f16
                                      : m_function.typeOf(m_instruction, 1);
        const ScalarType last =
            second == ScalarType::f16 ? m_function.typeOf(m_instruction, 1) : m_function.typeOf(m_instruction, 3);
        elements(0, wmmaRegisters(shape, 'd', type));
        elements(1, wmmaRegisters(shape, 'a', second));
        elements(2, wmmaRegisters(shape, 'b', second));
        elements(3, wmmaRegisters(shape, 'c', last));
    }

    /// `mov.b64 d, {a, b}`: the elements together are as wide as the type.
    void mov() {
        if (m_function.vectorOf(m_instruction) > 1) return;
        const unsigned whole = sizeBytes(m_function.typeOf(m_instruction));
        for (const Operand& operand : m_operands) {
            if (operand.kind != OperandKind::vector || whole == 0) continue;
            for (const Operand& child : m_function.childrenOf(operand)) {
                if (child.kind != OperandKind::reg || child.component) continue;
                const ScalarType type = m_function.registerType(child.symbol);
                if (sizeBytes(type) * operand.childCount == whole) continue;
                m_context.reporter.error(
                    operand.span, fmt::format("{} moves {} bytes, and {} has {} elements of .{}", written(), whole,
                                              m_context.module.textOf(operand.span), operand.childCount, name(type)));
                return;
            }
        }
    }

    CheckContext& m_context;
    const Function& m_function;
    const Instruction& m_instruction;
    std::span<const Operand> m_operands;
};

} // namespace

void checkVectors(CheckContext& context, const Function& function, const Instruction& instruction) {
    VectorCheck(context, function, instruction).run();
}

} // namespace ptxwb::ptx
