#include "compare/print_text.h"

#include <nlohmann/json.hpp>

namespace ptxwb::compare {
namespace {

nlohmann::json lineOrNull(std::uint32_t line) {
    return line == 0 ? nlohmann::json() : nlohmann::json(line);
}

nlohmann::json nameOrNull(const std::string& name) {
    return name.empty() ? nlohmann::json() : nlohmann::json(name);
}

nlohmann::json spansOf(const std::vector<ColumnSpan>& spans) {
    nlohmann::json result = nlohmann::json::array();
    for (const ColumnSpan& span : spans) result.push_back({span.column, span.length});
    return result;
}

bool isListed(const Row& row, Level level) {
    if (level == Level::all) return true;
    return level == Level::renamed ? row.cls != RowClass::identical : isChange(row.cls);
}

nlohmann::json rowToJson(const Row& row) {
    const bool unpairedTrivia = row.trivia && isChange(row.cls);
    return {{"class", name(row.cls)},
            {"a_line", lineOrNull(row.leftLine)},
            {"b_line", lineOrNull(row.rightLine)},
            {"spans_a", spansOf(row.leftSpans)},
            {"spans_b", spansOf(row.rightSpans)},
            {"note", unpairedTrivia && row.note.empty() ? "no code on this line: not counted" : row.note}};
}

/// Consecutive rows under the same pair of names.
class Groups {
public:
    void add(const std::string& left, const std::string& right, nlohmann::json rows) {
        if (!rows.empty() || !left.empty() || !right.empty())
            m_groups.push_back({{"a", nameOrNull(left)}, {"b", nameOrNull(right)}, {"rows", std::move(rows)}});
    }
    nlohmann::json take() { return std::move(m_groups); }

private:
    nlohmann::json m_groups = nlohmann::json::array();
};

} // namespace

nlohmann::json toJson(const Comparison& comparison, std::string_view leftName, std::string_view rightName,
                      Level level) {
    nlohmann::json counts = nlohmann::json::object();
    for (std::size_t i = 0; i < rowClassCount; ++i)
        counts[std::string(name(static_cast<RowClass>(i)))] = comparison.counts.rows[i];
    const auto rows = [&](std::uint32_t begin, std::uint32_t end) {
        nlohmann::json result = nlohmann::json::array();
        for (std::uint32_t i = begin; i < end; ++i)
            if (isListed(comparison.rows[i], level)) result.push_back(rowToJson(comparison.rows[i]));
        return result;
    };
    Groups groups;
    std::uint32_t at = 0;
    for (const KernelPair& kernel : comparison.kernels) {
        groups.add({}, {}, rows(at, kernel.firstRow));
        at = kernel.firstRow + kernel.rowCount;
        groups.add(kernel.left, kernel.right, rows(kernel.firstRow, at));
    }
    groups.add({}, {}, rows(at, static_cast<std::uint32_t>(comparison.rows.size())));
    return {{"schema", 1},
            {"a", leftName},
            {"b", rightName},
            {"same", comparison.same},
            {"approximate", comparison.approximate},
            {"counts", std::move(counts)},
            {"kernels", groups.take()}};
}

} // namespace ptxwb::compare
