// Number literals of PTX.
// Called by the lexer at a digit, or at a dot before a digit.
#pragma once

#include "ptx/token.h"

namespace ptxwb::ptx {

/// Reads the number that begins at `begin` and sets kind, value, length, problem of `token`. Decimal, octal `017`, hex,
/// binary `0b101`, each with an upper-case `U` perhaps; `0f` with 8 and `0d` with 16 hex digits (bits as they stand);
/// decimals with fraction or exponent as f64.
/// Source: PTX ISA 9.0, 4.5 Constants; what ptxas 13.0 takes (`.5`, `1.`, `1e3`) and refuses (`1.f`, `12u`, `08`).
void readNumber(Token& token, const char* begin, const char* end);

} // namespace ptxwb::ptx
