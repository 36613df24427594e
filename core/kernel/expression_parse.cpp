#include "kernel/expression_tree.h"

#include "support/nearest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ptxwb::kernel {

namespace {

constexpr std::array<std::string_view, 2> builtins = {"sm_count", "max_blocks_per_sm"};
constexpr std::array<std::string_view, 3> functions = {"ceil_div", "min", "max"};
constexpr std::size_t longest = 4096;
constexpr int deepest = 100; // the parser and the evaluator recurse

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isNamed(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

struct Token {
    enum class Kind : std::uint8_t { end, number, name, sign } kind = Kind::end;
    std::string_view text;
    std::uint32_t column = 1;
    std::uint32_t length() const { return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(text.size())); }
};

/// Binary operators by precedence, loosest first; those of one row associate to the left.
struct BinaryRow {
    std::string_view sign;
    int precedence;
    Operation operation;
};
constexpr std::array<BinaryRow, 13> binaryRows = {{
    {"||", 1, Operation::logicalOr},
    {"&&", 2, Operation::logicalAnd},
    {"==", 3, Operation::equal},
    {"!=", 3, Operation::notEqual},
    {"<=", 3, Operation::lessEqual},
    {">=", 3, Operation::greaterEqual},
    {"<", 3, Operation::less},
    {">", 3, Operation::greater},
    {"+", 4, Operation::add},
    {"-", 4, Operation::subtract},
    {"*", 5, Operation::multiply},
    {"/", 5, Operation::divide},
    {"%", 5, Operation::remainder},
}};
constexpr int comparisonPrecedence = 3;

class Parser {
public:
    Parser(std::string_view text, std::span<const std::string> names, Arithmetic arithmetic)
        : m_names(names), m_arithmetic(arithmetic), m_tree(std::make_shared<Expression::Tree>()) {
        m_tree->text = text;
        m_rest = m_tree->text;
    }

    Expected<std::shared_ptr<const Expression::Tree>> parse() {
        if (m_rest.size() > longest)
            return failure(Cause::badRequest,
                           fmt::format("an expression of {} bytes is over the limit of {}", m_rest.size(), longest));
        if (auto ok = advance(); !ok) return std::unexpected(ok.error());
        if (m_token.kind == Token::Kind::end)
            return error("the expression is empty", "write a number, a symbol or e.g. \"ceil_div(n, 256)\"", m_token);
        if (auto root = binary(1); !root) return std::unexpected(root.error());
        if (m_token.kind != Token::Kind::end) return unexpectedToken("an operator");
        return m_tree;
    }

private:
    using Node = Expected<std::uint32_t>;

    std::unexpected<Diagnostic> error(std::string_view what, std::string hint, const Token& at) const {
        return expressionFailure(fmt::format("{} in \"{}\" at column {}", what, m_tree->text, at.column),
                                 std::move(hint), at.column, at.length());
    }

    std::unexpected<Diagnostic> unexpectedToken(std::string_view wanted) const {
        if (m_token.kind == Token::Kind::end) return error(fmt::format("expected {} at the end", wanted), {}, m_token);
        return error(fmt::format("expected {}, found \"{}\"", wanted, m_token.text), {}, m_token);
    }

    Expected<void> advance() {
        while (!m_rest.empty() && (m_rest.front() == ' ' || m_rest.front() == '\t' || m_rest.front() == '\n'))
            m_rest.remove_prefix(1);
        m_token = {Token::Kind::end, {}, static_cast<std::uint32_t>(m_tree->text.size() - m_rest.size() + 1)};
        if (m_rest.empty()) return {};
        std::size_t size = 1;
        const char first = m_rest.front();
        if (isLetter(first)) {
            while (size < m_rest.size() && (isLetter(m_rest[size]) || isDigit(m_rest[size]))) ++size;
            m_token.kind = Token::Kind::name;
        } else if (isDigit(first) || first == '.') {
            size = numberLength();
            m_token.kind = Token::Kind::number;
        } else {
            m_token.kind = Token::Kind::sign;
            for (const std::string_view two : {"||", "&&", "==", "!=", "<=", ">="})
                if (m_rest.starts_with(two)) size = 2;
            m_token.text = m_rest.substr(0, size);
            if (size == 1 && std::string_view("+-*/%()<>!,").find(first) == std::string_view::npos)
                return unknownSign();
        }
        m_token.text = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return {};
    }

    /// Digits with a fraction and an exponent; letters that follow belong to it, so that `12abc` is one mistake.
    std::size_t numberLength() const {
        std::size_t size = 0;
        while (size < m_rest.size()) {
            const char c = m_rest[size];
            const bool signOfExponent =
                (c == '+' || c == '-') && size > 0 && (m_rest[size - 1] | 0x20) == 'e' && !m_rest.starts_with("0x");
            if (!isDigit(c) && !isLetter(c) && c != '.' && !signOfExponent) break;
            ++size;
        }
        return std::max<std::size_t>(size, 1);
    }

    std::unexpected<Diagnostic> unknownSign() const {
        switch (m_token.text.front()) {
        case '=': return error("a single = compares nothing", "write ==", m_token);
        case '&': return error("a single & is no operator here", "write && for \"and\"", m_token);
        case '|': return error("a single | is no operator here", "write || for \"or\"", m_token);
        case '^': return error("^ is no operator here", "write a product, as in n * n", m_token);
        default:
            return error(fmt::format("\"{}\" means nothing", m_token.text),
                         "known: + - * / % ( ) == != < <= > >= && || ! ceil_div min max", m_token);
        }
    }

    std::uint32_t push(ExpressionNode node) {
        m_tree->nodes.push_back(node);
        return static_cast<std::uint32_t>(m_tree->nodes.size() - 1);
    }

    const BinaryRow* binaryRow() const {
        if (m_token.kind != Token::Kind::sign) return nullptr;
        const auto row = std::ranges::find(binaryRows, m_token.text, &BinaryRow::sign);
        return row == binaryRows.end() ? nullptr : &*row;
    }

    Node binary(int precedence) {
        auto left = unary();
        if (!left) return left;
        bool compared = false;
        for (auto* row = binaryRow(); row && row->precedence >= precedence; row = binaryRow()) {
            const Token sign = m_token;
            if (row->precedence == comparisonPrecedence && compared)
                return error("comparisons cannot be chained", "write a < b && b < c", sign);
            if (auto ok = advance(); !ok) return std::unexpected(ok.error());
            const auto right = binary(row->precedence + 1);
            if (!right) return right;
            compared = row->precedence == comparisonPrecedence;
            left = push({row->operation, sign.column, sign.length(), *left, *right});
        }
        return left;
    }

    Node unary() {
        if (++m_depth > deepest) return error(fmt::format("nested more than {} levels deep", deepest), {}, m_token);
        Node result = unaryInside();
        --m_depth;
        return result;
    }

    Node unaryInside() {
        const Token token = m_token;
        if (token.kind == Token::Kind::number) return number();
        if (token.kind == Token::Kind::name) return name();
        if (token.kind == Token::Kind::end || std::string_view("-!(").find(token.text) == std::string_view::npos)
            return unexpectedToken("a number, a symbol or \"(\"");
        if (auto ok = advance(); !ok) return std::unexpected(ok.error());
        if (token.text == "(") {
            const auto inside = binary(1);
            if (!inside) return inside;
            if (auto ok = skip(")"); !ok) return std::unexpected(ok.error());
            return inside;
        }
        // -9223372036854775808 is a value, 9223372036854775808 is none.
        if (token.text == "-" && m_token.text == "9223372036854775808") {
            const auto node = push({Operation::integer, token.column, m_token.length() + 1, 0, 0,
                                    std::numeric_limits<std::int64_t>::min(), -0x1p63});
            if (auto ok = advance(); !ok) return std::unexpected(ok.error());
            return node;
        }
        const auto operand = unary();
        if (!operand) return operand;
        return push({token.text == "-" ? Operation::negate : Operation::logicalNot, token.column, 1, *operand});
    }

    Expected<void> skip(std::string_view sign) {
        if (m_token.kind != Token::Kind::sign || m_token.text != sign)
            return unexpectedToken(fmt::format("\"{}\"", sign));
        return advance();
    }

    Node number() {
        const Token token = m_token;
        if (auto ok = advance(); !ok) return std::unexpected(ok.error());
        const char* const first = token.text.data();
        const char* const last = first + token.text.size();
        if (token.text.find_first_not_of("0123456789") == std::string_view::npos) {
            std::int64_t value = 0;
            if (std::from_chars(first, last, value).ec != std::errc())
                return error(fmt::format("{} does not fit 64 bits", token.text),
                             "the largest number is 9223372036854775807", token);
            return push({Operation::integer, token.column, token.length(), 0, 0, value, static_cast<double>(value)});
        }
        double value = 0;
        const auto [end, failed] = std::from_chars(first, last, value);
        if (failed != std::errc() || end != last)
            return error(fmt::format("\"{}\" is no number", token.text), "numbers are decimal, e.g. 4096", token);
        if (m_arithmetic == Arithmetic::integer)
            return error(fmt::format("{} is not a whole number", token.text),
                         "sizes are whole numbers; fractions are for floating-point scalars", token);
        return push({Operation::real, token.column, token.length(), 0, 0, 0, value});
    }

    Node name() {
        const Token token = m_token;
        if (auto ok = advance(); !ok) return std::unexpected(ok.error());
        if (isNamed(functions, token.text)) return call(token);
        if (m_token.text == "(")
            return error(fmt::format("{} is no function", token.text), "known: ceil_div(a, b), min(a, b), max(a, b)",
                         token);
        if (m_arithmetic == Arithmetic::real && (token.text == "inf" || token.text == "nan")) {
            const double value = token.text == "inf" ? std::numeric_limits<double>::infinity()
                                                     : std::numeric_limits<double>::quiet_NaN();
            return push({Operation::real, token.column, token.length(), 0, 0, 0, value});
        }
        if (std::ranges::find(m_names, token.text) == m_names.end() && !isNamed(builtins, token.text))
            return unknownSymbol(token);
        const auto known = std::ranges::find(m_tree->symbols, token.text);
        const auto index = static_cast<std::uint32_t>(known - m_tree->symbols.begin());
        if (known == m_tree->symbols.end()) m_tree->symbols.emplace_back(token.text);
        return push({Operation::symbol, token.column, token.length(), index});
    }

    std::unexpected<Diagnostic> unknownSymbol(const Token& token) const {
        std::vector<std::string> all(m_names.begin(), m_names.end());
        for (const auto name : builtins) all.emplace_back(name);
        for (const auto name : functions) all.emplace_back(name);
        const std::string nearest = nearestName(token.text, all);
        std::string hint = nearest.empty() ? fmt::format("known symbols: {}", fmt::join(all, ", "))
                                           : fmt::format("did you mean {}?", nearest);
        return error(fmt::format("unknown symbol {}", token.text), std::move(hint), token);
    }

    Node call(const Token& function) {
        if (auto ok = skip("("); !ok) return std::unexpected(ok.error());
        const auto left = binary(1);
        if (!left) return left;
        if (m_token.text == ")") return error(fmt::format("{} takes two values", function.text), {}, m_token);
        if (auto ok = skip(","); !ok) return std::unexpected(ok.error());
        auto right = binary(1);
        if (!right) return right;
        if (m_token.text == ",") return error(fmt::format("{} takes two values", function.text), {}, m_token);
        if (auto ok = skip(")"); !ok) return std::unexpected(ok.error());
        const auto operation = function.text == "ceil_div" ? Operation::ceilDiv
                               : function.text == "min"    ? Operation::minimum
                                                           : Operation::maximum;
        return push({operation, function.column, function.length(), *left, *right});
    }

    std::span<const std::string> m_names;
    Arithmetic m_arithmetic;
    std::shared_ptr<Expression::Tree> m_tree;
    std::string_view m_rest;
    Token m_token;
    int m_depth = 0;
};

} // namespace

std::unexpected<Diagnostic> expressionFailure(std::string message, std::string hint, std::uint32_t column,
                                              std::uint32_t length) {
    auto result = failure(Cause::badRequest, std::move(message), std::move(hint));
    result.error().place = {{}, 1, column, length};
    return result;
}

Expected<std::shared_ptr<const Expression::Tree>>
parseExpression(std::string_view text, std::span<const std::string> names, Arithmetic arithmetic) {
    return Parser(text, names, arithmetic).parse();
}

Expected<Expression> Expression::compile(std::string_view text, std::span<const std::string> names,
                                         Arithmetic arithmetic) {
    auto tree = parseExpression(text, names, arithmetic);
    if (!tree) return std::unexpected(std::move(tree.error()));
    return Expression(std::move(*tree));
}

std::span<const std::string_view> builtinSymbols() {
    return builtins;
}

bool isIdentifier(std::string_view text) {
    return !text.empty() && isLetter(text.front()) &&
           std::ranges::all_of(text, [](char c) { return isLetter(c) || isDigit(c); });
}

bool isFreeName(std::string_view name) {
    return isIdentifier(name) && !isNamed(builtins, name) && !isNamed(functions, name);
}

} // namespace ptxwb::kernel
