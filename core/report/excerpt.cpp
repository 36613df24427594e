#include "report/excerpt.h"

#include "report/text.h"

#include <algorithm>
#include <map>

namespace ptxwb::report {

std::string_view name(LineRole role) {
    switch (role) {
    case LineRole::context: return "context";
    case LineRole::found: return "found";
    case LineRole::related: return "related";
    }
    return "context";
}

std::vector<ExcerptLine> excerptOf(const Finding& finding, std::string_view text) {
    const auto lines = linesOf(text);
    std::map<std::uint32_t, LineRole> wanted;
    const auto want = [&](std::uint32_t line, std::uint32_t around, LineRole role) {
        if (line == 0 || line > lines.size()) return;
        const auto last = std::min<std::uint64_t>(std::uint64_t{line} + around, lines.size());
        for (std::uint32_t i = line > around ? line - around : 1; i <= last; ++i) wanted.emplace(i, LineRole::context);
        wanted[line] = role;
    };
    for (const RelatedFinding& related : finding.related) want(related.line, 1, LineRole::related);
    want(finding.line, 3, LineRole::found);
    std::vector<ExcerptLine> excerpt;
    for (const auto& [number, role] : wanted)
        excerpt.push_back({number, role, lines[number - 1], !excerpt.empty() && excerpt.back().number + 1 != number});
    return excerpt;
}

} // namespace ptxwb::report
