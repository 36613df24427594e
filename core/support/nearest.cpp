#include "support/nearest.h"

#include <algorithm>
#include <vector>

namespace ptxwb {

namespace {

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

template <class Name>
std::string nearest(std::string_view word, std::span<const Name> candidates) {
    constexpr std::size_t longest = 64; // nobody mistypes more, and the table grows with the square
    if (word.empty() || word.size() > longest) return {};
    const auto wanted = lowered(word);
    std::string_view best;
    std::size_t bestDistance = longest;
    for (const auto& candidate : candidates) {
        const std::string_view name(candidate);
        if (name.size() > longest) continue;
        const auto distance = editDistance(wanted, lowered(name));
        // Of a letter or two that differ nothing would be left of a short word: any other would be near.
        if (distance < bestDistance && distance <= std::max(word.size(), name.size()) / 3) {
            best = name;
            bestDistance = distance;
        }
    }
    return std::string(best);
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
}

std::string nearestName(std::string_view word, std::span<const std::string_view> candidates) {
    return nearest(word, candidates);
}

std::string nearestName(std::string_view word, std::span<const std::string> candidates) {
    return nearest(word, candidates);
}

} // namespace ptxwb
