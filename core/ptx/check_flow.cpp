#include "ptx/analysis/uniformity.h"
#include "ptx/cfg.h"
#include "ptx/check_context.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

void checkEnd(CheckContext& context, const Function& function, const ControlFlow& flow) {
    bool falls = flow.blocks.empty();
    for (const Block& block : flow.blocks) falls |= block.fallsOff && block.reachable;
    if (!falls || function.bodySpan.length == 0) return;
    context.reporter.warning({function.bodySpan.end() - 1, 1},
                             fmt::format("'{}' can run off its end without ret or exit", function.name),
                             "ptxas takes this in silence; write ret; before the '}'");
}

void checkUnreachable(CheckContext& context, const Function& function, const ControlFlow& flow) {
    for (std::size_t i = 1; i < flow.blocks.size(); ++i) {
        const Block& block = flow.blocks[i];
        if (block.reachable || !block.predecessors.empty()) continue;
        const Instruction& before = function.instructions[block.first - 1];
        // After trap, exit or a call that does not return compilers leave a ret or a branch behind.
        if (before.opcode != Opcode::bra && before.opcode != Opcode::brx && before.opcode != Opcode::ret) continue;
        bool labelled = false;
        for (const Label& label : function.labels) labelled |= label.target == block.first;
        if (labelled) continue;
        const Instruction& first = function.instructions[block.first];
        context.reporter.warning(
            first.span,
            fmt::format("nothing leads here: the {} before always leaves, and no label stands between",
                        instructionRow(before.opcode)->name),
            "delete it, or put a label before it");
    }
}

/// A barrier of the whole block that some lanes of a warp may not come to.
bool isBlockBarrier(const Function& function, const Instruction& instruction) {
    if (instruction.opcode != Opcode::bar && instruction.opcode != Opcode::barrier) return false;
    if (function.has(instruction, Modifier::warp) || function.has(instruction, Modifier::arrive)) return false;
    return instruction.opcode == Opcode::bar || function.has(instruction, Modifier::aligned);
}

void checkBarriers(CheckContext& context, const Function& function, const ControlFlow& flow) {
    bool any = false;
    for (const Instruction& instruction : function.instructions) any |= isBlockBarrier(function, instruction);
    if (!any || !function.isEntry) return;
    const Uniformity uniform = uniformity(context.module, function, flow);
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        const Instruction& instruction = function.instructions[i];
        if (!isBlockBarrier(function, instruction)) continue;
        const bool guarded = instruction.guard != noIndex && uniform.divergentRegister[instruction.guard];
        if (!guarded && !uniform.divergentBlock[flow.blockOf[i]]) continue;
        // Lanes that have returned are not waited for.
        if (!guarded && !uniform.divergentInside[flow.blockOf[i]]) continue;
        context.reporter.warning(
            instruction.span, "not all threads of a warp need come to this barrier: the way here depends on the thread",
            "the others wait for ever, or the results are undefined; move it to where all meet again");
    }
}

/// Registers that are read but that no instruction writes: their value is whatever the hardware has there.
class WriteCheck {
public:
    WriteCheck(CheckContext& context, const Function& function)
        : m_context(context), m_function(function), m_written(function.registerCount, false),
          m_read(function.registerCount, false) {}

    void run() {
        for (const Variable& parameter : m_function.parameters)
            if (parameter.space == StateSpace::reg) m_parameters = true;
        std::size_t parameters = 0;
        if (m_parameters)
            for (const RegisterGroup& group : m_function.registers) {
                if (parameters++ == m_function.results.size() + m_function.parameters.size()) break;
                for (const Variable& parameter : m_function.parameters)
                    if (parameter.name == group.stem && parameter.space == StateSpace::reg)
                        m_written[group.first] = true;
            }
        for (const Instruction& instruction : m_function.instructions) collect(instruction);
        for (const Instruction& instruction : m_function.instructions) report(instruction);
    }

private:
    void mark(const Operand& operand) {
        if (operand.kind == OperandKind::reg) m_written[operand.symbol] = true;
        if (operand.kind == OperandKind::address) return;
        for (const Operand& child : m_function.childrenOf(operand)) mark(child);
    }

    void collect(const Instruction& instruction) {
        const auto operands = m_function.operandsOf(instruction);
        // Of an unknown instruction nobody knows what it writes.
        const std::size_t count =
            instruction.opcode == Opcode::unknown ? operands.size() : destinationCount(m_function, instruction);
        for (std::size_t i = 0; i < count && i < operands.size(); ++i) mark(operands[i]);
    }

    void read(const Operand& operand) {
        if (operand.kind == OperandKind::reg) use(operand.symbol, operand.span);
        for (const Operand& child : m_function.childrenOf(operand)) read(child);
    }

    void use(Index id, Span span) {
        if (m_written[id] || m_read[id]) return;
        m_read[id] = true;
        m_context.reporter.warning(
            span, fmt::format("no instruction of '{}' writes {}", m_function.name, m_function.registerName(id)),
            "its value is undefined; ptxas takes this in silence");
    }

    void report(const Instruction& instruction) {
        if (instruction.guard != noIndex)
            use(instruction.guard, {instruction.span.offset, instruction.opcodeSpan.offset - instruction.span.offset});
        const auto operands = m_function.operandsOf(instruction);
        const unsigned destinations = destinationCount(m_function, instruction);
        for (std::size_t i = 0; i < operands.size(); ++i)
            if (i >= destinations || operands[i].kind == OperandKind::address) read(operands[i]);
    }

    CheckContext& m_context;
    const Function& m_function;
    std::vector<bool> m_written, m_read;
    bool m_parameters = false;
};

} // namespace

void checkFlow(CheckContext& context, const Function& function) {
    const ControlFlow flow = controlFlow(context.module, function);
    checkEnd(context, function, flow);
    checkUnreachable(context, function, flow);
    checkBarriers(context, function, flow);
    WriteCheck(context, function).run();
}

} // namespace ptxwb::ptx
