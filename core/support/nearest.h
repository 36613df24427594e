// "did you mean": the known word nearest to a mistyped one.
// Called by the JSON readers, the command line, the PTX checker and the flag allow-list.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ptxwb {

/// Insertions, deletions, replacements and swaps of neighbours needed to get from `a` to `b`, in bytes.
std::size_t editDistance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, upper and lower case taken as almost the same; empty where none is near enough
/// (at most a third of the letters of the longer one may differ: none of one or two). The first of equally near ones.
std::string nearestName(std::string_view word, std::span<const std::string_view> candidates);
std::string nearestName(std::string_view word, std::span<const std::string> candidates);

} // namespace ptxwb
