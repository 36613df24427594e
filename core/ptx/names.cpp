#include "ptx/names.h"

#include "ptx/word_table.h"

#include <charconv>

namespace ptxwb::ptx {

namespace {

/// The number behind a stem, as ptxas reads it: leading zeros do not count, so %r01 is %r1.
std::optional<std::uint32_t> numberOf(std::string_view digits) {
    std::uint32_t value = 0;
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || at != digits.data() + digits.size()) return std::nullopt;
    return value;
}

} // namespace

std::size_t stemLength(std::string_view name) {
    std::size_t length = name.size();
    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9') --length;
    return length;
}

Names::Names() : m_slots(1024, noIndex) {
    m_scopes.push_back({0, 0});
}

void Names::open() {
    m_scopes.push_back({static_cast<Index>(m_bindings.size()), static_cast<Index>(m_uses.size())});
}

const Names::Record* Names::look(std::string_view name) const {
    const std::uint32_t hash = hashOf(name);
    for (std::size_t at = hash & (m_slots.size() - 1); m_slots[at] != noIndex; at = (at + 1) & (m_slots.size() - 1)) {
        const Record& record = m_records[m_slots[at]];
        if (record.hash == hash && record.name == name) return &record;
    }
    return nullptr;
}

Index Names::recordOf(std::string_view name) {
    const std::uint32_t hash = hashOf(name);
    std::size_t at = hash & (m_slots.size() - 1);
    for (; m_slots[at] != noIndex; at = (at + 1) & (m_slots.size() - 1)) {
        const Record& record = m_records[m_slots[at]];
        if (record.hash == hash && record.name == name) return m_slots[at];
    }
    const Index made = static_cast<Index>(m_records.size());
    m_slots[at] = made;
    m_records.push_back({name, hash});
    if (m_records.size() * 2 > m_slots.size()) grow();
    return made;
}

void Names::grow() {
    std::vector<Index> slots(m_slots.size() * 2, noIndex);
    for (Index i = 0; i < m_records.size(); ++i) {
        std::size_t at = m_records[i].hash & (slots.size() - 1);
        while (slots[at] != noIndex) at = (at + 1) & (slots.size() - 1);
        slots[at] = i;
    }
    m_slots = std::move(slots);
}

Found Names::found(const Binding& binding, Index offset) const {
    return {binding.kind, binding.index + offset, binding.span, binding.depth == depth()};
}

std::optional<Found> Names::find(std::string_view name) const {
    const Binding* exact = nullptr;
    const std::size_t stem = stemLength(name);
    if (stem == name.size() || stem == 0) {
        const Record* const record = look(name);
        if (!record || record->binding == noIndex) return std::nullopt;
        return found(m_bindings[record->binding], 0);
    }
    const Record* const stemRecord = look(name.substr(0, stem));
    if (!stemRecord) return std::nullopt; // an exact declaration would have made it
    if (stemRecord->numbered) {
        const Record* const record = look(name);
        if (record && record->binding != noIndex) exact = &m_bindings[record->binding];
    }
    if (stemRecord->range != noIndex) {
        if (const auto number = numberOf(name.substr(stem))) {
            for (Index i = stemRecord->range; i != noIndex; i = m_bindings[i].hidden) {
                const Binding& range = m_bindings[i];
                if (exact && exact->depth >= range.depth) break;
                if (*number < range.count) return found(range, *number);
            }
        }
    }
    if (!exact) return std::nullopt;
    return found(*exact, 0);
}

std::optional<Found> Names::conflict(std::string_view name) const {
    std::optional<Found> other = find(name);
    if (other && !other->inThisScope) other.reset();
    return other;
}

std::optional<Found> Names::rangeConflict(std::string_view stem, std::uint32_t count) const {
    const Record* const record = look(stem);
    if (!record) return std::nullopt;
    if (record->range != noIndex && m_bindings[record->range].depth == depth())
        return found(m_bindings[record->range], 0);
    if (record->numbered == 0) return std::nullopt;
    for (Index i = m_scopes.back().bindings; i < m_bindings.size(); ++i) {
        const Binding& binding = m_bindings[i];
        if (binding.isRange || binding.stem == noIndex || m_records[binding.stem].name != stem) continue;
        const auto number = numberOf(m_records[binding.record].name.substr(stem.size()));
        if (number && *number < count) return found(binding, 0);
    }
    return std::nullopt;
}

void Names::declare(std::string_view name, NameKind kind, Index index, Span span) {
    const Index record = recordOf(name);
    const std::size_t stem = stemLength(name);
    Index stemRecord = noIndex;
    if (stem != name.size() && stem != 0) {
        stemRecord = recordOf(name.substr(0, stem));
        ++m_records[stemRecord].numbered;
    }
    m_bindings.push_back({record, m_records[record].binding, index, 0, depth(), stemRecord, span, kind, false});
    m_records[record].binding = static_cast<Index>(m_bindings.size() - 1);
}

void Names::declareRange(std::string_view stem, std::uint32_t count, Index firstId, Span span) {
    const Index record = recordOf(stem);
    m_bindings.push_back(
        {record, m_records[record].range, firstId, count, depth(), noIndex, span, NameKind::reg, true});
    m_records[record].range = static_cast<Index>(m_bindings.size() - 1);
}

void Names::rebind(std::string_view name, Index index, Span span) {
    Record& record = m_records[recordOf(name)];
    if (record.binding == noIndex) return;
    m_bindings[record.binding].index = index;
    m_bindings[record.binding].span = span;
}

void Names::unbind(const Binding& binding) {
    Record& record = m_records[binding.record];
    (binding.isRange ? record.range : record.binding) = binding.hidden;
    if (binding.stem != noIndex) --m_records[binding.stem].numbered;
}

void Names::park(std::string_view name, Index tag, Span span) {
    const Index record = recordOf(name);
    m_uses.push_back({tag, span, record, m_records[record].uses});
    m_records[record].uses = static_cast<Index>(m_uses.size() - 1);
}

std::vector<Names::Use> Names::takeUnbound() {
    std::vector<Use> left;
    for (const Use& use : m_uses) {
        m_records[use.record].uses = noIndex;
        if (!use.bound) left.push_back(use);
    }
    m_uses.clear();
    return left;
}

} // namespace ptxwb::ptx
