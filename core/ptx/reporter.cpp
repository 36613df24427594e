#include "ptx/reporter.h"

#include "support/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ptxwb::ptx {

void Reporter::syntax(Span span, std::string message, std::string hint) {
    add(Severity::error, "syntax", span, std::move(message), std::move(hint));
}

Diagnostic* Reporter::error(Span span, std::string message, std::string hint) {
    return add(Severity::error, "type", span, std::move(message), std::move(hint));
}

Diagnostic* Reporter::warning(Span span, std::string message, std::string hint) {
    return add(Severity::warning, "type", span, std::move(message), std::move(hint));
}

Diagnostic* Reporter::note(Span span, std::string message, std::string hint) {
    return add(Severity::note, "type", span, std::move(message), std::move(hint));
}

void Reporter::relate(Diagnostic* diagnostic, const Module& module, Span span, std::string message) {
    if (diagnostic) diagnostic->related.push_back({module.placeOf(span), std::move(message)});
}

void Reporter::adopt(const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity == Severity::error) ++m_errors;
        m_entries.push_back(diagnostic);
    }
}

Diagnostic* Reporter::add(Severity severity, const char* kind, Span span, std::string&& message, std::string&& hint) {
    if (severity == Severity::error) ++m_errors;
    if (m_entries.size() >= limit) {
        ++m_dropped;
        return nullptr;
    }
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.cause = Cause::rejected;
    diagnostic.kind = kind;
    diagnostic.place = m_module.placeOf(span);
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    return &m_entries.emplace_back(std::move(diagnostic));
}

std::vector<Diagnostic> Reporter::take() {
    const auto before = [](const Diagnostic& a, const Diagnostic& b) {
        // What has no place (the count of messages not shown) goes last.
        const std::uint32_t lineA = a.place.line ? a.place.line : ~0u, lineB = b.place.line ? b.place.line : ~0u;
        return std::pair(lineA, a.place.column) < std::pair(lineB, b.place.column);
    };
    std::stable_sort(m_entries.begin(), m_entries.end(), before);
    std::vector<Diagnostic> all = std::exchange(m_entries, {});
    if (m_dropped) {
        Diagnostic rest;
        rest.severity = m_errors ? Severity::error : Severity::note;
        rest.cause = Cause::rejected;
        rest.kind = "syntax";
        rest.place.file = m_module.name;
        rest.message = fmt::format("{} more messages are not shown", m_dropped);
        rest.hint = "mend the first ones and check again";
        all.push_back(std::move(rest));
    }
    m_dropped = 0;
    return all;
}

std::string didYouMean(std::string_view word, const std::vector<std::string_view>& candidates) {
    const std::string nearest = nearestName(word, candidates);
    return nearest.empty() ? std::string() : fmt::format("did you mean '{}'?", nearest);
}

} // namespace ptxwb::ptx
