#include "ptx/targets.h"

#include <charconv>

namespace ptxwb::ptx {

namespace {

constexpr TargetRow rows[] = {
    // sm   plain  a   f
    {10, 10, 0, 0},    {11, 10, 0, 0},    {12, 12, 0, 0},    {13, 12, 0, 0},    {20, 20, 0, 0},    {21, 20, 0, 0},
    {30, 30, 0, 0},    {32, 40, 0, 0},    {35, 31, 0, 0},    {37, 41, 0, 0},    {50, 40, 0, 0},    {52, 41, 0, 0},
    {53, 42, 0, 0},    {60, 50, 0, 0},    {61, 50, 0, 0},    {62, 50, 0, 0},    {70, 60, 0, 0},    {72, 61, 0, 0},
    {75, 63, 0, 0},    {80, 70, 0, 0},    {86, 71, 0, 0},    {87, 74, 0, 0},    {88, 73, 0, 0},    {89, 78, 0, 0},
    {90, 78, 80, 0},   {100, 86, 86, 88}, {101, 86, 86, 88}, {103, 88, 88, 88}, {110, 90, 90, 90}, {120, 87, 87, 88},
    {121, 88, 88, 88},
};

constexpr std::uint16_t versions[] = {10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 30, 31, 32, 40, 41,
                                      42, 43, 50, 60, 61, 62, 63, 64, 65, 70, 71, 72, 73, 74, 75,
                                      76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90};

} // namespace

std::optional<Target> target(std::string_view word) {
    // ptxas takes `.target compute_90` for `.target sm_90`.
    const std::size_t prefix = word.starts_with("sm_") ? 3 : word.starts_with("compute_") ? 8 : 0;
    if (prefix == 0) return std::nullopt;
    Target answer;
    const char* const end = word.data() + word.size();
    const auto [at, error] = std::from_chars(word.data() + prefix, end, answer.sm);
    if (error != std::errc{} || answer.sm > 9999) return std::nullopt;
    if (at == end) return answer;
    if (at + 1 != end || (*at != 'a' && *at != 'f')) return std::nullopt;
    answer.suffix = *at;
    return answer;
}

std::span<const TargetRow> targetRows() {
    return rows;
}

std::optional<std::uint16_t> firstVersion(Target wanted) {
    for (const TargetRow& row : rows) {
        if (row.sm != wanted.sm) continue;
        const std::uint16_t first = wanted.suffix == 'a' ? row.a : wanted.suffix == 'f' ? row.f : row.plain;
        return first ? std::optional(first) : std::nullopt;
    }
    return std::nullopt;
}

std::span<const std::uint16_t> ptxVersions() {
    return versions;
}

} // namespace ptxwb::ptx
