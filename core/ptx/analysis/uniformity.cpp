#include "ptx/analysis/uniformity.h"

#include "ptx/analysis/accesses.h"

namespace ptxwb::ptx {

namespace {

bool differsByLane(std::string_view special) {
    return special.starts_with("%tid") || special.starts_with("%laneid") || special.starts_with("%lanemask") ||
           special.starts_with("%clock") || special.starts_with("%globaltimer") || special.starts_with("%pm");
}

/// The same answer for all lanes that take part, whatever the operands are.
bool sharesAnswer(const Function& function, const Instruction& instruction) {
    switch (instruction.opcode) {
    case Opcode::vote:
    case Opcode::redux:
    case Opcode::activemask: return true;
    case Opcode::bar:
    case Opcode::barrier: return function.has(instruction, Modifier::red);
    default: return false;
    }
}

/// Different answers even where all operands are the same.
bool differsAlways(const Instruction& instruction) {
    switch (instruction.opcode) {
    case Opcode::atom:
    case Opcode::shfl:
    case Opcode::match:
    case Opcode::elect:
    case Opcode::call:
    case Opcode::mma:
    case Opcode::wmma:
    case Opcode::wgmma:
    case Opcode::ldmatrix:
    case Opcode::movmatrix:
    case Opcode::tcgen05:
    case Opcode::alloca:
    case Opcode::unknown: return true;
    default: return false;
    }
}

class Builder {
public:
    Builder(const Module& module, const Function& function, const ControlFlow& flow)
        : m_module(module), m_function(function), m_flow(flow), m_accesses(function) {
        m_answer.divergentRegister.resize(function.registerCount);
        m_answer.divergentBranch.resize(function.instructions.size());
        m_answer.divergentBlock.resize(flow.blocks.size());
        m_answer.divergentInside.resize(flow.blocks.size());
    }

    Uniformity build() {
        if (!m_function.isEntry)
            for (const RegisterGroup& group : m_function.registers)
                for (const Variable& parameter : m_function.parameters)
                    if (parameter.name == group.stem) m_answer.divergentRegister[group.first] = true;
        for (m_changed = true; m_changed;) {
            m_changed = false;
            for (std::uint32_t i = 0; i < m_function.instructions.size(); ++i) visit(i);
        }
        return std::move(m_answer);
    }

private:
    bool readsDivergent(const Operand& operand) const {
        if (operand.kind == OperandKind::reg) return m_answer.divergentRegister[operand.symbol];
        if (operand.kind == OperandKind::special) return differsByLane(m_module.textOf(operand.span));
        for (const Operand& child : m_function.childrenOf(operand))
            if (readsDivergent(child)) return true;
        return false;
    }

    bool sourcesDiffer(std::uint32_t index) const {
        const Instruction& instruction = m_function.instructions[index];
        for (const RegisterAccess& access : m_accesses.of(index))
            if (access.kind == Access::read && m_answer.divergentRegister[access.reg]) return true;
        for (const Operand& operand : m_function.operandsOf(instruction))
            if (operand.kind == OperandKind::special && readsDivergent(operand)) return true;
        // Parameters of a device function and memory of a lane's own differ.
        const StateSpace space = m_function.spaceOf(instruction);
        if (instruction.opcode == Opcode::ld)
            return space == StateSpace::local || (space == StateSpace::param && !m_function.isEntry);
        return false;
    }

    void visit(std::uint32_t index) {
        const Instruction& instruction = m_function.instructions[index];
        const bool guardDiffers = instruction.guard != noIndex && m_answer.divergentRegister[instruction.guard];
        const bool sources = sourcesDiffer(index);
        const bool value = !sharesAnswer(m_function, instruction) && (sources || differsAlways(instruction));
        // Lanes that are elsewhere keep the old value, and so differ from those that are here.
        const bool place = guardDiffers || m_answer.divergentBlock[m_flow.blockOf[index]];
        if (value || place)
            for (const RegisterAccess& access : m_accesses.of(index))
                if (access.kind != Access::read) mark(m_answer.divergentRegister, access.reg);
        const bool leaves = instruction.opcode == Opcode::bra || endsBlock(m_module, m_function, instruction);
        if ((leaves && guardDiffers) || (instruction.opcode == Opcode::brx && (sources || guardDiffers)))
            if (mark(m_answer.divergentBranch, index)) spread(m_flow.blockOf[index]);
    }

    bool mark(std::vector<bool>& set, std::size_t index) {
        if (set[index]) return false;
        set[index] = true;
        m_changed = true;
        return true;
    }

    /// Everything between a branch that diverges and the block where all its ways meet again.
    void spread(Index block) {
        const Index meeting = m_flow.postDominator[block];
        std::vector<Index> work = m_flow.blocks[block].successors;
        while (!work.empty()) {
            const Index at = work.back();
            work.pop_back();
            if (at == meeting || !mark(m_answer.divergentBlock, at)) continue;
            for (const Index to : m_flow.blocks[at].successors) work.push_back(to);
        }
        spreadInside(block);
    }

    /// Blocks that one side of the branch comes to and the other, which goes on elsewhere, does not come to for
    /// certain. A side that only leaves the function is not counted: nobody waits for lanes that have ended.
    void spreadInside(Index block) {
        std::vector<Index> sides;
        for (const Index to : m_flow.blocks[block].successors)
            if (!onlyLeaves(to)) sides.push_back(to);
        if (sides.size() < 2) return;
        const Index meeting = m_flow.postDominator[block] != noIndex ? m_flow.postDominator[block] : commonEnd(sides);
        while (!sides.empty()) {
            const Index at = sides.back();
            sides.pop_back();
            if (at == meeting || !mark(m_answer.divergentInside, at)) continue;
            for (const Index to : m_flow.blocks[at].successors) sides.push_back(to);
        }
    }

    bool onlyLeaves(Index block) const {
        return m_flow.blocks[block].successors.empty() && m_flow.blocks[block].leaves;
    }

    /// Where the sides meet if ways that leave the function are left out of account: the first block of the text that
    /// each side comes to. noIndex where there is none.
    Index commonEnd(const std::vector<Index>& sides) const {
        std::vector<unsigned> reachedBy(m_flow.blocks.size(), 0);
        for (const Index side : sides) {
            std::vector<bool> seen(m_flow.blocks.size(), false);
            std::vector<Index> work{side};
            while (!work.empty()) {
                const Index at = work.back();
                work.pop_back();
                if (seen[at]) continue;
                seen[at] = true;
                ++reachedBy[at];
                for (const Index to : m_flow.blocks[at].successors) work.push_back(to);
            }
        }
        for (Index i = 0; i < reachedBy.size(); ++i)
            if (reachedBy[i] == sides.size()) return i;
        return noIndex;
    }

    const Module& m_module;
    const Function& m_function;
    const ControlFlow& m_flow;
    AccessTable m_accesses;
    Uniformity m_answer;
    bool m_changed = false;
};

} // namespace

Uniformity uniformity(const Module& module, const Function& function, const ControlFlow& flow) {
    return Builder(module, function, flow).build();
}

} // namespace ptxwb::ptx
