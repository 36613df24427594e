// Which PTX version knows which target.
// Used by the checker and by whoever offers a target or a lower `.version`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ptxwb::ptx {

struct Target {
    unsigned sm = 0;    ///< 90 for sm_90a
    char suffix = '\0'; ///< 'a', 'f', or none
};
/// "sm_90a", also "compute_90a"; nothing where the word has another shape.
std::optional<Target> target(std::string_view word);

struct TargetRow {
    std::uint16_t sm;
    std::uint16_t plain, a, f; ///< first PTX version (10 * major + minor) for each suffix; 0 where there is none
};
/// Oldest first.
std::span<const TargetRow> targetRows();

/// First PTX version that knows the target; nothing where the table does not have it.
/// Source: each row tried with ptxas 13.0.88.
std::optional<std::uint16_t> firstVersion(Target target);

/// All versions that were released, oldest first, up to the newest that this program knows.
std::span<const std::uint16_t> ptxVersions();

} // namespace ptxwb::ptx
