#include "compare/align_steps.h"

#include <algorithm>

namespace ptxwb::compare {
namespace {

struct Keyed {
    std::uint64_t key;
    std::uint32_t line;
};

std::vector<Keyed> sortedKeys(const std::vector<std::uint64_t>& keys, LineRange range, unsigned lines) {
    std::vector<Keyed> result;
    if (range.size() < lines) return result;
    result.reserve(range.size());
    for (std::uint32_t i = range.begin; i + lines <= range.end; ++i) {
        std::uint64_t key = keys[i];
        for (unsigned k = 1; k < lines; ++k) key = mix(key, keys[i + k]);
        result.push_back({key, i});
    }
    std::ranges::sort(result,
                      [](const Keyed& a, const Keyed& b) { return a.key != b.key ? a.key < b.key : a.line < b.line; });
    return result;
}

std::size_t endOfRun(const std::vector<Keyed>& keys, std::size_t at) {
    std::size_t end = at + 1;
    while (end < keys.size() && keys[end].key == keys[at].key) ++end;
    return end;
}

/// The longest chain in which both lines grow; `candidates` are in order of the left line.
std::vector<LinePair> longestChain(const std::vector<LinePair>& candidates) {
    std::vector<std::uint32_t> tails, previous(candidates.size(), none);
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
        const auto at = std::ranges::lower_bound(tails, candidates[i].right, {},
                                                 [&](std::uint32_t t) { return candidates[t].right; });
        if (at != tails.begin()) previous[i] = *(at - 1);
        if (at == tails.end())
            tails.push_back(i);
        else
            *at = i;
    }
    std::vector<LinePair> chain;
    for (std::uint32_t i = tails.empty() ? none : tails.back(); i != none; i = previous[i])
        chain.push_back(candidates[i]);
    std::ranges::reverse(chain);
    return chain;
}

} // namespace

std::vector<LinePair> uniqueAnchors(const std::vector<std::uint64_t>& left, const std::vector<std::uint64_t>& right,
                                    LineRange leftRange, LineRange rightRange, unsigned lines) {
    const auto l = sortedKeys(left, leftRange, lines), r = sortedKeys(right, rightRange, lines);
    std::vector<LinePair> candidates;
    for (std::size_t i = 0, j = 0; i < l.size() && j < r.size();) {
        if (l[i].key != r[j].key) {
            if (l[i].key < r[j].key)
                ++i;
            else
                ++j;
            continue;
        }
        const std::size_t nextI = endOfRun(l, i), nextJ = endOfRun(r, j);
        if (nextI == i + 1 && nextJ == j + 1) candidates.push_back({l[i].line, r[j].line});
        i = nextI;
        j = nextJ;
    }
    std::ranges::sort(candidates, {}, &LinePair::left);
    return longestChain(candidates);
}

} // namespace ptxwb::compare
