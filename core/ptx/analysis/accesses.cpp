#include "ptx/analysis/accesses.h"

#include "ptx/operand_roles.h"

namespace ptxwb::ptx {

namespace {

void appendReads(const Function& function, const Operand& operand, std::vector<RegisterAccess>& all) {
    if (operand.kind == OperandKind::reg) all.push_back({operand.symbol, Access::read});
    for (const Operand& child : function.childrenOf(operand)) appendReads(function, child, all);
}

void appendWrites(const Function& function, const Instruction& instruction, const Operand& operand,
                  std::vector<RegisterAccess>& all) {
    if (operand.kind == OperandKind::address) return;
    if (operand.kind == OperandKind::reg) {
        const bool part = operand.component != 0 || instruction.guard != noIndex;
        all.push_back({operand.symbol, part ? Access::partialWrite : Access::write});
    }
    for (const Operand& child : function.childrenOf(operand)) appendWrites(function, instruction, child, all);
}

} // namespace

void appendAccesses(const Function& function, const Instruction& instruction, std::vector<RegisterAccess>& all) {
    const auto operands = function.operandsOf(instruction);
    const unsigned destinations = destinationCount(function, instruction);
    if (instruction.guard != noIndex) all.push_back({instruction.guard, Access::read});
    // wgmma adds to its result, which is read for that.
    const bool accumulates = instruction.opcode == Opcode::wgmma;
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (i >= destinations || accumulates || operands[i].kind == OperandKind::address)
            appendReads(function, operands[i], all);
    for (std::size_t i = 0; i < operands.size() && i < destinations; ++i)
        appendWrites(function, instruction, operands[i], all);
}

AccessTable::AccessTable(const Function& function) {
    first.reserve(function.instructions.size() + 1);
    first.push_back(0);
    for (const Instruction& instruction : function.instructions) {
        appendAccesses(function, instruction, accesses);
        first.push_back(accesses.size());
    }
}

} // namespace ptxwb::ptx
