#include "kernel/expression_tree.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ptxwb::kernel {

namespace {

using Tree = Expression::Tree;

/// Of the symbols that the expression uses: the values that led to the error.
std::string values(const Tree& tree, const Symbols& symbols) {
    Symbols used;
    for (const auto& name : tree.symbols)
        if (const auto found = symbols.find(name); found != symbols.end()) used.insert(*found);
    return inBrackets(used);
}

std::unexpected<Diagnostic> error(const Tree& tree, const ExpressionNode& node, const Symbols& symbols,
                                  std::string_view what, std::string hint) {
    return expressionFailure(
        fmt::format("{} in \"{}\" at column {}{}", what, tree.text, node.column, values(tree, symbols)),
        std::move(hint), node.column, node.length);
}

Expected<std::int64_t> valueOf(const Tree& tree, const ExpressionNode& node, const Symbols& symbols) {
    const auto& name = tree.symbols[node.left];
    if (const auto found = symbols.find(name); found != symbols.end()) return found->second;
    for (const auto builtin : builtinSymbols())
        if (name == builtin)
            return error(tree, node, symbols, fmt::format("{} is not known here", name),
                         "it is a property of the device that runs the kernel; name a device or target");
    return error(tree, node, symbols, fmt::format("{} has no value", name),
                 fmt::format("set it, e.g. --set {}=1000", name));
}

/// a / b rounded up; b is not 0 and a / b does not overflow.
std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}

class IntegerEvaluation {
public:
    IntegerEvaluation(const Tree& tree, const Symbols& symbols) : m_tree(tree), m_symbols(symbols) {}

    Expected<std::int64_t> at(std::uint32_t index) const {
        const auto& node = m_tree.nodes[index];
        switch (node.operation) {
        case Operation::integer: return node.integer;
        case Operation::real: return error(m_tree, node, m_symbols, "a fraction where a whole number is needed", {});
        case Operation::symbol: return valueOf(m_tree, node, m_symbols);
        default: break;
        }
        const auto left = at(node.left);
        if (!left) return left;
        switch (node.operation) {
        case Operation::negate: return binary(node, 0, *left, Operation::subtract);
        case Operation::logicalNot: return *left == 0;
        case Operation::logicalAnd:
            if (*left == 0) return 0;
            break;
        case Operation::logicalOr:
            if (*left != 0) return 1;
            break;
        default: break;
        }
        const auto right = at(node.right);
        if (!right) return right;
        return binary(node, *left, *right, node.operation);
    }

private:
    Expected<std::int64_t> binary(const ExpressionNode& node, std::int64_t a, std::int64_t b,
                                  Operation operation) const {
        std::int64_t result = 0;
        switch (operation) {
        case Operation::add: return checked(node, __builtin_add_overflow(a, b, &result), result);
        case Operation::subtract: return checked(node, __builtin_sub_overflow(a, b, &result), result);
        case Operation::multiply: return checked(node, __builtin_mul_overflow(a, b, &result), result);
        case Operation::divide:
        case Operation::remainder:
        case Operation::ceilDiv: return division(node, a, b);
        case Operation::equal: return a == b;
        case Operation::notEqual: return a != b;
        case Operation::less: return a < b;
        case Operation::lessEqual: return a <= b;
        case Operation::greater: return a > b;
        case Operation::greaterEqual: return a >= b;
        case Operation::logicalAnd:
        case Operation::logicalOr: return b != 0;
        case Operation::minimum: return std::min(a, b);
        case Operation::maximum: return std::max(a, b);
        default: return error(m_tree, node, m_symbols, "an operator without a rule", {});
        }
    }

    Expected<std::int64_t> division(const ExpressionNode& node, std::int64_t a, std::int64_t b) const {
        if (b == 0)
            return error(m_tree, node, m_symbols, "division by zero", "guard it with `require` or with max(…, 1)");
        const bool overflow = a == std::numeric_limits<std::int64_t>::min() && b == -1;
        if (node.operation == Operation::remainder) return overflow ? 0 : a % b;
        if (overflow) return checked(node, true, 0);
        return node.operation == Operation::divide ? a / b : ceilDiv(a, b);
    }

    /// `result` by reference: it is read after the operation that is another argument of the same call.
    Expected<std::int64_t> checked(const ExpressionNode& node, bool overflow, const std::int64_t& result) const {
        if (overflow)
            return error(m_tree, node, m_symbols, "the result does not fit 64 bits", "smaller sizes are needed here");
        return result;
    }

    const Tree& m_tree;
    const Symbols& m_symbols;
};

double realBinary(Operation operation, double a, double b) {
    switch (operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::divide: return a / b;
    case Operation::remainder: return std::fmod(a, b);
    case Operation::ceilDiv: return std::ceil(a / b);
    case Operation::equal: return a == b;
    case Operation::notEqual: return a != b;
    case Operation::less: return a < b;
    case Operation::lessEqual: return a <= b;
    case Operation::greater: return a > b;
    case Operation::greaterEqual: return a >= b;
    case Operation::minimum: return std::fmin(a, b);
    case Operation::maximum: return std::fmax(a, b);
    default: return b != 0; // && and ||, once the left side has not decided
    }
}

Expected<double> realAt(const Tree& tree, const Symbols& symbols, std::uint32_t index) {
    const auto& node = tree.nodes[index];
    if (node.operation == Operation::integer || node.operation == Operation::real) return node.real;
    if (node.operation == Operation::symbol) {
        const auto value = valueOf(tree, node, symbols);
        if (!value) return std::unexpected(value.error());
        return static_cast<double>(*value);
    }
    const auto left = realAt(tree, symbols, node.left);
    if (!left) return left;
    if (node.operation == Operation::negate) return -*left;
    if (node.operation == Operation::logicalNot) return *left == 0;
    if (node.operation == Operation::logicalAnd && *left == 0) return 0.0;
    if (node.operation == Operation::logicalOr && *left != 0) return 1.0;
    const auto right = realAt(tree, symbols, node.right);
    if (!right) return right;
    return realBinary(node.operation, *left, *right);
}

std::uint32_t root(const Tree& tree) {
    return static_cast<std::uint32_t>(tree.nodes.size() - 1);
}

} // namespace

Expression::Expression() : Expression(constant(0)) {}
Expression::Expression(std::shared_ptr<const Tree> tree) : m_tree(std::move(tree)) {}

Expression Expression::constant(std::int64_t value) {
    auto tree = std::make_shared<Tree>();
    tree->text = std::to_string(value);
    tree->nodes.push_back({Operation::integer, 1, static_cast<std::uint32_t>(tree->text.size()), 0, 0, value,
                           static_cast<double>(value)});
    return Expression(std::move(tree));
}

Expected<std::int64_t> Expression::evaluate(const Symbols& symbols) const {
    return IntegerEvaluation(*m_tree, symbols).at(root(*m_tree));
}

Expected<double> Expression::evaluateReal(const Symbols& symbols) const {
    return realAt(*m_tree, symbols, root(*m_tree));
}

std::string describe(const Symbols& symbols) {
    std::string text;
    for (const auto& [name, value] : symbols) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    return text;
}

std::string inBrackets(const Symbols& symbols) {
    return symbols.empty() ? "" : fmt::format(" ({})", describe(symbols));
}

const std::string& Expression::text() const {
    return m_tree->text;
}
const std::vector<std::string>& Expression::symbols() const {
    return m_tree->symbols;
}
std::vector<std::int64_t> Expression::numbers() const {
    std::vector<std::int64_t> result;
    for (const ExpressionNode& node : m_tree->nodes)
        if (node.operation == Operation::integer) result.push_back(node.integer);
    return result;
}

} // namespace ptxwb::kernel
