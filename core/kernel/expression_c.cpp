#include "kernel/expression_c.h"

#include "kernel/expression_tree.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace ptxwb::kernel {

namespace {

constexpr std::string_view helpers = R"(#ifndef PTXWB_EXPRESSIONS
#define PTXWB_EXPRESSIONS
#include <math.h>
#include <stdint.h>
/* Arithmetic of 64 bits; *ok becomes 0 where a result does not fit or a divisor is 0. */
static inline int64_t ptxwb_add(int* ok, int64_t a, int64_t b) {
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return *ok = 0, 0;
    return a + b;
}
static inline int64_t ptxwb_sub(int* ok, int64_t a, int64_t b) {
    if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b) return *ok = 0, 0;
    return a - b;
}
static inline int64_t ptxwb_mul(int* ok, int64_t a, int64_t b) {
    if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a)
              : (b > 0 ? a < INT64_MIN / b : a != 0 && b < INT64_MAX / a))
        return *ok = 0, 0;
    return a * b;
}
static inline int64_t ptxwb_div(int* ok, int64_t a, int64_t b) {
    if (b == 0 || (a == INT64_MIN && b == -1)) return *ok = 0, 0;
    return a / b;
}
static inline int64_t ptxwb_rem(int* ok, int64_t a, int64_t b) {
    if (b == 0) return *ok = 0, 0;
    return b == -1 ? 0 : a % b;
}
static inline int64_t ptxwb_ceil_div(int* ok, int64_t a, int64_t b) {
    const int64_t quotient = ptxwb_div(ok, a, b);
    return *ok && a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}
static inline int64_t ptxwb_min(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t ptxwb_max(int64_t a, int64_t b) { return a < b ? b : a; }
#endif
)";

/// Of C23 and C++23, and macros of the headers that exports include.
constexpr std::string_view taken[] = {"alignas",
                                      "alignof",
                                      "and",
                                      "and_eq",
                                      "asm",
                                      "atomic_cancel",
                                      "atomic_commit",
                                      "atomic_noexcept",
                                      "auto",
                                      "bitand",
                                      "bitor",
                                      "bool",
                                      "break",
                                      "case",
                                      "catch",
                                      "char",
                                      "char8_t",
                                      "char16_t",
                                      "char32_t",
                                      "class",
                                      "compl",
                                      "concept",
                                      "const",
                                      "consteval",
                                      "constexpr",
                                      "constinit",
                                      "const_cast",
                                      "continue",
                                      "co_await",
                                      "co_return",
                                      "co_yield",
                                      "decltype",
                                      "default",
                                      "delete",
                                      "do",
                                      "double",
                                      "dynamic_cast",
                                      "else",
                                      "enum",
                                      "explicit",
                                      "export",
                                      "extern",
                                      "false",
                                      "float",
                                      "for",
                                      "friend",
                                      "goto",
                                      "if",
                                      "inline",
                                      "int",
                                      "long",
                                      "mutable",
                                      "namespace",
                                      "new",
                                      "noexcept",
                                      "not",
                                      "not_eq",
                                      "nullptr",
                                      "operator",
                                      "or",
                                      "or_eq",
                                      "private",
                                      "protected",
                                      "public",
                                      "register",
                                      "reinterpret_cast",
                                      "requires",
                                      "restrict",
                                      "return",
                                      "short",
                                      "signed",
                                      "sizeof",
                                      "static",
                                      "static_assert",
                                      "static_cast",
                                      "struct",
                                      "switch",
                                      "template",
                                      "this",
                                      "thread_local",
                                      "throw",
                                      "true",
                                      "try",
                                      "typedef",
                                      "typeid",
                                      "typename",
                                      "typeof",
                                      "typeof_unqual",
                                      "union",
                                      "unsigned",
                                      "using",
                                      "virtual",
                                      "void",
                                      "volatile",
                                      "wchar_t",
                                      "while",
                                      "xor",
                                      "xor_eq",
                                      "ok",
                                      "okay",
                                      "value",
                                      "shape",
                                      "linux",
                                      "unix",
                                      "NULL",
                                      "NAN",
                                      "INFINITY",
                                      "main"};

class Writer {
public:
    Writer(const Expression::Tree& tree, Arithmetic arithmetic) : m_tree(tree), m_arithmetic(arithmetic) {}

    std::string at(std::size_t index) const {
        const ExpressionNode& node = m_tree.nodes[index];
        const bool isReal = m_arithmetic == Arithmetic::real;
        switch (node.operation) {
        case Operation::integer: return isReal ? real(node.real) : fmt::format("INT64_C({})", node.integer);
        case Operation::real: return real(node.real);
        case Operation::symbol: return (isReal ? "(double)" : "") + cName(m_tree.symbols[node.left]);
        case Operation::negate:
            return isReal ? "(-" + at(node.left) + ")" : fmt::format("ptxwb_sub(ok, 0, {})", at(node.left));
        case Operation::logicalNot: return fmt::format("({})({} == 0)", type(), at(node.left));
        default: break;
        }
        const std::string left = at(node.left), right = at(node.right);
        if (const auto op = comparison(node.operation); !op.empty())
            return fmt::format("({})({} {} {})", type(), left, op, right);
        if (node.operation == Operation::logicalAnd || node.operation == Operation::logicalOr)
            return fmt::format("({})({} != 0 {} {} != 0)", type(), left,
                               node.operation == Operation::logicalAnd ? "&&" : "||", right);
        return isReal ? realBinary(node.operation, left, right) : integerBinary(node.operation, left, right);
    }

private:
    std::string_view type() const { return m_arithmetic == Arithmetic::real ? "double" : "int64_t"; }

    static std::string real(double value) {
        if (std::isnan(value)) return "((double)NAN)";
        if (std::isinf(value)) return value > 0 ? "((double)INFINITY)" : "(-(double)INFINITY)";
        std::string text = fmt::format("{}", value);
        return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    }

    static std::string_view comparison(Operation operation) {
        switch (operation) {
        case Operation::equal: return "==";
        case Operation::notEqual: return "!=";
        case Operation::less: return "<";
        case Operation::lessEqual: return "<=";
        case Operation::greater: return ">";
        case Operation::greaterEqual: return ">=";
        default: return {};
        }
    }

    static std::string integerBinary(Operation operation, const std::string& a, const std::string& b) {
        switch (operation) {
        case Operation::add: return fmt::format("ptxwb_add(ok, {}, {})", a, b);
        case Operation::subtract: return fmt::format("ptxwb_sub(ok, {}, {})", a, b);
        case Operation::multiply: return fmt::format("ptxwb_mul(ok, {}, {})", a, b);
        case Operation::divide: return fmt::format("ptxwb_div(ok, {}, {})", a, b);
        case Operation::remainder: return fmt::format("ptxwb_rem(ok, {}, {})", a, b);
        case Operation::ceilDiv: return fmt::format("ptxwb_ceil_div(ok, {}, {})", a, b);
        case Operation::minimum: return fmt::format("ptxwb_min({}, {})", a, b);
        case Operation::maximum: return fmt::format("ptxwb_max({}, {})", a, b);
        default: break;
        }
        assert(false);
        return {};
    }

    static std::string realBinary(Operation operation, const std::string& a, const std::string& b) {
        switch (operation) {
        case Operation::add: return fmt::format("({} + {})", a, b);
        case Operation::subtract: return fmt::format("({} - {})", a, b);
        case Operation::multiply: return fmt::format("({} * {})", a, b);
        case Operation::divide: return fmt::format("({} / {})", a, b);
        case Operation::remainder: return fmt::format("fmod({}, {})", a, b);
        case Operation::ceilDiv: return fmt::format("ceil({} / {})", a, b);
        case Operation::minimum: return fmt::format("fmin({}, {})", a, b);
        case Operation::maximum: return fmt::format("fmax({}, {})", a, b);
        default: break;
        }
        assert(false);
        return {};
    }

    const Expression::Tree& m_tree;
    Arithmetic m_arithmetic;
};

} // namespace

std::string toC(const Expression& expression, Arithmetic arithmetic) {
    // Its own text and symbols: it was compiled from them once.
    const auto tree = parseExpression(expression.text(), expression.symbols(), arithmetic);
    assert(tree);
    return Writer(**tree, arithmetic).at((*tree)->nodes.size() - 1);
}

std::string_view cExpressionHelpers() {
    return helpers;
}

std::string cName(std::string_view symbol) {
    std::string name(symbol);
    // "int" becomes "int_" and "int_" becomes "int__": no two symbols meet.
    std::string_view stem = symbol;
    while (stem.ends_with('_')) stem.remove_suffix(1);
    if (std::ranges::find(taken, stem) != std::end(taken)) name += '_';
    return name;
}

} // namespace ptxwb::kernel
