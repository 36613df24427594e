#include "report/finding_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::report {

std::string conditions(const Finding& finding) {
    std::vector<std::string> parts;
    for (const auto& [symbol, size] : finding.set) parts.push_back(fmt::format("{} = {}", symbol, size));
    if (!finding.fill.empty()) parts.push_back("fill " + finding.fill);
    if (finding.seed) parts.push_back(fmt::format("seed {}", *finding.seed));
    if (finding.asAllocated) parts.push_back("buffers as allocated");
    if (finding.occurrences > 1) parts.push_back(fmt::format("{} times", finding.occurrences));
    return parts.empty() ? std::string{} : fmt::format(" [{}]", fmt::join(parts, ", "));
}

Diagnostic diagnosticOf(const Finding& finding, const std::string& file) {
    Diagnostic diagnostic;
    diagnostic.kind = std::string(name(finding.kind));
    diagnostic.severity = finding.check == "ptxas_warning" ? Severity::warning : Severity::error;
    diagnostic.place = {file, finding.line, finding.column, finding.length};
    diagnostic.message = fmt::format("{}: {}{}", name(finding.kind), finding.message, conditions(finding));
    diagnostic.hint = finding.hint;
    const auto relate = [&diagnostic](const std::string& where, std::uint32_t line, std::uint32_t column,
                                      std::string message) {
        RelatedPlace& place = diagnostic.related.emplace_back();
        place.place.file = where;
        place.place.line = line;
        place.place.column = column;
        place.message = std::move(message);
    };
    if (finding.cuda) relate(finding.cuda->file, finding.cuda->line, 0, "the CUDA line");
    for (const RelatedFinding& related : finding.related) relate(file, related.line, related.column, related.message);
    return diagnostic;
}

} // namespace ptxwb::report
