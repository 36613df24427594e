#include "ptx/cfg.h"

#include <algorithm>
#include <unordered_map>

namespace ptxwb::ptx {

namespace {

const LabelledDirective* branchTargets(const Function& function, const Instruction& instruction) {
    for (const Operand& operand : function.operandsOf(instruction)) {
        if (operand.kind != OperandKind::label) continue;
        const Index directive = function.labels[operand.symbol].directive;
        if (directive != noIndex) return &function.labelled[directive];
    }
    return nullptr;
}

bool isNoReturn(const Module& module, const Function& function, const Instruction& instruction) {
    for (const Operand& operand : function.operandsOf(instruction)) {
        if (operand.kind != OperandKind::function || operand.symbol >= module.functions.size()) continue;
        for (const PerformanceDirective& directive : module.functions[operand.symbol].directives)
            if (directive.name == ".noreturn") return true;
    }
    return false;
}

bool branches(const Instruction& instruction) {
    return instruction.opcode == Opcode::bra || instruction.opcode == Opcode::brx;
}

class Builder {
public:
    Builder(const Module& module, const Function& function) : m_module(module), m_function(function) {}

    ControlFlow build() {
        if (m_function.instructions.empty()) return {};
        cut();
        connect();
        order();
        postDominators();
        return std::move(m_flow);
    }

private:
    void cut() {
        const auto count = static_cast<std::uint32_t>(m_function.instructions.size());
        std::vector<bool> leader(count + 1, false);
        leader[0] = true;
        for (const Label& label : m_function.labels)
            if (label.directive == noIndex) leader[label.target] = true;
        for (std::uint32_t i = 0; i < count; ++i)
            if (branches(m_function.instructions[i]) || endsBlock(m_module, m_function, m_function.instructions[i]))
                leader[i + 1] = true;
        m_flow.blockOf.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (leader[i]) {
                m_flow.blocks.emplace_back();
                m_flow.blocks.back().first = i;
            }
            m_flow.blocks.back().end = i + 1;
            m_flow.blockOf[i] = static_cast<Index>(m_flow.blocks.size() - 1);
        }
    }

    void go(Block& from, std::uint32_t instruction) {
        if (instruction >= m_flow.blockOf.size()) {
            from.fallsOff = true;
            return;
        }
        const Index to = m_flow.blockOf[instruction];
        if (std::find(from.successors.begin(), from.successors.end(), to) == from.successors.end())
            from.successors.push_back(to);
    }

    void connect() {
        for (Block& block : m_flow.blocks) {
            const Instruction& last = m_function.instructions[block.end - 1];
            const bool guarded = last.guard != noIndex;
            const bool branch = branches(last);
            block.leaves = !branch && endsBlock(m_module, m_function, last);
            if (guarded || (!branch && !block.leaves)) go(block, block.end);
            if (branch) follow(block, last);
        }
        for (Index i = 0; i < m_flow.blocks.size(); ++i)
            for (const Index to : m_flow.blocks[i].successors) m_flow.blocks[to].predecessors.push_back(i);
    }

    void follow(Block& block, const Instruction& branch) {
        const auto operands = m_function.operandsOf(branch);
        if (branch.opcode == Opcode::bra) {
            if (operands.size() == 1 && operands[0].kind == OperandKind::label)
                go(block, m_function.labels[operands[0].symbol].target);
            else
                block.unresolved = true;
            return;
        }
        const LabelledDirective* const targets = branchTargets(m_function, branch);
        block.unresolved = targets == nullptr;
        if (!targets) return;
        for (const std::string_view name : targets->targets) {
            if (const Label* label = labelIn(name, targets->scope))
                go(block, label->target);
            else
                block.unresolved = true;
        }
    }

    /// The label that `name` means where `scope` is the innermost block.
    const Label* labelIn(std::string_view name, Index scope) {
        if (m_labels.empty())
            for (const Label& label : m_function.labels) m_labels[label.name].push_back(&label);
        const auto found = m_labels.find(name);
        if (found == m_labels.end()) return nullptr;
        for (; scope != noIndex; scope = m_function.scopes[scope].parent)
            for (const Label* label : found->second)
                if (label->scope == scope) return label;
        return nullptr;
    }

    void order() {
        std::vector<Index> postOrder;
        std::vector<std::uint8_t> seen(m_flow.blocks.size(), 0);
        std::vector<std::pair<Index, std::size_t>> stack{{0, 0}};
        seen[0] = 1;
        while (!stack.empty()) {
            auto& [block, next] = stack.back();
            if (next < m_flow.blocks[block].successors.size()) {
                const Index to = m_flow.blocks[block].successors[next++];
                if (!seen[to]) {
                    seen[to] = 1;
                    stack.emplace_back(to, 0);
                }
            } else {
                postOrder.push_back(block);
                stack.pop_back();
            }
        }
        m_flow.reversePostOrder.assign(postOrder.rbegin(), postOrder.rend());
        for (const Index block : postOrder) m_flow.blocks[block].reachable = true;
    }

    /// Dominators of the graph turned round, with one virtual node behind all ends.
    /// Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm".
    void postDominators() {
        const auto count = static_cast<Index>(m_flow.blocks.size());
        const Index exit = count;
        std::vector<std::vector<Index>> into(count + 1); // edges of the turned graph, towards the entry
        for (Index i = 0; i < count; ++i) {
            const Block& block = m_flow.blocks[i];
            if (!block.reachable) continue;
            if (block.leaves || block.fallsOff || block.unresolved) into[exit].push_back(i);
            for (const Index to : block.successors) into[to].push_back(i);
        }
        std::vector<Index> number(count + 1, noIndex), sequence;
        std::vector<std::pair<Index, std::size_t>> stack{{exit, 0}};
        std::vector<bool> seen(count + 1, false);
        seen[exit] = true;
        while (!stack.empty()) {
            auto& [node, next] = stack.back();
            if (next < into[node].size()) {
                const Index to = into[node][next++];
                if (!seen[to]) {
                    seen[to] = true;
                    stack.emplace_back(to, 0);
                }
            } else {
                number[node] = static_cast<Index>(sequence.size());
                sequence.push_back(node);
                stack.pop_back();
            }
        }
        std::vector<Index> dominator(count + 1, noIndex);
        dominator[exit] = exit;
        const auto meet = [&](Index a, Index b) {
            while (a != b) {
                while (number[a] < number[b]) a = dominator[a];
                while (number[b] < number[a]) b = dominator[b];
            }
            return a;
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = sequence.size() - 1; i-- > 0;) {
                const Index node = sequence[i];
                const Block& block = m_flow.blocks[node];
                Index best = noIndex;
                const auto take = [&](Index to) {
                    if (dominator[to] == noIndex) return;
                    best = best == noIndex ? to : meet(best, to);
                };
                if (block.leaves || block.fallsOff || block.unresolved) take(exit);
                for (const Index to : block.successors) take(to);
                if (best != dominator[node]) {
                    dominator[node] = best;
                    changed = true;
                }
            }
        }
        m_flow.postDominator.resize(count);
        for (Index i = 0; i < count; ++i) m_flow.postDominator[i] = dominator[i] == exit ? noIndex : dominator[i];
    }

    const Module& m_module;
    const Function& m_function;
    ControlFlow m_flow;
    std::unordered_map<std::string_view, std::vector<const Label*>> m_labels; ///< filled when a `brx.idx` asks
};

} // namespace

bool endsBlock(const Module& module, const Function& function, const Instruction& instruction) {
    switch (instruction.opcode) {
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap: return true;
    case Opcode::call: return isNoReturn(module, function, instruction);
    default: return false;
    }
}

ControlFlow controlFlow(const Module& module, const Function& function) {
    return Builder(module, function).build();
}

} // namespace ptxwb::ptx
