#include "kernel/launch_shape.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::kernel {

namespace {

class Shaper {
public:
    Shaper(const LaunchShape& spec, const LaunchOverride* own, const Symbols& symbols, std::string_view path,
           LaunchPart& part)
        : m_spec(spec), m_own(own), m_symbols(symbols), m_path(path), m_data(part) {}

    Expected<void> shape() {
        // Source: CUDA C++ Programming Guide 13.0, table "Technical Specifications per Compute Capability".
        constexpr std::array<std::int64_t, 3> gridLimits{2147483647, 65535, 65535}, blockLimits{1024, 1024, 64};
        const auto* own = m_own;
        const auto& spec = m_spec;
        const bool ownGrid = own && own->grid, ownBlock = own && own->block;
        const auto grid = triple(ownGrid ? *own->grid : spec.grid, ownGrid, "grid", gridLimits);
        if (!grid) return std::unexpected(grid.error());
        const auto block = triple(ownBlock ? *own->block : spec.block, ownBlock, "block", blockLimits);
        if (!block) return std::unexpected(block.error());
        m_data.grid = *grid;
        m_data.block = *block;
        if (ownGrid && m_data.launchesNothing()) {
            // Where the spec launches nothing either, there is nothing to do.
            const auto planned = triple(spec.grid, false, "grid", gridLimits);
            if (!planned) return std::unexpected(planned.error());
            if (std::ranges::find(*planned, 0U) == planned->end())
                return refuseLaunch(
                    true,
                    fmt::format("//@ launch: grid [{}, {}, {}] launches nothing{}, the spec launches [{}, {}, {}]",
                                (*grid)[0], (*grid)[1], (*grid)[2], inBrackets(m_symbols), (*planned)[0], (*planned)[1],
                                (*planned)[2]),
                    "round up with ceil_div, or narrow the sizes with //@ require");
        }
        const std::uint64_t threads = std::uint64_t{m_data.block[0]} * m_data.block[1] * m_data.block[2];
        if (threads == 0 || threads > 1024)
            return refuseLaunch(ownBlock,
                                fmt::format("{}: {} x {} x {} = {} threads{}", pathOf(ownBlock, "block"),
                                            m_data.block[0], m_data.block[1], m_data.block[2], threads,
                                            inBrackets(m_symbols)),
                                "a block has 1 to 1024 threads");
        const bool ownShared = own && own->sharedBytes;
        const auto sharedPath = pathOf(ownShared, "shared_bytes");
        const auto shared = value(ownShared ? *own->sharedBytes : spec.sharedBytes, sharedPath);
        if (!shared) return std::unexpected(shared.error());
        if (*shared < 0 || *shared > (std::int64_t{1} << 20))
            return refuseLaunch(ownShared, fmt::format("{}: {} bytes{}", sharedPath, *shared, inBrackets(m_symbols)),
                                "no GPU gives a block more than 227 KiB");
        m_data.sharedBytes = static_cast<std::uint32_t>(*shared);
        m_data.cooperative = own && own->cooperative ? *own->cooperative : spec.cooperative;
        return cluster();
    }

private:
    Expected<std::int64_t> value(const Formula& formula, std::string_view path) const {
        return evaluateAt(formula, m_symbols, path);
    }

    std::unexpected<Diagnostic> refuseLaunch(bool own, std::string message, std::string hint) const {
        auto problem = failure(own ? Cause::rejected : Cause::badRequest, std::move(message), std::move(hint));
        problem.error().kind = "launch";
        return problem;
    }

    std::string pathOf(bool own, std::string_view key) const {
        return own ? fmt::format("//@ launch: {}", key) : fmt::format("{}.{}", m_path, key);
    }

    /// Values of x, y, z between 0 and `limits`.
    Expected<std::array<std::uint32_t, 3>> triple(const Formula3& formulas, bool own, std::string_view key,
                                                  const std::array<std::int64_t, 3>& limits) const {
        std::array<std::uint32_t, 3> result{};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto path = fmt::format("{}[{}]", pathOf(own, key), i);
            const auto number = value(formulas[i], path);
            if (!number) return std::unexpected(number.error());
            if (*number < 0 || *number > limits[i])
                return refuseLaunch(own,
                                    fmt::format("{}: \"{}\" = {} is not between 0 and {}{}", path,
                                                formulas[i].expression.text(), *number, limits[i],
                                                inBrackets(m_symbols)),
                                    "the hardware takes no other; split the work differently over the dimensions");
            result[i] = static_cast<std::uint32_t>(*number);
        }
        return result;
    }

    /// Source: CUDA C++ Programming Guide 13.0, Thread Block Clusters: the grid is a multiple of the cluster; 8 blocks
    /// are portable, an H100 takes 16 that ask for it.
    Expected<void> cluster() {
        constexpr std::uint64_t most = 16;
        const bool own = m_own && m_own->cluster;
        const auto blocks = triple(own ? *m_own->cluster : m_spec.cluster, own, "cluster", {most, most, most});
        if (!blocks) return std::unexpected(blocks.error());
        const std::uint64_t count = std::uint64_t{(*blocks)[0]} * (*blocks)[1] * (*blocks)[2];
        if (count == 0 || count > most)
            return refuseLaunch(own,
                                fmt::format("{}: {} x {} x {} = {} blocks{}", pathOf(own, "cluster"), (*blocks)[0],
                                            (*blocks)[1], (*blocks)[2], count, inBrackets(m_symbols)),
                                "a cluster has 1 to 16 blocks");
        for (std::size_t i = 0; i < 3; ++i)
            if (m_data.grid[i] % (*blocks)[i] != 0)
                return refuseLaunch(own,
                                    fmt::format("{}[{}]: {} does not divide the grid's {}{}", pathOf(own, "cluster"), i,
                                                (*blocks)[i], m_data.grid[i], inBrackets(m_symbols)),
                                    "round the grid up to whole clusters");
        m_data.cluster = *blocks;
        return {};
    }

    const LaunchShape& m_spec;
    const LaunchOverride* m_own;
    const Symbols& m_symbols;
    std::string_view m_path;
    LaunchPart& m_data;
};

} // namespace

Expected<void> shapeLaunch(const LaunchShape& spec, const LaunchOverride* own, LaunchData& data) {
    return Shaper(spec, own, data.symbols, "launch", data).shape();
}

Expected<void> shapePart(const LaunchShape& spec, const LaunchOverride* own, const Symbols& symbols,
                         std::string_view path, LaunchPart& part) {
    return Shaper(spec, own, symbols, path, part).shape();
}

Expected<std::int64_t> evaluateAt(const Formula& formula, const Symbols& symbols, std::string_view path) {
    auto result = formula.expression.evaluate(symbols);
    if (!result) return withPath(path, std::move(result.error()));
    return result;
}

std::unexpected<Diagnostic> withPath(std::string_view path, Diagnostic problem) {
    problem.message = fmt::format("{}: {}", path, problem.message);
    problem.place = {};
    return std::unexpected(std::move(problem));
}

} // namespace ptxwb::kernel
