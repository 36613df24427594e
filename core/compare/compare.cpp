#include "compare/compare.h"

#include "compare/classify.h"
#include "compare/moves.h"
#include "compare/rows.h"

#include <algorithm>

namespace ptxwb::compare {
namespace {

/// One comparison from two documents to rows.
class Comparer {
public:
    Comparer(const Document& left, const Document& right, const CompareOptions& options, std::stop_token stop,
             bool exchanged)
        : m_options(options), m_exchanged(exchanged) {
        m_budget.deadline = options.deadline;
        m_budget.stop = std::move(stop);
        m_functions = pairFunctions(left, right);
        setUp(m_left, left, true);
        setUp(m_right, right, false);
        makeSegments();
    }

    Comparison run() {
        m_best.pairs = alignAll(false);
        improve();
        if (m_best.cost > 0) pinLabels(m_left, m_right, m_functions, m_map, m_best.pairs);
        Pairs matched = m_best.pairs;
        if (!m_budget.isSpent()) findMoves(m_left, m_right, m_functions, m_best.pairs, m_moved);
        for (std::uint32_t l = 0; l < m_moved.rightOf.size(); ++l)
            if (m_moved.rightOf[l] != none) matched.connect(l, m_moved.rightOf[l]);
        const SymbolMap map = voteOnSymbols(m_left, m_right, matched);
        Classifier classifier({m_left, m_right, matched, map, m_functions, m_options.lineInformation, m_exchanged});
        Comparison result = makeComparison({m_left, m_right, m_segments, m_best.pairs, m_moved, m_exchanged},
                                           classifier, m_options.level);
        result.approximate = m_budget.approximate;
        return result;
    }

private:
    struct Attempt {
        Pairs pairs;
        std::size_t cost = 0;
    };

    void setUp(Side& side, const Document& document, bool isLeft) {
        side.document = &document;
        side.keys = makeKeys(document);
        side.excluded.assign(document.lines.size(), false);
        // Lines of a function that has no partner in order get keys of their own, so that nothing else pairs with them.
        std::vector<std::uint64_t>& salt = isLeft ? m_leftSalt : m_rightSalt;
        const std::size_t count = document.module != nullptr ? document.module->functions.size() : 0;
        salt.resize(count);
        for (std::size_t i = 0; i < count; ++i) salt[i] = mix(isLeft ? 0x4C : 0x52, i + 1);
        for (std::uint32_t i = 0; i < m_functions.size(); ++i)
            salt[isLeft ? m_functions[i].left : m_functions[i].right] = m_functions[i].inOrder ? 0 : mix(0x50, i + 1);
        for (std::size_t i = 0; i < document.lines.size(); ++i) {
            const std::uint32_t function = document.lines[i].function;
            if (function != none && salt[function] != 0) side.excluded[i] = true;
        }
        for (std::size_t level = 1; level < keyLevelCount; ++level) addSalt(side, side.keys.key[level], salt);
    }

    static void addSalt(const Side& side, std::vector<std::uint64_t>& keys, const std::vector<std::uint64_t>& salt) {
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (side.excluded[i]) keys[i] = mix(keys[i], salt[side.document->lines[i].function]);
    }

    /// Functions in order face each other; so does what lies between them.
    void makeSegments() {
        const auto leftLines = functionLines(*m_left.document), rightLines = functionLines(*m_right.document);
        std::uint32_t l = 0, r = 0;
        for (const FunctionPair& pair : m_functions) {
            const LineRange x = leftLines[pair.left], y = rightLines[pair.right];
            if (!pair.inOrder) {
                m_apart.push_back({x, y});
                continue;
            }
            m_segments.push_back({{l, x.begin}, {r, y.begin}});
            m_segments.push_back({x, y});
            l = x.end;
            r = y.end;
        }
        m_segments.push_back({{l, static_cast<std::uint32_t>(m_left.document->lines.size())},
                              {r, static_cast<std::uint32_t>(m_right.document->lines.size())}});
    }

    Pairs noPairs() const {
        return {std::vector(m_left.document->lines.size(), none), std::vector(m_right.document->lines.size(), none)};
    }

    Pairs alignAll(bool withMap) {
        Pairs pairs = noPairs();
        for (const Segment& segment : m_segments)
            align(m_left, m_right, segment.left, segment.right, withMap, m_budget, pairs);
        m_moved = noPairs();
        for (const Segment& segment : m_apart)
            align(m_left, m_right, segment.left, segment.right, withMap, m_budget, m_moved);
        return pairs;
    }

    /// Takes the map that the pairs vote for and counts the lines that it does not explain.
    std::size_t measure(const Pairs& pairs) {
        Pairs all = pairs;
        for (std::uint32_t l = 0; l < all.rightOf.size(); ++l)
            if (m_moved.rightOf[l] != none) all.connect(l, m_moved.rightOf[l]);
        m_map = voteOnSymbols(m_left, m_right, all);
        setMappedKeys(m_left, m_right, m_map);
        addSalt(m_left, m_left.keys[KeyLevel::mapped], m_leftSalt);
        addSalt(m_right, m_right.keys[KeyLevel::mapped], m_rightSalt);
        const auto &left = m_left.keys[KeyLevel::mapped], &right = m_right.keys[KeyLevel::mapped];
        std::size_t cost = 0;
        for (std::uint32_t l = 0; l < all.rightOf.size(); ++l) {
            const std::uint32_t r = all.rightOf[l];
            if (r != none ? left[l] != right[r] : !m_left.document->isTrivia(m_left.document->lines[l])) ++cost;
        }
        for (std::uint32_t r = 0; r < all.leftOf.size(); ++r)
            if (all.leftOf[r] == none && !m_right.document->isTrivia(m_right.document->lines[r])) ++cost;
        return cost;
    }

    /// Runs of like instructions cannot be told apart before a map is known: align once more with it while that helps.
    void improve() {
        m_best.cost = measure(m_best.pairs);
        for (int round = 0; round < 2 && m_best.cost > 0 && !m_budget.isSpent(); ++round) {
            const Pairs movedBefore = m_moved;
            const bool approximateBefore = m_budget.approximate;
            m_budget.approximate = false;
            Attempt attempt{alignAll(true), 0};
            if (m_budget.isSpent()) {
                m_moved = movedBefore;
                return;
            }
            attempt.cost = measure(attempt.pairs);
            if (attempt.cost >= m_best.cost) {
                m_budget.approximate = approximateBefore;
                m_moved = movedBefore;
                measure(m_best.pairs); // the mapped keys of the pairs that stay
                return;
            }
            m_best = std::move(attempt);
        }
    }

    CompareOptions m_options;
    bool m_exchanged;
    Budget m_budget;
    std::vector<FunctionPair> m_functions;
    std::vector<std::uint64_t> m_leftSalt, m_rightSalt; ///< by function; 0 where it has its partner in order
    Side m_left, m_right;
    std::vector<Segment> m_segments, m_apart;
    Attempt m_best;
    Pairs m_moved;
    SymbolMap m_map; ///< of the last measure
};

/// Sides are put in an order of their own first, so that ties fall alike and `compare(b, a)` mirrors `compare(a, b)`.
Comparison compareDocuments(const Document& left, const Document& right, const CompareOptions& options,
                            std::stop_token stop) {
    const bool exchanged = right.text < left.text;
    return Comparer(exchanged ? right : left, exchanged ? left : right, options, std::move(stop), exchanged).run();
}

} // namespace

Comparison compare(const ptx::Module& left, const ptx::Module& right, const CompareOptions& options,
                   std::stop_token stop) {
    return compareDocuments(makeDocument(left), makeDocument(right), options, std::move(stop));
}

Comparison compareText(std::string_view left, std::string_view right, const CompareOptions& options,
                       std::stop_token stop) {
    return compareDocuments(makeDocument(left), makeDocument(right), options, std::move(stop));
}

} // namespace ptxwb::compare
