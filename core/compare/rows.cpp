#include "compare/rows.h"

#include <fmt/format.h>
#include <unordered_map>

namespace ptxwb::compare {
namespace {

class RowMaker {
public:
    RowMaker(const Alignment& alignment, Classifier& classifier) : m_alignment(alignment), m_classifier(classifier) {}

    Comparison run(Level level) {
        classifyMoved();
        m_comparison.rows.reserve(m_alignment.left.document->lines.size() + 64);
        for (const Segment& segment : m_alignment.segments) addSegment(segment);
        count();
        if (m_comparison.counts.changes() == 0) tellBrokenBijection();
        outline();
        m_comparison.same = m_comparison.counts.changes() == 0;
        m_comparison.hunks = hunks(m_comparison, level);
        return std::move(m_comparison);
    }

private:
    bool exchanged() const { return m_alignment.exchanged; }
    const Document& shownLeft() const { return *(exchanged() ? m_alignment.right : m_alignment.left).document; }
    const Document& shownRight() const { return *(exchanged() ? m_alignment.left : m_alignment.right).document; }

    void classifyMoved() {
        for (std::uint32_t l = 0; l < m_alignment.moved.rightOf.size(); ++l)
            if (const std::uint32_t r = m_alignment.moved.rightOf[l]; r != none)
                m_movedFacts.emplace(l, m_classifier.classify(l, r));
    }

    void addSegment(const Segment& segment) {
        std::uint32_t l = segment.left.begin, r = segment.right.begin;
        for (std::uint32_t i = l; i < segment.left.end; ++i) {
            const std::uint32_t j = m_alignment.pairs.rightOf[i];
            if (j == none) continue;
            addUnpaired({l, i}, {r, j});
            addPair(i, j);
            l = i + 1;
            r = j + 1;
        }
        addUnpaired({l, segment.left.end}, {r, segment.right.end});
    }

    void addPair(std::uint32_t l, std::uint32_t r) {
        PairFacts facts = m_classifier.classify(l, r);
        Row row;
        row.cls = facts.cls;
        row.trivia = m_classifier.isTrivia(m_alignment.left.document->lines[l]);
        row.leftLine = l + 1;
        row.rightLine = r + 1;
        row.leftSpans = std::move(facts.leftSpans);
        row.rightSpans = std::move(facts.rightSpans);
        if (exchanged()) {
            std::swap(row.leftLine, row.rightLine);
            std::swap(row.leftSpans, row.rightSpans);
        }
        row.note = std::move(facts.note);
        if (facts.breaksBijection) m_breaking.push_back(m_comparison.rows.size());
        m_comparison.rows.push_back(std::move(row));
    }

    /// What is gone stands above what is new, as in every comparison.
    void addUnpaired(LineRange left, LineRange right) {
        const auto addLeft = [&] {
            for (std::uint32_t i = left.begin; i < left.end; ++i)
                addSingle(i, m_alignment.left, m_alignment.moved.rightOf[i], i, true);
        };
        const auto addRight = [&] {
            for (std::uint32_t i = right.begin; i < right.end; ++i) {
                const std::uint32_t other = m_alignment.moved.leftOf[i];
                addSingle(i, m_alignment.right, other, other, false);
            }
        };
        if (exchanged()) {
            addRight();
            addLeft();
        } else {
            addLeft();
            addRight();
        }
    }

    void addSingle(std::uint32_t index, const Side& side, std::uint32_t other, std::uint32_t alignedLeft, bool isLeft) {
        const Line& line = side.document->lines[index];
        const bool shownOnLeft = isLeft != exchanged();
        Row row;
        row.cls = shownOnLeft ? RowClass::removed : RowClass::added;
        row.trivia = m_classifier.isTrivia(line);
        (shownOnLeft ? row.leftLine : row.rightLine) = index + 1;
        const FunctionPair* function =
            isLeft ? m_classifier.ofLeft(line.function) : m_classifier.ofRight(line.function);
        if (other != none) {
            const PairFacts& facts = m_movedFacts.at(alignedLeft);
            row.otherLine = other + 1;
            if (isChange(facts.cls)) {
                row.note = fmt::format("line {} on the other side stands elsewhere and differs: {}", other + 1,
                                       name(facts.cls));
                row.otherLine = 0;
            } else {
                row.cls = RowClass::moved;
                row.note = fmt::format("moved {} line {}", shownOnLeft ? "to" : "from", other + 1);
                (shownOnLeft ? row.leftSpans : row.rightSpans) = isLeft ? facts.leftSpans : facts.rightSpans;
            }
        } else if (m_classifier.declaresSame(*side.document, line, function)) {
            row.cls = RowClass::renamed;
            row.note = "as many registers of each type are declared";
        }
        m_comparison.rows.push_back(std::move(row));
    }

    /// Where all else fits, registers that were merged or split are the difference. Beside other changes they are
    /// renamed lines with a note: a hand-written candidate reuses registers everywhere.
    void tellBrokenBijection() {
        for (const std::size_t row : m_breaking) m_comparison.rows[row].cls = RowClass::operand;
        count();
    }

    void count() {
        m_comparison.counts = {};
        for (const Row& row : m_comparison.rows) {
            if (row.trivia || (row.cls == RowClass::moved && row.leftLine == 0)) continue;
            ++m_comparison.counts.rows[static_cast<std::size_t>(row.cls)];
        }
    }

    /// The functions that a row belongs to; pairs out of order stand apart.
    std::pair<std::uint32_t, std::uint32_t> functionsOf(const Row& row) const {
        std::uint32_t l = row.leftLine != 0 ? shownLeft().lines[row.leftLine - 1].function : none;
        std::uint32_t r = row.rightLine != 0 ? shownRight().lines[row.rightLine - 1].function : none;
        const auto pairOfLeft = [&](std::uint32_t f) {
            return exchanged() ? m_classifier.ofRight(f) : m_classifier.ofLeft(f);
        };
        const auto pairOfRight = [&](std::uint32_t f) {
            return exchanged() ? m_classifier.ofLeft(f) : m_classifier.ofRight(f);
        };
        if (const FunctionPair* pair = l != none ? pairOfLeft(l) : nullptr)
            r = exchanged() ? pair->left : pair->right;
        else if (const FunctionPair* other = r != none ? pairOfRight(r) : nullptr)
            l = exchanged() ? other->right : other->left;
        return {l, r};
    }

    void outline() {
        std::pair<std::uint32_t, std::uint32_t> open{none, none};
        bool openSide = false;
        const auto functionOf = [](const Document& document, std::uint32_t f) {
            return document.module->functions.data() + f;
        };
        for (std::uint32_t i = 0; i < m_comparison.rows.size(); ++i) {
            const Row& row = m_comparison.rows[i];
            const auto functions = functionsOf(row);
            const FunctionPair* pair =
                exchanged() ? m_classifier.ofLeft(functions.second) : m_classifier.ofLeft(functions.first);
            // The two sides of a pair out of order may follow each other directly.
            const bool side = pair != nullptr && !pair->inOrder && row.leftLine == 0;
            if (functions != open || side != openSide) {
                open = functions;
                openSide = side;
                if (open.first == none && open.second == none) continue;
                KernelPair kernel;
                if (open.first != none) {
                    kernel.left = functionOf(shownLeft(), open.first)->name;
                    kernel.isEntry = functionOf(shownLeft(), open.first)->isEntry;
                }
                if (open.second != none) {
                    kernel.right = functionOf(shownRight(), open.second)->name;
                    kernel.isEntry = functionOf(shownRight(), open.second)->isEntry;
                }
                kernel.firstRow = i;
                m_comparison.kernels.push_back(std::move(kernel));
            }
            if (open.first != none || open.second != none) ++m_comparison.kernels.back().rowCount;
        }
    }

    const Alignment& m_alignment;
    Classifier& m_classifier;
    std::unordered_map<std::uint32_t, PairFacts> m_movedFacts; ///< by left line
    std::vector<std::size_t> m_breaking;                       ///< rows with PairFacts::breaksBijection
    Comparison m_comparison;
};

} // namespace

Comparison makeComparison(const Alignment& alignment, Classifier& classifier, Level level) {
    return RowMaker(alignment, classifier).run(level);
}

std::uint32_t Counts::changes() const {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < rowClassCount; ++i)
        if (isChange(static_cast<RowClass>(i))) sum += rows[i];
    return sum;
}

std::string_view name(RowClass rowClass) {
    constexpr std::string_view names[rowClassCount] = {"identical", "renamed", "moved", "immediate", "modifier",
                                                       "operand",   "opcode",  "added", "removed"};
    return names[static_cast<std::size_t>(rowClass)];
}

std::vector<Hunk> hunks(const Comparison& comparison, Level level) {
    std::vector<Hunk> result;
    const std::vector<Row>& rows = comparison.rows;
    const auto isShown = [&](const Row& row) {
        return level == Level::changed ? isChange(row.cls) : row.cls != RowClass::identical;
    };
    std::size_t kernel = 0;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        if (!isShown(rows[i])) continue;
        Hunk hunk{i, 0, {}};
        bool hasCode = false;
        for (; i < rows.size() && isShown(rows[i]); ++i) {
            ++hunk.rowCount;
            hasCode = hasCode || !rows[i].trivia;
        }
        if (!hasCode) continue;
        const auto& kernels = comparison.kernels;
        while (kernel < kernels.size() && kernels[kernel].firstRow + kernels[kernel].rowCount <= hunk.firstRow)
            ++kernel;
        if (kernel < kernels.size() && kernels[kernel].firstRow < hunk.firstRow + hunk.rowCount)
            hunk.kernel = kernels[kernel].left.empty() ? kernels[kernel].right : kernels[kernel].left;
        result.push_back(std::move(hunk));
    }
    return result;
}

} // namespace ptxwb::compare
