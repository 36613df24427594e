#include "ptx/analysis/reaching.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ptxwb::ptx {

namespace {

bool writes(std::span<const RegisterAccess> accesses, Index reg, bool& wholly) {
    bool any = false;
    for (const RegisterAccess& access : accesses) {
        if (access.reg != reg || access.kind == Access::read) continue;
        any = true;
        wholly |= access.kind == Access::write;
    }
    return any;
}

} // namespace

ReachingDefinitions::ReachingDefinitions(const Function& function, const ControlFlow& flow)
    : m_flow(flow), m_accesses(function) {
    std::vector<std::pair<Index, std::uint32_t>> all;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i)
        for (const RegisterAccess& access : m_accesses.of(i))
            if (access.kind != Access::read) all.emplace_back(access.reg, i);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const auto& [reg, instruction] : all) {
        if (m_registers.empty() || m_registers.back() != reg) {
            m_registers.push_back(reg);
            m_writers.emplace_back();
        }
        m_writers.back().push_back(instruction);
    }
}

std::vector<Definition> ReachingDefinitions::of(Index reg, std::uint32_t instruction) const {
    std::vector<Definition> found;
    bool untouched = false;
    const auto at = std::lower_bound(m_registers.begin(), m_registers.end(), reg);
    if (at == m_registers.end() || *at != reg) return {{reg, noIndex}};
    const std::vector<std::uint32_t>& writers = m_writers[static_cast<std::size_t>(at - m_registers.begin())];
    // Backwards from the read, block by block; within a block only the writers of this register are looked at.
    std::vector<bool> seen(m_flow.blocks.size(), false);
    std::vector<std::pair<Index, std::uint32_t>> work{{m_flow.blockOf[instruction], instruction}};
    while (!work.empty()) {
        const auto [block, end] = work.back();
        work.pop_back();
        const std::uint32_t first = m_flow.blocks[block].first;
        bool stopped = false;
        auto writer = std::lower_bound(writers.begin(), writers.end(), end);
        while (!stopped && writer != writers.begin() && *(writer - 1) >= first) {
            --writer;
            writes(m_accesses.of(*writer), reg, stopped);
            found.push_back({reg, *writer});
        }
        if (stopped) continue;
        untouched |= block == 0;
        for (const Index from : m_flow.blocks[block].predecessors) {
            if (seen[from]) continue;
            seen[from] = true;
            work.emplace_back(from, m_flow.blocks[from].end);
        }
    }
    std::sort(found.begin(), found.end(),
              [](const Definition& a, const Definition& b) { return a.instruction < b.instruction; });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (untouched || found.empty()) found.push_back({reg, noIndex});
    return found;
}

Webs webs(const Function& function, const ControlFlow& flow) {
    const ReachingDefinitions reaching(function, flow);
    const AccessTable accesses(function);
    std::map<std::pair<std::uint32_t, Index>, std::size_t> nodeOf; // (instruction, register) of a write
    std::vector<std::size_t> parent;
    std::vector<Webs::Web> made;
    const auto root = [&](std::size_t node) {
        while (parent[node] != node) node = parent[node] = parent[parent[node]];
        return node;
    };
    const auto node = [&](std::uint32_t instruction, Index reg) {
        const auto [found, isNew] = nodeOf.try_emplace({instruction, reg}, parent.size());
        if (isNew) {
            parent.push_back(parent.size());
            made.push_back({reg, {}, {}});
            if (instruction != noIndex) made.back().writes.push_back(instruction);
        }
        return found->second;
    };
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i)
        for (const RegisterAccess& access : accesses.of(i))
            if (access.kind != Access::read) node(i, access.reg);
    const auto join = [&](Index reg, std::uint32_t i) {
        std::size_t first = parent.size();
        for (const Definition& definition : reaching.of(reg, i)) {
            const std::size_t one = root(node(definition.instruction, reg));
            if (first == parent.size() || first == one)
                first = one;
            else
                parent[std::max(first, one)] = std::min(first, one), first = std::min(first, one);
        }
        return first;
    };
    std::vector<std::pair<std::size_t, std::uint32_t>> reads;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i)
        for (const RegisterAccess& access : accesses.of(i)) {
            if (access.kind == Access::read) reads.emplace_back(join(access.reg, i), i);
            // A guarded write goes on with what was there before.
            if (access.kind == Access::partialWrite) {
                const std::size_t before = join(access.reg, i), own = root(node(i, access.reg));
                if (before != own) parent[std::max(before, own)] = std::min(before, own);
            }
        }
    std::map<std::size_t, std::size_t> placeOf;
    Webs answer;
    for (std::size_t n = 0; n < parent.size(); ++n) {
        const auto [found, isNew] = placeOf.try_emplace(root(n), answer.all.size());
        if (isNew) answer.all.push_back({made[n].reg, {}, {}});
        auto& all = answer.all[found->second].writes;
        all.insert(all.end(), made[n].writes.begin(), made[n].writes.end());
    }
    for (const auto& [web, instruction] : reads) {
        auto& all = answer.all[placeOf.at(root(web))].reads;
        if (all.empty() || all.back() != instruction) all.push_back(instruction);
    }
    for (Webs::Web& web : answer.all) std::sort(web.writes.begin(), web.writes.end());
    return answer;
}

} // namespace ptxwb::ptx
