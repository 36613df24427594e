// The compiled form of an expression: nodes in one array, children by index.
// Shared by expression_parse.cpp, expression_evaluate.cpp and expression_c.cpp only.
#pragma once

#include "kernel/expression.h"

namespace ptxwb::kernel {

enum class Operation : std::uint8_t {
    integer,
    real,
    symbol,
    negate,
    logicalNot,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    equal,
    notEqual,
    less,
    lessEqual,
    greater,
    greaterEqual,
    logicalAnd,
    logicalOr,
    ceilDiv,
    minimum,
    maximum,
};

struct ExpressionNode {
    Operation operation = Operation::integer;
    std::uint32_t column = 1, length = 1; ///< of the operator, the function's name or the operand
    std::uint32_t left = 0, right = 0;    ///< indices of nodes; for `symbol`, `left` is the index of the name
    std::int64_t integer = 0;
    double real = 0;
};

struct Expression::Tree {
    std::string text;
    std::vector<std::string> symbols;
    std::vector<ExpressionNode> nodes; ///< children before parents; the last one is the root
};

/// What `Expression::compile` holds.
Expected<std::shared_ptr<const Expression::Tree>>
parseExpression(std::string_view text, std::span<const std::string> names, Arithmetic arithmetic);

/// A badRequest whose place is the range inside the expression.
std::unexpected<Diagnostic> expressionFailure(std::string message, std::string hint, std::uint32_t column,
                                              std::uint32_t length);

} // namespace ptxwb::kernel
