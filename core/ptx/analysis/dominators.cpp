#include "ptx/analysis/dominators.h"

#include <algorithm>

namespace ptxwb::ptx {

std::vector<Index> immediateDominators(const ControlFlow& flow) {
    const std::size_t count = flow.blocks.size();
    std::vector<Index> number(count, noIndex), immediate(count, noIndex);
    const auto& order = flow.reversePostOrder;
    if (order.empty()) return immediate;
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<Index>(i);
    immediate[order[0]] = order[0];
    const auto meet = [&](Index a, Index b) {
        while (a != b) {
            while (number[a] > number[b]) a = immediate[a];
            while (number[b] > number[a]) b = immediate[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 1; i < order.size(); ++i) {
            Index best = noIndex;
            for (const Index from : flow.blocks[order[i]].predecessors)
                if (flow.blocks[from].reachable && immediate[from] != noIndex)
                    best = best == noIndex ? from : meet(best, from);
            changed |= immediate[order[i]] != best;
            immediate[order[i]] = best;
        }
    }
    immediate[order[0]] = noIndex;
    return immediate;
}

bool dominates(const std::vector<Index>& immediate, Index dominator, Index block) {
    while (block != noIndex && block != dominator) block = immediate[block];
    return block == dominator;
}

namespace {

/// What reaches `from` backwards without going through the header.
void collect(const ControlFlow& flow, Index header, Index from, std::vector<bool>& inLoop) {
    std::vector<Index> work;
    const auto add = [&](Index block) {
        if (inLoop[block] || !flow.blocks[block].reachable) return;
        inLoop[block] = true;
        work.push_back(block);
    };
    inLoop[header] = true;
    add(from);
    while (!work.empty()) {
        const Index block = work.back();
        work.pop_back();
        for (const Index before : flow.blocks[block].predecessors) add(before);
    }
}

} // namespace

std::vector<Loop> loops(const ControlFlow& flow, const std::vector<Index>& immediate) {
    std::vector<Loop> all;
    for (const Index header : flow.reversePostOrder) {
        std::vector<bool> inLoop;
        for (const Index from : flow.blocks[header].predecessors) {
            if (!flow.blocks[from].reachable || !dominates(immediate, header, from)) continue;
            if (inLoop.empty()) inLoop.resize(flow.blocks.size());
            collect(flow, header, from, inLoop);
        }
        if (inLoop.empty()) continue;
        Loop loop;
        loop.header = header;
        for (Index i = 0; i < inLoop.size(); ++i)
            if (inLoop[i]) loop.blocks.push_back(i);
        all.push_back(std::move(loop));
    }
    // A header comes after those of the loops around it, so that the last one that has it is the nearest.
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t outer = i; outer-- > 0;) {
            if (!std::binary_search(all[outer].blocks.begin(), all[outer].blocks.end(), all[i].header)) continue;
            all[i].parent = static_cast<Index>(outer);
            all[i].depth = all[outer].depth + 1;
            break;
        }
    return all;
}

} // namespace ptxwb::ptx
