#include "kernel/sizes.h"

#include "kernel/random.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace ptxwb::kernel {

namespace {

/// A larger product of lists is not walked through: diagonals, extremes and this many drawn combinations stand for it.
constexpr std::uint64_t largestProduct = 1 << 16;

using Lists = std::vector<std::vector<std::int64_t>>;
using Choice = std::vector<std::size_t>; // index in each symbol's list

const std::vector<std::int64_t>& listFor(const SymbolSizes& sizes, Use use) {
    if (use == Use::benchmark) return sizes.benchmark;
    const auto& wanted = use == Use::function ? sizes.function : sizes.stress;
    const auto& other = use == Use::function ? sizes.stress : sizes.function;
    return wanted.empty() ? other : wanted;
}

Symbols valuesOf(const KernelSpec& spec, const Lists& lists, const Choice& choice, const Symbols& builtins) {
    Symbols symbols = builtins;
    for (std::size_t i = 0; i < lists.size(); ++i) symbols[spec.symbols[i].name] = lists[i][choice[i]];
    return symbols;
}

/// The next combination, the last symbol fastest; false after the last one.
bool advance(Choice& choice, const Lists& lists) {
    for (std::size_t i = lists.size(); i-- > 0;) {
        if (++choice[i] < lists[i].size()) return true;
        choice[i] = 0;
    }
    return false;
}

/// Smallest and largest value of each list, as indices.
std::vector<std::array<std::size_t, 2>> extremes(const Lists& lists) {
    std::vector<std::array<std::size_t, 2>> result;
    for (const auto& list : lists) {
        const auto [low, high] = std::ranges::minmax_element(list);
        result.push_back({static_cast<std::size_t>(low - list.begin()), static_cast<std::size_t>(high - list.begin())});
    }
    return result;
}

std::vector<Choice> mixedExtremes(const Lists& lists) {
    std::vector<Choice> result;
    const auto ends = extremes(lists);
    const std::size_t symbols = std::min<std::size_t>(lists.size(), 12);
    for (std::size_t mask = 0; mask < (std::size_t{1} << symbols); ++mask) {
        Choice choice(lists.size());
        for (std::size_t i = 0; i < lists.size(); ++i)
            choice[i] = ends[i][i < symbols ? mask >> (symbols - 1 - i) & 1 : 0];
        result.push_back(std::move(choice));
    }
    return result;
}

std::vector<Choice> allChoices(const Lists& lists) {
    std::uint64_t product = 1;
    for (const auto& list : lists)
        if (__builtin_mul_overflow(product, std::uint64_t{list.size()}, &product)) product = UINT64_MAX;
    std::vector<Choice> result;
    if (product <= largestProduct) {
        Choice choice(lists.size(), 0);
        do result.push_back(choice);
        while (advance(choice, lists));
        return result;
    }
    const auto longest = std::ranges::max(lists, {}, &std::vector<std::int64_t>::size).size();
    for (std::size_t row = 0; row < longest; ++row) {
        Choice choice;
        for (const auto& list : lists) choice.push_back(row % list.size());
        result.push_back(std::move(choice));
    }
    std::ranges::move(mixedExtremes(lists), std::back_inserter(result));
    for (std::uint64_t draw = 0; draw < largestProduct; ++draw) {
        Choice choice;
        for (std::size_t i = 0; i < lists.size(); ++i)
            choice.push_back(below(randomWord(1, draw * lists.size() + i), lists[i].size()));
        result.push_back(std::move(choice));
    }
    return result;
}

/// Chosen so that every value that occurs in `choices` occurs in the result.
std::vector<Choice> covering(const std::vector<Choice>& choices, std::size_t limit) {
    std::set<std::pair<std::size_t, std::size_t>> open; // symbol, index in its list
    for (const auto& choice : choices)
        for (std::size_t i = 0; i < choice.size(); ++i) open.emplace(i, choice[i]);
    std::vector<Choice> result;
    while (!open.empty() && result.size() < limit) {
        const auto gain = [&open](const Choice& choice) {
            std::size_t count = 0;
            for (std::size_t i = 0; i < choice.size(); ++i) count += open.contains({i, choice[i]});
            return count;
        };
        const auto best = std::ranges::max_element(choices, {}, gain); // the first of equals
        for (std::size_t i = 0; i < best->size(); ++i) open.erase({i, (*best)[i]});
        result.push_back(*best);
    }
    return result;
}

std::vector<Choice> select(const std::vector<Choice>& valid, const Lists& lists, std::size_t limit) {
    if (valid.size() <= limit || lists.size() < 2) return valid;
    auto chosen = covering(valid, limit);
    const std::set<Choice> allowed(valid.begin(), valid.end());
    for (auto& choice : mixedExtremes(lists)) {
        if (chosen.size() >= limit) break;
        if (allowed.contains(choice) && std::ranges::find(chosen, choice) == chosen.end())
            chosen.push_back(std::move(choice));
    }
    return chosen;
}

std::vector<Choice> byPosition(const Lists& lists) {
    std::size_t length = 1;
    for (const auto& list : lists) length = std::max(length, list.size());
    std::vector<Choice> result;
    for (std::size_t row = 0; row < length; ++row) {
        Choice choice;
        for (const auto& list : lists) choice.push_back(list.size() == 1 ? 0 : row);
        result.push_back(std::move(choice));
    }
    return result;
}

std::string conditions(const KernelSpec& spec, std::span<const Expression> extra) {
    std::string text;
    for (const auto list : {std::span<const Expression>(spec.require), extra})
        for (const auto& condition : list)
            text += fmt::format("{}\"{}\"", text.empty() ? "" : " and ", condition.text());
    return text;
}

} // namespace

std::string_view name(Use use) {
    constexpr std::array<std::string_view, 3> names{"function", "stress", "benchmark"};
    return names[static_cast<std::size_t>(use)];
}

Expected<const Expression*> violated(const KernelSpec& spec, std::span<const Expression> extra,
                                     const Symbols& symbols) {
    for (const auto list : {std::span<const Expression>(spec.require), extra}) {
        for (const auto& condition : list) {
            auto holds = condition.evaluate(symbols);
            if (!holds) {
                holds.error().message = "require: " + holds.error().message;
                return std::unexpected(std::move(holds.error()));
            }
            if (*holds == 0) return &condition;
        }
    }
    return nullptr;
}

Expected<std::vector<Symbols>> sizes(const KernelSpec& spec, Use use, const SizesOptions& options) {
    Lists lists;
    for (const auto& symbol : spec.symbols) {
        lists.push_back(listFor(symbol, use));
        if (!lists.back().empty()) continue;
        if (use == Use::benchmark) return std::vector<Symbols>{};
        return failure(Cause::badRequest, fmt::format("symbols.{}: there are only benchmark sizes", symbol.name),
                       R"(give small ones too, e.g. "function": [1, 33, 1000])");
    }
    std::vector<Choice> valid;
    std::string failing;
    const auto all = use == Use::benchmark ? byPosition(lists) : allChoices(lists);
    for (const auto& choice : all) {
        const auto symbols = valuesOf(spec, lists, choice, options.builtins);
        const auto broken = violated(spec, options.require, symbols);
        if (!broken) return std::unexpected(broken.error());
        if (*broken == nullptr)
            valid.push_back(choice);
        else if (failing.empty())
            failing = fmt::format("{} violates \"{}\"", describe(symbols), (*broken)->text());
    }
    if (valid.empty())
        return failure(Cause::badRequest,
                       fmt::format("no {} size satisfies {}: of {} combinations none is left; {}", name(use),
                                   conditions(spec, options.require), all.size(), failing),
                       fmt::format("add sizes to \"{}\" that satisfy them", name(use)));
    std::vector<Symbols> result;
    for (const auto& choice : use == Use::benchmark ? valid : select(valid, lists, options.limit))
        result.push_back(valuesOf(spec, lists, choice, options.builtins));
    return result;
}

Expected<std::vector<Symbols>> drawnSizes(const KernelSpec& spec, std::uint64_t seed, std::size_t count,
                                          const SizesOptions& options) {
    constexpr std::uint64_t attempts = 20000;
    std::vector<Symbols> result;
    if (spec.symbols.empty()) return result;
    for (std::uint64_t attempt = 0; attempt < attempts && result.size() < count; ++attempt) {
        Symbols symbols = options.builtins;
        bool listed = true;
        for (std::size_t i = 0; i < spec.symbols.size(); ++i) {
            auto values = listFor(spec.symbols[i], Use::function);
            const auto& stress = listFor(spec.symbols[i], Use::stress);
            values.insert(values.end(), stress.begin(), stress.end());
            if (values.empty()) return result;
            const auto [low, high] = std::ranges::minmax(values);
            const auto word = randomWord(mix64(seed), attempt * spec.symbols.size() + i);
            const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
            const auto drawn = static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + below(word, width));
            listed = listed && std::ranges::find(values, drawn) != values.end();
            symbols[spec.symbols[i].name] = drawn;
        }
        if (listed || std::ranges::find(result, symbols) != result.end()) continue;
        const auto broken = violated(spec, options.require, symbols);
        if (!broken) return std::unexpected(broken.error());
        if (*broken == nullptr) result.push_back(std::move(symbols));
    }
    return result;
}

} // namespace ptxwb::kernel
