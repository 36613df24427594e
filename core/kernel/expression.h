// The small expression language of kernel specs: sizes, grid dimensions, requirements, scalar values.
// Called by the spec loader (compile once) and by sizes, layout and verify (evaluate for every run).
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::kernel {

/// Values of the symbols of one run, in alphabetical order.
using Symbols = std::map<std::string, std::int64_t, std::less<>>;

enum class Arithmetic : std::uint8_t {
    integer, ///< int64, overflow and division by zero are errors, `/` truncates as in C
    real,    ///< double, for floating-point scalars; knows the literals `2.5`, `1e-3`, `inf` and `nan`
};

/// A compiled expression: + - * / %, unary -, ( ), == != < <= > >=, && || !, ceil_div(a, b), min(a, b), max(a, b),
/// whole numbers, symbols. Comparisons give 1 or 0; && and || do not evaluate their right side in vain.
/// `sm_count` and `max_blocks_per_sm` are always known names; whoever evaluates gives their values among the symbols.
/// Cheap to copy: the tree is shared and immutable.
class Expression {
public:
    /// The constant 0.
    Expression();

    /// `names`: the symbols that may be used. Errors (Cause::badRequest) quote the expression and the column; their
    /// `place` has no file, line 1, and the column and length inside `text`, so that `format(d, text)` shows a caret
    /// range.
    static Expected<Expression> compile(std::string_view text, std::span<const std::string> names,
                                        Arithmetic arithmetic = Arithmetic::integer);
    static Expression constant(std::int64_t value);

    /// Errors: overflow, division by zero, a symbol without a value; the message has the expression, the column and the
    /// values of all symbols that the expression uses.
    Expected<std::int64_t> evaluate(const Symbols& symbols) const;
    /// In double, whatever the expression was compiled for. Division by zero gives an infinity or NaN as IEEE 754 does.
    Expected<double> evaluateReal(const Symbols& symbols) const;

    const std::string& text() const;
    /// The symbols used, each once, in order of appearance.
    const std::vector<std::string>& symbols() const;
    /// The whole numbers written in it, in order of appearance.
    std::vector<std::int64_t> numbers() const;

    struct Tree;

private:
    explicit Expression(std::shared_ptr<const Tree> tree);
    std::shared_ptr<const Tree> m_tree;
};

/// "m = 16, n = 4", and " (m = 16, n = 4)" for the end of a message (empty without symbols).
std::string describe(const Symbols& symbols);
std::string inBrackets(const Symbols& symbols);

/// "sm_count" and "max_blocks_per_sm".
std::span<const std::string_view> builtinSymbols();
/// Letters, digits and _, not starting with a digit.
bool isIdentifier(std::string_view text);
/// True for a name that a spec may give to a symbol: an identifier that is no built-in and no function.
bool isFreeName(std::string_view name);

} // namespace ptxwb::kernel
