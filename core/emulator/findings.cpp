#include "emulator/findings.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {
ptx::Span spanOf(CodePlace place) {
    return place.op ? place.function->source->instructions[place.op->instruction].span : ptx::Span{};
}
} // namespace

FindingCollector::Key FindingCollector::keyOf(FindingKind kind, CodePlace place, CodePlace other) const {
    return {kind, spanOf(place).offset, spanOf(other).offset};
}

bool FindingCollector::known(FindingKind kind, CodePlace place, CodePlace other, std::uint64_t block) {
    auto it = m_entries.find(keyOf(kind, place, other));
    if (it == m_entries.end() || it->second.block > block) return false;
    ++it->second.finding.occurrences;
    if (m_listens) m_heard.push_back(&it->second.finding);
    return true;
}

bool FindingCollector::add(std::uint64_t block, CodePlace place, Finding finding, CodePlace other) {
    const ptx::Span span = spanOf(place);
    const Place where = m_program->module->placeOf(span);
    finding.line = where.line;
    finding.column = where.column;
    finding.length = span.length;
    auto [it, isNew] = m_entries.try_emplace(keyOf(finding.kind, place, other));
    Entry& entry = it->second;
    if (isNew || block < entry.block) {
        finding.occurrences = isNew ? 1 : entry.finding.occurrences + 1;
        entry = {block, m_order++, std::move(finding)};
    } else {
        ++entry.finding.occurrences;
    }
    if (m_listens) m_heard.push_back(&entry.finding);
    return isNew;
}

void FindingCollector::merge(const FindingCollector& other) {
    for (const auto& [key, theirs] : other.m_entries) {
        auto [it, isNew] = m_entries.try_emplace(key, theirs);
        if (isNew) continue;
        const std::uint64_t occurrences = it->second.finding.occurrences + theirs.finding.occurrences;
        if (theirs.block < it->second.block) it->second = theirs;
        it->second.finding.occurrences = occurrences;
    }
}

std::vector<Finding> FindingCollector::take(std::uint64_t lastBlock, std::size_t limit) const {
    std::vector<const Entry*> entries;
    for (const auto& [key, entry] : m_entries)
        if (entry.block <= lastBlock) entries.push_back(&entry);
    std::ranges::sort(entries, {}, [](const Entry* e) {
        return std::tuple(e->block, e->finding.line, e->finding.column, e->finding.kind, e->order);
    });
    std::vector<Finding> out;
    for (const Entry* e : entries) {
        if (out.size() == limit) break;
        out.push_back(e->finding);
    }
    return out;
}

} // namespace ptxwb::emulator
