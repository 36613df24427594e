// What a pair of lines differs in: its class, the places within the line, and a note.
// Called by `compare` once the pairs and the symbol map stand.
#pragma once

#include "compare/pair_functions.h"
#include "compare/symbol_map.h"
#include "compare/token_pairs.h"

namespace ptxwb::compare {

/// All that is known when rows are classified. `pairs` includes the moved lines.
struct Matched {
    const Side& left;
    const Side& right;
    const Pairs& pairs;
    const SymbolMap& map;
    const std::vector<FunctionPair>& functions;
    LineInformation lineInformation = LineInformation::compare;
    bool exchanged = false; ///< the person sees `right` on the left
};

struct PairFacts {
    RowClass cls = RowClass::identical;
    std::vector<ColumnSpan> leftSpans, rightSpans;
    std::string note;
    /// Fits by live range, but no one-to-one map of whole registers explains it together with the other lines.
    bool breaksBijection = false;
};

class Classifier {
public:
    explicit Classifier(const Matched& matched);

    PairFacts classify(std::uint32_t leftLine, std::uint32_t rightLine);
    /// Neither counted nor a difference: no code, or line information that is to be ignored.
    bool isTrivia(const Line& line) const;
    /// A line of nothing but `.reg` declarations in functions that declare the same registers in all, however the lines
    /// are cut: what differs on it are names.
    bool declaresSame(const Document& document, const Line& line, const FunctionPair* function) const;
    /// The function pair of a left or a right function.
    const FunctionPair* ofLeft(std::uint32_t function) const;
    const FunctionPair* ofRight(std::uint32_t function) const;

private:
    enum class Fit : std::uint8_t { identical, renamed, differs };
    Fit fit(const Token& a, const Token& b, const FunctionPair* function) const;
    bool sameRegister(std::uint32_t leftRange, std::uint32_t rightRange, const FunctionPair* function) const;
    bool sameTarget(std::uint32_t leftLabel, std::uint32_t rightLabel) const;
    void findConflicts();
    void acceptRetyped(std::vector<std::pair<ptx::ScalarType, ptx::ScalarType>>& retyped) const;
    bool retyped(const Token& a, const Token& b) const;
    std::string conflictNote(const Token& a, const Token& b);

    Matched m_matched;
    std::vector<std::uint32_t> m_functionOfLeft, m_functionOfRight;
    std::vector<ptx::Index> m_registerOf; ///< by left range: the right register that its register mostly stands for
    std::vector<bool> m_conflict;         ///< by left range: its registers are no one-to-one pair; told once
    std::vector<TokenPair> m_tokens;
};

} // namespace ptxwb::compare
