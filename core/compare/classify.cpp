#include "compare/classify.h"

#include "compare/equivalence.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <unordered_map>

namespace ptxwb::compare {
namespace {

/// What a differing token makes of its row.
RowClass classOf(const Document& document, const Token& token) {
    switch (token.kind) {
    case TokenKind::opcode:
        return RowClass::opcode;
    case TokenKind::modifier:
        return RowClass::modifier;
    case TokenKind::number:
        return RowClass::immediate;
    case TokenKind::punctuation: {
        const char c = document.text[token.offset];
        return c == '-' || c == '+' ? RowClass::immediate : RowClass::operand;
    }
    default:
        return RowClass::operand;
    }
}

void addSpan(std::vector<ColumnSpan>& spans, const Line& line, std::uint32_t begin, std::uint32_t end) {
    const ColumnSpan span{begin - line.offset + 1, end - begin};
    if (!spans.empty() && spans.back().column + spans.back().length == span.column)
        spans.back().length += span.length;
    else
        spans.push_back(span);
}

void addComment(std::vector<ColumnSpan>& spans, const Line& line) {
    if (line.commentHash == 0) return;
    addSpan(spans, line, line.commentOffset, line.commentOffset + line.commentLength);
    std::ranges::sort(spans, {}, &ColumnSpan::column);
}

/// The first type of a `.reg` line.
ptx::ScalarType declaredType(const Document& document, const Line& line) {
    for (std::uint32_t i = line.firstToken; i < line.firstToken + line.tokenCount; ++i)
        if (document.tokens[i].kind == TokenKind::modifier)
            if (const auto type = ptx::scalarType(document.textOf(document.tokens[i]).substr(1))) return *type;
    return ptx::ScalarType::none;
}

} // namespace

Classifier::Classifier(const Matched& matched) : m_matched(matched) {
    const auto table = [](const Document& document) {
        return std::vector<std::uint32_t>(document.module != nullptr ? document.module->functions.size() : 0, none);
    };
    m_functionOfLeft = table(*matched.left.document);
    m_functionOfRight = table(*matched.right.document);
    for (std::uint32_t i = 0; i < matched.functions.size(); ++i) {
        m_functionOfLeft[matched.functions[i].left] = i;
        m_functionOfRight[matched.functions[i].right] = i;
    }
    findConflicts();
}

const FunctionPair* Classifier::ofLeft(std::uint32_t function) const {
    if (function == none || m_functionOfLeft[function] == none) return nullptr;
    return &m_matched.functions[m_functionOfLeft[function]];
}

const FunctionPair* Classifier::ofRight(std::uint32_t function) const {
    if (function == none || m_functionOfRight[function] == none) return nullptr;
    return &m_matched.functions[m_functionOfRight[function]];
}

bool Classifier::isTrivia(const Line& line) const {
    if (line.kind == LineKind::location) return m_matched.lineInformation == LineInformation::ignore;
    return line.kind == LineKind::blank || line.kind == LineKind::comment;
}

bool Classifier::declaresSame(const Document& document, const Line& line, const FunctionPair* function) const {
    if (line.kind != LineKind::registers || function == nullptr || !function->sameRegisters) return false;
    const std::span tokens(document.tokens.data() + line.firstToken, line.tokenCount);
    return std::ranges::all_of(tokens, [&](const Token& token) {
        if (token.kind == TokenKind::punctuation) return std::string_view("<>,;").contains(document.text[token.offset]);
        return token.kind == TokenKind::modifier || token.kind == TokenKind::declaration ||
               token.kind == TokenKind::number;
    });
}

/// Live ranges may fit one by one although one register took over the values of two. Equal means that registers stand
/// for each other, so the first line of each such range is remembered.
void Classifier::findConflicts() {
    const Document &a = *m_matched.left.document, &b = *m_matched.right.document;
    m_conflict.assign(a.ranges.size(), false);
    std::vector<std::pair<ptx::ScalarType, ptx::ScalarType>> retyped;
    acceptRetyped(retyped);
    /// So many live ranges of a left register stand for ranges of a right one.
    struct RegisterPair {
        std::uint32_t function, left, right, ranges;
        auto operator<=>(const RegisterPair&) const = default;
    };
    std::vector<RegisterPair> pairs;
    for (std::uint32_t l = 0; l < a.ranges.size(); ++l) {
        const std::uint32_t r = m_matched.map.rightRange[l];
        if (r == none) continue;
        const LiveRange &x = a.ranges[l], &y = b.ranges[r];
        pairs.push_back({x.function, x.reg, y.reg, 1});
        const bool explained = std::ranges::find(retyped, std::pair(x.type, y.type)) != retyped.end();
        if (x.vector != y.vector || (x.type != y.type && !explained)) m_conflict[l] = true;
    }
    std::ranges::sort(pairs);
    std::size_t kept = 0;
    for (const RegisterPair& pair : pairs) {
        if (kept > 0 && pairs[kept - 1].function == pair.function && pairs[kept - 1].left == pair.left &&
            pairs[kept - 1].right == pair.right)
            ++pairs[kept - 1].ranges;
        else
            pairs[kept++] = pair;
    }
    pairs.resize(kept);
    std::ranges::stable_sort(pairs, std::ranges::greater{}, &RegisterPair::ranges);
    const auto registerKey = [](std::uint32_t function, std::uint32_t reg) {
        return std::uint64_t{function} << 32 | reg;
    };
    std::unordered_map<std::uint64_t, std::uint32_t> rightOf, leftOf;
    rightOf.reserve(pairs.size());
    leftOf.reserve(pairs.size());
    for (const RegisterPair& pair : pairs) {
        const std::uint64_t left = registerKey(pair.function, pair.left),
                            right = registerKey(pair.function, pair.right);
        if (rightOf.contains(left) || leftOf.contains(right)) continue;
        rightOf[left] = pair.right;
        leftOf[right] = pair.left;
    }
    m_registerOf.assign(a.ranges.size(), ptx::noIndex);
    for (std::uint32_t l = 0; l < a.ranges.size(); ++l) {
        const auto found = rightOf.find(registerKey(a.ranges[l].function, a.ranges[l].reg));
        if (found != rightOf.end()) m_registerOf[l] = found->second;
        const std::uint32_t r = m_matched.map.rightRange[l];
        if (r != none && m_registerOf[l] != b.ranges[r].reg) m_conflict[l] = true;
    }
}

/// A `.reg` line whose type was changed is one change; its registers are not told again.
void Classifier::acceptRetyped(std::vector<std::pair<ptx::ScalarType, ptx::ScalarType>>& retyped) const {
    const Document &a = *m_matched.left.document, &b = *m_matched.right.document;
    for (std::uint32_t l = 0; l < a.lines.size(); ++l) {
        const std::uint32_t r = m_matched.pairs.rightOf[l];
        if (a.lines[l].kind != LineKind::registers || r == none || b.lines[r].kind != LineKind::registers) continue;
        const auto from = declaredType(a, a.lines[l]), to = declaredType(b, b.lines[r]);
        if (from != to) retyped.emplace_back(from, to);
    }
}

bool Classifier::sameTarget(std::uint32_t leftLabel, std::uint32_t rightLabel) const {
    const Document &a = *m_matched.left.document, &b = *m_matched.right.document;
    const std::uint32_t l = a.labels[leftLabel].line, r = b.labels[rightLabel].line;
    if (l == none || r == none) return l == r;
    if (m_matched.pairs.rightOf[l] == r) return true;
    if (m_matched.pairs.rightOf[l] != none || m_matched.pairs.leftOf[r] != none) return false;
    // Neither label stands in a row with another: what follows them decides.
    const auto next = [](const Document& document, std::uint32_t line) {
        while (line < document.lines.size() && document.lines[line].kind != LineKind::instruction) ++line;
        return line;
    };
    const std::uint32_t x = next(a, l), y = next(b, r);
    return x < a.lines.size() && m_matched.pairs.rightOf[x] == y;
}

/// By live range, or by the whole register: where a definition was taken out, the reads behind it name the same
/// register as before, and a person looks for the missing line.
bool Classifier::sameRegister(std::uint32_t leftRange, std::uint32_t rightRange, const FunctionPair* function) const {
    if (m_matched.map.rightRange[leftRange] == rightRange) return true;
    const LiveRange& y = m_matched.right.document->ranges[rightRange];
    return function != nullptr && y.function == function->right && m_registerOf[leftRange] == y.reg;
}

Classifier::Fit Classifier::fit(const Token& a, const Token& b, const FunctionPair* function) const {
    const bool sameText = a.hash == b.hash && a.length == b.length;
    const Fit named = sameText ? Fit::identical : Fit::renamed;
    if (a.kind == b.kind && a.symbol != none && b.symbol != none) {
        switch (a.kind) {
        case TokenKind::reg:
            return sameRegister(a.symbol, b.symbol, function) ? named : Fit::differs;
        case TokenKind::label:
            if (m_matched.map.rightLabel[a.symbol] != b.symbol) return Fit::differs;
            return a.defines || sameTarget(a.symbol, b.symbol) ? named : Fit::differs;
        case TokenKind::parameter:
            // Names of parameters follow the kernel's name; that one is told where it stands.
            if (function != nullptr && !function->sameName && a.symbol == b.symbol) return named;
            break;
        default:
            break;
        }
    }
    if (a.kind == TokenKind::declaration && b.kind == TokenKind::declaration) return named;
    if ((a.kind == TokenKind::reg) != (b.kind == TokenKind::reg)) return Fit::differs;
    return sameText ? Fit::identical : Fit::differs;
}

bool Classifier::retyped(const Token& a, const Token& b) const {
    const LiveRange &x = m_matched.left.document->ranges[a.symbol], &y = m_matched.right.document->ranges[b.symbol];
    return x.type != y.type || x.vector != y.vector;
}

std::string Classifier::conflictNote(const Token& a, const Token& b) {
    const Document &left = *m_matched.left.document, &right = *m_matched.right.document;
    m_conflict[a.symbol] = false; // told once
    std::string_view first = left.textOf(a), second = right.textOf(b);
    ptx::ScalarType firstType = left.ranges[a.symbol].type, secondType = right.ranges[b.symbol].type;
    if (m_matched.exchanged) {
        std::swap(first, second);
        std::swap(firstType, secondType);
    }
    if (retyped(a, b))
        return fmt::format("{} is declared .{}, {} is declared .{}", first, ptx::name(firstType), second,
                           ptx::name(secondType));
    return fmt::format("from here {} stands for {}, another register than elsewhere", second, first);
}

PairFacts Classifier::classify(std::uint32_t leftLine, std::uint32_t rightLine) {
    const Document &a = *m_matched.left.document, &b = *m_matched.right.document;
    const Line &l = a.lines[leftLine], &r = b.lines[rightLine];
    const FunctionPair* function = ofLeft(l.function);
    PairFacts facts;
    bool renamed = false, changed = false, conflict = false;
    const auto worsen = [&](RowClass cls) {
        // RowClass is ordered: immediate, modifier, operand, opcode; a modifier says more than an operand.
        const auto rank = [](RowClass c) {
            return c == RowClass::opcode ? 4 : c == RowClass::modifier ? 3 : c == RowClass::operand ? 2 : 1;
        };
        if (!changed || rank(cls) > rank(facts.cls)) facts.cls = cls;
        changed = true;
    };
    pairTokens(a, l, b, r, m_tokens);
    for (const TokenPair& pair : m_tokens) {
        const Token* x = pair.left != none ? &a.tokens[pair.left] : nullptr;
        const Token* y = pair.right != none ? &b.tokens[pair.right] : nullptr;
        const Fit how = x != nullptr && y != nullptr ? fit(*x, *y, function) : Fit::differs;
        const bool clash = how != Fit::differs && x->kind == TokenKind::reg && x->symbol != none &&
                           m_conflict[x->symbol] && m_matched.map.rightRange[x->symbol] == y->symbol;
        if (how == Fit::identical && !clash) continue;
        renamed = renamed || how == Fit::renamed || clash;
        if (x != nullptr) addSpan(facts.leftSpans, l, x->offset, x->end());
        if (y != nullptr) addSpan(facts.rightSpans, r, y->offset, y->end());
        if (clash) {
            facts.note = conflictNote(*x, *y);
            conflict = true;
            if (retyped(*x, *y))
                worsen(RowClass::operand);
            else
                facts.breaksBijection = true;
        } else if (how == Fit::differs && x != nullptr && y != nullptr && x->kind != y->kind)
            worsen(RowClass::operand);
        else if (how == Fit::differs)
            worsen(x != nullptr ? classOf(a, *x) : classOf(b, *y));
    }
    const bool onlyNames = declaresSame(a, l, function) && declaresSame(b, r, function);
    if (changed && (onlyNames || isTrivia(l))) {
        changed = false;
        renamed = onlyNames;
        facts.cls = RowClass::identical;
        facts.note = onlyNames ? "" : "line information differs";
    }
    if (changed && !conflict)
        facts.note = equivalenceNote(
            a, l, b, r, [&](const Token& x, const Token& y) { return fit(x, y, function) != Fit::differs; });
    if (!changed && renamed) facts.cls = RowClass::renamed;
    if (l.commentHash != r.commentHash) {
        addComment(facts.leftSpans, l);
        addComment(facts.rightSpans, r);
        if (facts.note.empty()) facts.note = "comment differs";
    }
    return facts;
}

} // namespace ptxwb::compare
