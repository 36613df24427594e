#include "compare/sass_rows.h"

#include "compare/align_steps.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace ptxwb::compare {

namespace {

bool isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$';
}

/// "R12", "UR4", "P0", "UP2", "B0", "SB1", ".L_x_3"; RZ, PT and URZ are values, not names.
std::string_view kindOf(std::string_view word) {
    if (word.starts_with(".L_")) return ".L";
    const auto digits = word.find_first_of("0123456789");
    if (digits == std::string_view::npos || digits == 0) return {};
    const std::string_view kind = word.substr(0, digits);
    constexpr std::array kinds{"R", "UR", "P", "UP", "B", "SB"};
    if (std::ranges::find(kinds, kind) == kinds.end()) return {};
    // What follows the number may be ".64" or ".reuse": that is kept by the caller.
    return word.find_first_not_of("0123456789", digits) == std::string_view::npos ? kind : std::string_view{};
}

std::string_view opcodeOf(std::string_view instruction) {
    if (instruction.starts_with('@'))
        instruction = instruction.substr(std::min(instruction.find(' '), instruction.size() - 1) + 1);
    return instruction.substr(0, instruction.find_first_of(". "));
}

std::vector<std::uint64_t> keysOf(const std::vector<std::string>& instructions) {
    std::vector<std::uint64_t> keys;
    for (const std::string& one : instructions) keys.push_back(std::hash<std::string>{}(withoutNames(one)));
    return keys;
}

/// What lies between two pairs of the alignment: instructions of the same opcode face each other, in order.
void addGap(const std::vector<std::string>& left, const std::vector<std::string>& right, LineRange l, LineRange r,
            std::vector<SassRow>& rows) {
    while (l.begin < l.end || r.begin < r.end) {
        if (l.begin < l.end && r.begin < r.end && opcodeOf(left[l.begin]) == opcodeOf(right[r.begin])) {
            rows.push_back({SassRowKind::changed, l.begin++, r.begin++});
            continue;
        }
        // The nearer partner decides who is skipped.
        const auto ahead = [](const std::vector<std::string>& texts, LineRange range, std::string_view opcode) {
            std::uint32_t i = range.begin;
            while (i < range.end && opcodeOf(texts[i]) != opcode) ++i;
            return i == range.end ? std::numeric_limits<std::uint32_t>::max() : i - range.begin;
        };
        const bool skipLeft = r.begin == r.end || (l.begin < l.end && ahead(left, l, opcodeOf(right[r.begin])) <=
                                                                          ahead(right, r, opcodeOf(left[l.begin])));
        if (skipLeft)
            rows.push_back({SassRowKind::removed, l.begin++, r.begin});
        else
            rows.push_back({SassRowKind::added, l.begin, r.begin++});
    }
}

} // namespace

std::string_view name(SassRowKind kind) {
    constexpr std::array<std::string_view, 5> names{"same", "renamed", "changed", "removed", "added"};
    return names[static_cast<std::size_t>(kind)];
}

std::string withoutNames(std::string_view instruction) {
    std::string text;
    for (std::size_t at = 0; at < instruction.size();) {
        std::size_t end = at;
        while (end < instruction.size() && isWord(instruction[end])) ++end;
        if (end == at) {
            text += instruction[at++];
            continue;
        }
        const std::string_view word = instruction.substr(at, end - at);
        // A register's ".64", ".reuse", ".H0" is not a part of its name.
        const std::size_t dot = word.starts_with(".L_") ? std::string_view::npos : word.find('.');
        const std::string_view kind = kindOf(word.substr(0, dot));
        if (kind.empty()) {
            text += word;
        } else {
            text += kind;
            if (dot != std::string_view::npos && word.substr(dot) != ".reuse") text += word.substr(dot);
        }
        at = end;
    }
    return text;
}

std::vector<SassRow> sassRows(const std::vector<std::string>& left, const std::vector<std::string>& right) {
    const LineRange all{0, static_cast<std::uint32_t>(left.size())},
        others{0, static_cast<std::uint32_t>(right.size())};
    Budget budget{};
    auto pairs = shortestEdit(keysOf(left), keysOf(right), all, others, budget);
    pairs.push_back({all.end, others.end});
    std::vector<SassRow> rows;
    LinePair next{0, 0};
    for (const LinePair& pair : pairs) {
        addGap(left, right, {next.left, pair.left}, {next.right, pair.right}, rows);
        if (pair.left == all.end) break;
        const bool same = left[pair.left] == right[pair.right];
        rows.push_back({same ? SassRowKind::same : SassRowKind::renamed, pair.left, pair.right});
        next = {pair.left + 1, pair.right + 1};
    }
    return rows;
}

} // namespace ptxwb::compare
