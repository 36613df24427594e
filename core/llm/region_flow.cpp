#include "llm/region_flow.h"

#include "ptx/analysis/accesses.h"
#include "ptx/print.h"

#include <algorithm>
#include <map>
#include <set>

namespace ptxwb::llm {

namespace {

/// What is known of one register at a place: written, or only where a predicate holds (or does not).
struct Written {
    bool always = false;
    ptx::Index guard = ptx::noIndex;
    bool negated = false;
    bool operator==(const Written&) const = default;
    static Written meet(const Written& a, const Written& b) {
        if (a == b) return a;
        if (a.always) return b;
        if (b.always) return a;
        return {};
    }
};
using State = std::vector<Written>;

/// "bar.sync %r5, 64" as "bar.sync %, 64": which register holds the number is not what a barrier is.
std::string withoutRegisters(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] != '%') continue;
        while (i + 1 < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0 || text[i + 1] == '_'))
            ++i;
    }
    return out;
}

void collectLabels(const ptx::Function& entry, const ptx::Operand& operand, std::set<ptx::Index>& labels) {
    if (operand.kind == ptx::OperandKind::label) labels.insert(operand.symbol);
    for (const ptx::Operand& child : entry.childrenOf(operand)) collectLabels(entry, child, labels);
}

} // namespace

RegionFlow regionFlow(const ptx::Module& module, const ptx::Function& entry, const ptx::ControlFlow& flow,
                      std::uint32_t first, std::uint32_t end) {
    RegionFlow result;
    const auto inside = [&](std::uint32_t i) { return i >= first && i < end; };
    std::set<std::string> kept, exits;
    for (std::uint32_t i = 0; i < entry.instructions.size(); ++i) {
        std::set<ptx::Index> labels;
        for (const ptx::Operand& operand : entry.operandsOf(entry.instructions[i]))
            collectLabels(entry, operand, labels);
        for (const ptx::Index index : std::set<ptx::Index>(labels)) { // `.branchtargets` stand for all of theirs
            const ptx::Label& label = entry.labels[index];
            if (label.directive == ptx::noIndex) continue;
            labels.erase(index);
            for (const std::string_view name : entry.labelled[label.directive].targets)
                for (ptx::Index k = 0; k < entry.labels.size(); ++k)
                    if (entry.labels[k].name == name) labels.insert(k);
        }
        for (const ptx::Index index : labels) {
            const ptx::Label& label = entry.labels[index];
            // A label before the first instruction stays outside of the region.
            const bool isInside = label.target > first && label.target < end;
            if (isInside && !inside(i)) kept.emplace(label.name);
            if (!isInside && inside(i)) exits.emplace(label.name);
        }
    }
    result.keptLabels.assign(kept.begin(), kept.end());
    result.exits.assign(exits.begin(), exits.end());
    for (std::uint32_t i = first; i < end; ++i) {
        const ptx::Instruction& instruction = entry.instructions[i];
        result.leaves = result.leaves || instruction.opcode == ptx::Opcode::ret ||
                        instruction.opcode == ptx::Opcode::exit || instruction.opcode == ptx::Opcode::trap;
    }
    const ptx::Instruction& last = entry.instructions[end - 1];
    result.fallsThrough = last.guard != ptx::noIndex || !ptx::endsBlock(module, entry, last);
    (void)flow;
    return result;
}

std::vector<std::string> barriersIn(const ptx::Module& module, const ptx::Function& entry, std::uint32_t first,
                                    std::uint32_t end) {
    std::vector<std::string> all;
    for (std::uint32_t i = first; i < end; ++i) switch (entry.instructions[i].opcode) {
        case ptx::Opcode::bar:
        case ptx::Opcode::barrier: all.push_back(withoutRegisters(ptx::instructionText(module, entry, i))); break;
        default: break;
        }
    std::ranges::sort(all);
    return all;
}

std::vector<bool> writtenOnEveryWay(const ptx::Function& entry, const ptx::ControlFlow& flow, std::uint32_t first,
                                    std::uint32_t end, const std::vector<ptx::Index>& registers) {
    const ptx::AccessTable accesses(entry);
    const auto after = [&](State state, std::uint32_t i) {
        const ptx::Instruction& instruction = entry.instructions[i];
        for (const ptx::RegisterAccess& access : accesses.of(i)) {
            if (access.kind == ptx::Access::read) continue;
            for (Written& written : state)
                if (!written.always && written.guard == access.reg) written = {}; // the predicate is another one now
            const auto at = std::ranges::find(registers, access.reg);
            if (at == registers.end()) continue;
            Written& written = state[static_cast<std::size_t>(at - registers.begin())];
            if (instruction.guard == ptx::noIndex)
                written = access.kind == ptx::Access::write ? Written{true, ptx::noIndex, false} : written;
            else if (!written.always && written.guard == instruction.guard &&
                     written.negated != instruction.guardNegated)
                written = {true, ptx::noIndex, false};
            else if (!written.always)
                written = {false, instruction.guard, instruction.guardNegated};
        }
        return state;
    };
    const auto inside = [&](std::uint32_t i) { return i >= first && i < end; };
    std::map<std::uint32_t, State> before; // of instructions that were reached
    std::vector<std::uint32_t> work;
    const auto reach = [&](std::uint32_t i, const State& state) {
        const auto [at, isNew] = before.emplace(i, state);
        bool changed = isNew;
        if (!isNew)
            for (std::size_t k = 0; k < state.size(); ++k) {
                const Written met = Written::meet(at->second[k], state[k]);
                changed = changed || met != at->second[k];
                at->second[k] = met;
            }
        if (changed) work.push_back(i);
    };
    const State nothing(registers.size());
    reach(first, nothing);
    for (std::uint32_t i = first; i < end; ++i) {
        const ptx::Block& block = flow.blocks[flow.blockOf[i]];
        if (i == block.first)
            for (const ptx::Index from : block.predecessors)
                if (!inside(flow.blocks[from].end - 1)) reach(i, nothing);
    }
    std::vector<bool> always(registers.size(), true);
    const auto leave = [&](const State& state) {
        for (std::size_t k = 0; k < state.size(); ++k) always[k] = always[k] && state[k].always;
    };
    while (!work.empty()) {
        const std::uint32_t i = work.back();
        work.pop_back();
        const State state = after(before.at(i), i);
        const ptx::Block& block = flow.blocks[flow.blockOf[i]];
        if (i + 1 != block.end) {
            if (inside(i + 1)) reach(i + 1, state);
            continue;
        }
        for (const ptx::Index to : block.successors)
            if (inside(flow.blocks[to].first)) reach(flow.blocks[to].first, state);
    }
    // Exits only once all is known.
    for (const auto& [i, state] : before) {
        const ptx::Block& block = flow.blocks[flow.blockOf[i]];
        if (i + 1 != block.end) {
            if (!inside(i + 1)) leave(after(state, i));
            continue;
        }
        for (const ptx::Index to : block.successors)
            if (!inside(flow.blocks[to].first)) leave(after(state, i));
    }
    return always;
}

} // namespace ptxwb::llm
