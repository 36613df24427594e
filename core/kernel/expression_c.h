// Expressions of a spec as C, with the checks that they have here: what overflows or divides by zero is told, not
// computed.
// Called by exports.
#pragma once

#include "kernel/expression.h"

namespace ptxwb::kernel {

/// A C expression of type int64_t (`integer`) or double (`real`) over variables of type int64_t, one for each symbol,
/// named by `cName`. It needs the functions of `cExpressionHelpers`, and for integers a variable `int* ok` that becomes
/// 0 where a value does not fit 64 bits or a divisor is 0; the result is 0 then, and nothing is undefined.
std::string toC(const Expression& expression, Arithmetic arithmetic = Arithmetic::integer);

/// Valid C99 and C++, once in a file however often it is included.
std::string_view cExpressionHelpers();

/// The symbol's own name, with underscores behind it where C or C++ has taken it. Different for different symbols.
std::string cName(std::string_view symbol);

} // namespace ptxwb::kernel
