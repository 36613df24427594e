#include "compare/symbol_map.h"

#include "compare/token_pairs.h"

#include <algorithm>

namespace ptxwb::compare {
namespace {

struct Vote {
    std::uint64_t pair = 0; ///< left symbol in the upper half
    std::uint32_t weight = 0;
    std::uint32_t left() const { return static_cast<std::uint32_t>(pair >> 32); }
    std::uint32_t right() const { return static_cast<std::uint32_t>(pair); }
};

/// Collects votes; the same pair mostly comes again next, so the votes of a symbol are summed as they come.
class Ballot {
public:
    explicit Ballot(std::size_t symbols) : m_last(symbols, none) {}
    void add(std::uint32_t left, std::uint32_t right, std::uint32_t weight) {
        const std::uint64_t pair = std::uint64_t{left} << 32 | right;
        if (m_last[left] != none && votes[m_last[left]].pair == pair) {
            votes[m_last[left]].weight += weight;
            return;
        }
        m_last[left] = static_cast<std::uint32_t>(votes.size());
        votes.push_back({pair, weight});
    }
    std::vector<Vote> votes;

private:
    std::vector<std::uint32_t> m_last; ///< index of the last vote, by left symbol
};

/// Sums the votes of equal pairs, then gives the strongest pairs to each other. Equal weights are settled by `likes`
/// (equal names first), then by the order of the text.
template <class Likes>
void settle(std::vector<Vote>& votes, std::vector<std::uint32_t>& rightOf, std::vector<std::uint32_t>& leftOf,
            Likes likes) {
    std::ranges::sort(votes, {}, &Vote::pair);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < votes.size(); ++i) {
        if (kept > 0 && votes[kept - 1].pair == votes[i].pair)
            votes[kept - 1].weight += votes[i].weight;
        else
            votes[kept++] = votes[i];
    }
    votes.resize(kept);
    std::ranges::stable_sort(votes, [&](const Vote& a, const Vote& b) {
        if (a.weight != b.weight) return a.weight > b.weight;
        return likes(a) && !likes(b);
    });
    for (const Vote& vote : votes) {
        if (rightOf[vote.left()] != none || leftOf[vote.right()] != none) continue;
        rightOf[vote.left()] = vote.right();
        leftOf[vote.right()] = vote.left();
    }
}

std::uint32_t weightOfRow(const Side& left, const Side& right, std::uint32_t l, std::uint32_t r) {
    const auto same = [&](KeyLevel level) { return left.keys[level][l] == right.keys[level][r]; };
    if (!same(KeyLevel::exact)) return same(KeyLevel::shape) ? 4 : 1;
    return same(KeyLevel::definition) ? 10 : same(KeyLevel::neighbour) ? 8 : 6;
}

} // namespace

SymbolMap voteOnSymbols(const Side& left, const Side& right, const Pairs& pairs) {
    const Document &a = *left.document, &b = *right.document;
    Ballot ranges(a.ranges.size()), labels(a.labels.size());
    std::vector<TokenPair> tokens;
    for (std::uint32_t l = 0; l < a.lines.size(); ++l) {
        const std::uint32_t r = pairs.rightOf[l];
        if (r == none || a.lines[l].tokenCount == 0) continue;
        const std::uint32_t weight = weightOfRow(left, right, l, r);
        pairTokens(a, a.lines[l], b, b.lines[r], tokens);
        for (const TokenPair& pair : tokens) {
            if (pair.left == none || pair.right == none) continue;
            const Token &x = a.tokens[pair.left], &y = b.tokens[pair.right];
            if (x.kind != y.kind || x.symbol == none || y.symbol == none) continue;
            const std::uint32_t definition = x.defines && y.defines;
            if (x.kind == TokenKind::reg) {
                const LiveRange &p = a.ranges[x.symbol], &q = b.ranges[y.symbol];
                const std::uint32_t sameType = p.type == q.type && p.vector == q.vector ? 4 : 1;
                ranges.add(x.symbol, y.symbol, weight * sameType * (definition ? 3 : 1));
            } else if (x.kind == TokenKind::label) {
                labels.add(x.symbol, y.symbol, weight * (definition ? 16 : 1));
            }
        }
    }
    SymbolMap map;
    map.rightRange.assign(a.ranges.size(), none);
    map.leftRange.assign(b.ranges.size(), none);
    map.rightLabel.assign(a.labels.size(), none);
    map.leftLabel.assign(b.labels.size(), none);
    settle(ranges.votes, map.rightRange, map.leftRange,
           [&](const Vote& v) { return a.ranges[v.left()].reg == b.ranges[v.right()].reg; });
    settle(labels.votes, map.rightLabel, map.leftLabel, [](const Vote&) { return false; });
    return map;
}

void setMappedKeys(Side& left, Side& right, const SymbolMap& map) {
    const auto numbers = [](const std::vector<std::uint32_t>& partner) {
        std::vector<std::uint32_t> own(partner.size(), none);
        for (std::uint32_t i = 0; i < partner.size(); ++i)
            if (partner[i] != none) own[i] = i;
        return own;
    };
    left.keys[KeyLevel::mapped] = mappedKeys(*left.document, numbers(map.rightRange), numbers(map.rightLabel));
    right.keys[KeyLevel::mapped] = mappedKeys(*right.document, map.leftRange, map.leftLabel);
}

} // namespace ptxwb::compare
