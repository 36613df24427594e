#include "gpu/architectures.h"

#include "support/json.h"
#include "support/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

namespace ptxwb::gpu {

namespace {

struct Field {
    std::string_view key;
    std::uint32_t Architecture::* member;
};

constexpr Field fields[] = {
    {"warp_size", &Architecture::warpSize},
    {"max_threads_per_block", &Architecture::maxThreadsPerBlock},
    {"max_warps_per_sm", &Architecture::maxWarpsPerSm},
    {"max_blocks_per_sm", &Architecture::maxBlocksPerSm},
    {"registers_per_sm", &Architecture::registersPerSm},
    {"registers_per_block", &Architecture::registersPerBlock},
    {"max_registers_per_thread", &Architecture::maxRegistersPerThread},
    {"register_allocation_unit", &Architecture::registerAllocationUnit},
    {"sub_partitions", &Architecture::subPartitions},
    {"shared_per_sm", &Architecture::sharedPerSm},
    {"shared_per_block", &Architecture::sharedPerBlock},
    {"shared_per_block_opt_in", &Architecture::sharedPerBlockOptIn},
    {"shared_reserved_per_block", &Architecture::sharedReservedPerBlock},
    {"shared_allocation_unit", &Architecture::sharedAllocationUnit},
    {"max_portable_cluster", &Architecture::maxPortableCluster},
};

/// Zero is right for what the driver reserves and would be a division by zero elsewhere.
Expected<std::uint32_t> count(const JsonReader& row, std::string_view key) {
    const auto value = row.integer(key);
    if (!value) return std::unexpected(value.error());
    const std::int64_t least = key == "shared_reserved_per_block" ? 0 : 1;
    if (*value < least || *value > std::numeric_limits<std::int32_t>::max())
        return row.at(key)->fail(fmt::format("expected a number from {}, got {}", least, *value));
    return static_cast<std::uint32_t>(*value);
}

Expected<Architecture> parseRow(const JsonReader& row) {
    Architecture result;
    auto arch = row.text("arch");
    auto name = row.text("name");
    if (!arch) return std::unexpected(std::move(arch.error()));
    if (!name) return std::unexpected(std::move(name.error()));
    result.arch = std::move(*arch);
    result.name = std::move(*name);
    for (const auto& field : fields) {
        const auto value = count(row, field.key);
        if (!value) return std::unexpected(value.error());
        result.*field.member = *value;
    }
    if (row.has("barriers_per_sm")) {
        const auto value = count(row, "barriers_per_sm");
        if (!value) return std::unexpected(value.error());
        result.barriersPerSm = *value;
    }
    return result;
}

} // namespace

Expected<std::vector<Architecture>> parseArchitectures(std::string_view text) {
    const auto parsed = parseJson(text, "architectures.json");
    if (!parsed) return std::unexpected(parsed.error());
    const auto rows = JsonReader(*parsed, "architectures.json").elements("architectures");
    if (!rows) return std::unexpected(rows.error());
    std::vector<Architecture> result;
    for (const auto& row : *rows) {
        auto one = parseRow(row);
        if (!one) return std::unexpected(std::move(one.error()));
        result.push_back(std::move(*one));
    }
    return result;
}

const std::vector<Architecture>& architectures() {
    static const std::vector<Architecture> table = [] {
        auto parsed = parseArchitectures(architecturesJson());
        if (!parsed) throw std::logic_error("the built-in architecture table is wrong: " + parsed.error().message);
        return std::move(*parsed);
    }();
    return table;
}

Expected<Architecture> architecture(std::string_view arch) {
    auto base = arch;
    if (base.ends_with('a') || base.ends_with('f')) base.remove_suffix(1);
    const auto& table = architectures();
    const auto found = std::ranges::find(table, base, &Architecture::arch);
    if (found != table.end()) return *found;
    std::vector<std::string> known;
    for (const auto& row : table) known.push_back(row.arch);
    const auto near = nearestName(arch, std::span<const std::string>(known));
    return failure(
        Cause::badRequest, fmt::format("the limits of \"{}\" are not known", arch),
        fmt::format("{}Known: {}.", near.empty() ? "" : fmt::format("Did you mean {}? ", near), fmt::join(known, " ")));
}

} // namespace ptxwb::gpu
