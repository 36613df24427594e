#include "kernel/sizes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ptxwb::kernel {

namespace {

constexpr std::int64_t largestTile = 1 << 16;
/// Of every magnitude, none next to a power of two that a tile may have.
constexpr auto primes = std::to_array<std::int64_t>({3, 7, 13, 43, 101, 211, 431, 997, 2027, 4111, 9001});

class Edges {
public:
    Edges(const KernelSpec& spec, const LaunchOverride* own, const SizesOptions& options)
        : m_spec(spec), m_own(own), m_options(options) {}

    Expected<std::vector<Symbols>> draw(std::size_t count) {
        std::vector<Symbols> result;
        for (const Use use : {Use::function, Use::stress}) {
            auto listed = sizes(m_spec, use, m_options);
            if (!listed) return std::unexpected(std::move(listed.error()));
            m_listed.insert(m_listed.end(), listed->begin(), listed->end());
        }
        std::ranges::stable_sort(m_listed, {}, [&](const Symbols& s) { return extentOf(m_spec, s); });
        const Symbols base = m_listed[m_listed.size() / 2];
        const double most = extentOf(m_spec, m_listed.back());
        std::vector<std::vector<std::int64_t>> wanted;
        std::size_t longest = 0;
        for (const SymbolSizes& symbol : m_spec.symbols) {
            wanted.push_back(edgesOf(symbol));
            longest = std::max(longest, wanted.back().size());
        }
        // Round by round, so that every symbol's first edges come before anyone's last.
        for (std::size_t round = 0; round < longest; ++round) {
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                if (round >= wanted[i].size() || result.size() >= count) continue;
                Symbols symbols = base;
                symbols[m_spec.symbols[i].name] = wanted[i][round];
                const bool known = std::ranges::find(m_listed, symbols) != m_listed.end() ||
                                   std::ranges::find(result, symbols) != result.end();
                if (known || extentOf(m_spec, symbols) > most) continue;
                const auto broken = violated(m_spec, m_options.require, symbols);
                if (!broken) return std::unexpected(broken.error());
                if (*broken == nullptr) result.push_back(std::move(symbols));
            }
        }
        return result;
    }

private:
    std::vector<std::int64_t> edgesOf(const SymbolSizes& symbol) const {
        std::vector<std::int64_t> values;
        for (const Symbols& listed : m_listed) values.push_back(listed.at(symbol.name));
        const auto [low, high] = std::ranges::minmax(values);
        std::vector<std::int64_t> edges;
        if (low == high) return edges; // a constant with a name
        const auto add = [&](std::int64_t value) {
            if (value >= 0 && value <= high && std::ranges::find(edges, value) == edges.end()) edges.push_back(value);
        };
        const auto tiles = tilesOf(symbol.name);
        add(0);
        add(1);
        for (const std::int64_t tile : tiles)
            for (const std::int64_t near : {tile + 1, tile - 1, tile}) add(near);
        for (auto prime = primes.rbegin(); prime != primes.rend(); ++prime) // the largest that is allowed, and smaller
            add(*prime);
        for (const std::int64_t tile : tiles)
            for (const std::int64_t near : {2 * tile + 1, 2 * tile - 1, 3 * tile}) add(near);
        return edges;
    }

    /// Numbers that stand beside the symbol in launch and extents, and the block's own.
    std::vector<std::int64_t> tilesOf(const std::string& symbol) const {
        std::vector<std::int64_t> tiles;
        const auto add = [&](std::int64_t number) {
            if (number > 1 && number <= largestTile && std::ranges::find(tiles, number) == tiles.end())
                tiles.push_back(number);
        };
        const auto look = [&](const Formula& formula) {
            if (std::ranges::find(formula.expression.symbols(), symbol) == formula.expression.symbols().end()) return;
            for (const std::int64_t number : formula.expression.numbers()) add(number);
        };
        const LaunchShape& shape = m_spec.launch;
        for (const Formula& formula : m_own && m_own->grid ? *m_own->grid : shape.grid) look(formula);
        for (const Formula& formula : shape.grid) look(formula);
        for (const auto* steps : {&m_spec.launches, &launchSteps(m_spec, m_own)})
            for (const LaunchStep& step : *steps)
                for (const Formula& formula : step.launch.grid) look(formula);
        for (const Argument& argument : m_spec.arguments) {
            if (argument.count) look(*argument.count);
            for (const Formula& formula : argument.shape) look(formula);
        }
        std::int64_t threads = 1;
        for (const Formula& formula : m_own && m_own->block ? *m_own->block : shape.block) {
            const auto value = formula.expression.evaluate(m_options.builtins);
            if (value && *value > 0 && *value <= 1024) threads *= *value;
        }
        add(threads);
        return tiles;
    }

    const KernelSpec& m_spec;
    const LaunchOverride* m_own;
    const SizesOptions& m_options;
    std::vector<Symbols> m_listed;
};

} // namespace

double extentOf(const KernelSpec& spec, const Symbols& symbols) {
    double product = 1;
    for (const SymbolSizes& symbol : spec.symbols)
        if (const auto value = symbols.find(symbol.name); value != symbols.end())
            product *= 1 + std::abs(static_cast<double>(value->second));
    return product;
}

Expected<std::vector<Symbols>> edgeSizes(const KernelSpec& spec, const LaunchOverride* own, std::size_t count,
                                         const SizesOptions& options) {
    if (spec.symbols.empty()) return std::vector<Symbols>{};
    return Edges(spec, own, options).draw(count);
}

} // namespace ptxwb::kernel
