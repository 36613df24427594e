#include "ptx/analysis/liveness.h"

#include <algorithm>

namespace ptxwb::ptx {

namespace {

void renumber(Liveness& live) {
    for (const RegisterAccess& access : live.accesses.accesses) live.registers.push_back(access.reg);
    std::sort(live.registers.begin(), live.registers.end());
    live.registers.erase(std::unique(live.registers.begin(), live.registers.end()), live.registers.end());
    live.numberOf.reserve(live.accesses.accesses.size());
    for (const RegisterAccess& access : live.accesses.accesses) live.numberOf.push_back(live.number(access.reg));
}

/// Steps over one instruction against the flow.
template <class Set, class Clear>
void stepBack(const Liveness& live, std::size_t instruction, Set set, Clear clear) {
    const std::size_t first = live.accesses.first[instruction], end = live.accesses.first[instruction + 1];
    for (std::size_t i = first; i < end; ++i)
        if (live.accesses.accesses[i].kind == Access::write) clear(live.numberOf[i]);
    for (std::size_t i = first; i < end; ++i)
        if (live.accesses.accesses[i].kind == Access::read) set(live.numberOf[i]);
}

} // namespace

Index Liveness::number(Index registerId) const {
    const auto found = std::lower_bound(registers.begin(), registers.end(), registerId);
    return found != registers.end() && *found == registerId ? static_cast<Index>(found - registers.begin()) : noIndex;
}

std::vector<Index> Liveness::liveBefore(const ControlFlow& flow, std::uint32_t instruction) const {
    const Index block = flow.blockOf[instruction];
    BitRows one(1, registers.size());
    BitRows::unite(one.row(0), liveOut.row(block));
    for (std::uint32_t i = flow.blocks[block].end; i-- > instruction;)
        stepBack(*this, i, [&](Index n) { one.set(0, n); }, [&](Index n) { one.clear(0, n); });
    std::vector<Index> all;
    for (Index n = 0; n < registers.size(); ++n)
        if (one.has(0, n)) all.push_back(registers[n]);
    return all;
}

Liveness liveness(const Function& function, const ControlFlow& flow) {
    Liveness live(function);
    renumber(live);
    const std::size_t blocks = flow.blocks.size(), count = live.registers.size();
    live.liveIn = BitRows(blocks, count);
    live.liveOut = BitRows(blocks, count);
    BitRows written(blocks, count);
    for (std::size_t b = 0; b < blocks; ++b)
        for (std::uint32_t i = flow.blocks[b].end; i-- > flow.blocks[b].first;)
            stepBack(
                live, i, [&](Index n) { live.liveIn.set(b, n); },
                [&](Index n) {
                    live.liveIn.clear(b, n);
                    written.set(b, n);
                });
    std::vector<Index> work;
    std::vector<bool> queued(blocks, true);
    for (std::size_t b = 0; b < blocks; ++b) work.push_back(static_cast<Index>(b));
    while (!work.empty()) {
        const Index b = work.back();
        work.pop_back();
        queued[b] = false;
        const auto out = live.liveOut.row(b);
        bool changed = false;
        for (const Index to : flow.blocks[b].successors) changed |= BitRows::unite(out, live.liveIn.row(to));
        if (!changed) continue;
        const auto in = live.liveIn.row(b);
        const auto kill = written.row(b);
        for (std::size_t w = 0; w < in.size(); ++w) in[w] |= out[w] & ~kill[w];
        for (const Index from : flow.blocks[b].predecessors)
            if (!queued[from]) {
                queued[from] = true;
                work.push_back(from);
            }
    }
    return live;
}

std::vector<Pressure> registerPressure(const Function& function, const ControlFlow& flow, const Liveness& live) {
    std::vector<Pressure> all(function.instructions.size());
    std::vector<std::uint32_t> words(live.registers.size());
    std::vector<bool> predicate(live.registers.size());
    for (std::size_t n = 0; n < live.registers.size(); ++n) {
        const RegisterGroup& group = function.groupOf(live.registers[n]);
        predicate[n] = group.type == ScalarType::pred;
        words[n] = predicate[n] ? 1 : std::max(1u, sizeBytes(group.type) * group.vector / 4);
    }
    BitRows now(1, live.registers.size());
    for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
        Pressure at;
        const auto count = [&](Index n, bool in) {
            std::uint32_t& sum = predicate[n] ? at.predicates : at.words;
            sum = in ? sum + words[n] : sum - words[n];
        };
        const auto set = [&](Index n) {
            if (now.has(0, n)) return;
            now.set(0, n);
            count(n, true);
        };
        const auto clear = [&](Index n) {
            if (!now.has(0, n)) return;
            now.clear(0, n);
            count(n, false);
        };
        std::ranges::fill(now.row(0), 0);
        for (Index n = 0; n < live.registers.size(); ++n)
            if (live.liveOut.has(b, n)) set(n);
        for (std::uint32_t i = flow.blocks[b].end; i-- > flow.blocks[b].first;) {
            // What is written needs its place for a moment even where nobody reads it.
            for (std::size_t m = live.accesses.first[i]; m < live.accesses.first[i + 1]; ++m)
                if (live.accesses.accesses[m].kind != Access::read) set(live.numberOf[m]);
            all[i] = at;
            stepBack(live, i, set, clear);
            all[i] = {std::max(all[i].words, at.words), std::max(all[i].predicates, at.predicates)};
        }
    }
    return all;
}

} // namespace ptxwb::ptx
