// What the parts of the parser share: the module being built, the place in the text, the names, the function at hand.
// Made by `parse`; used by the parse_*.cpp files only.
#pragma once

#include "ptx/cursor.h"
#include "ptx/names.h"

#include <unordered_map>

namespace ptxwb::ptx {

struct ParseContext {
    ParseContext(Module& m, Reporter& r, Cursor& c) : module(m), reporter(r), cursor(c) {}

    Module& module;
    Reporter& reporter;
    Cursor& cursor;
    Names names;

    Function* function = nullptr; ///< whose body is read
    bool inHead = true;           ///< only .version, .target and .address_size so far
    Index scope = noIndex;
    Index location = noIndex;
    bool indexIsAddress = false; ///< `table[2]` is an address here: the instruction takes one
    std::vector<Operand> stack;  ///< operands whose parent is not complete yet
    std::unordered_map<std::string_view, unsigned>
        unknownUses; ///< how often each unknown name of this function was seen
    std::unordered_map<std::uint64_t, Index>
        callSites; ///< the last `.loc` of a file, line and column, for `inlined_at`

    std::string_view text(Span span) const { return module.textOf(span); }
};

/// Reports "already declared" with the place of the first; true where there was one.
bool reportDuplicate(ParseContext& context, const std::optional<Found>& other, std::string_view name, Span span);
/// Reports a name that nothing declares, at most 20 times a name, with the nearest one that is.
void reportUnknown(ParseContext& context, std::string_view name, Span span, std::string_view what = "name");

/// One operand with all below it, pushed on `context.stack`. False after a report.
bool parseOperand(ParseContext& context);
/// `(a, b)` of a call, pushed as one `list`.
bool parseOperandList(ParseContext& context);
/// Makes an operand the use of a label, at last.
void bindLabel(ParseContext& context, Index operand, Index label);
/// Moves the stack's operands from `first` on into the function; answers where they lie.
std::uint32_t settleOperands(ParseContext& context, std::size_t first);

/// From the guard or the opcode to the semicolon.
void parseInstruction(ParseContext& context);
/// The same where the opcode word has been taken already, to see that no colon followed it.
void parseInstructionAfterWord(ParseContext& context, const Token& word);

/// `.reg .b32 %r<10>, x;` with the cursor at `.reg`.
void parseRegisters(ParseContext& context);
/// A variable declaration, with the cursor at its first directive; linkage has been read.
void parseVariables(ParseContext& context, Linkage linkage, std::uint32_t start);
bool startsVariable(const Cursor& cursor);
/// `(.param .u64 p, ...)` with the cursor at the parenthesis. `named` is false for `.callprototype`.
enum class ParameterNames { declared, ignored };
bool parseParameters(ParseContext& context, std::vector<Variable>& parameters, ParameterNames names);
void declareParameters(ParseContext& context, const std::vector<Variable>& parameters, NameKind kind);
/// The value behind `=`.
bool parseInitialiser(ParseContext& context, Variable& variable, const std::vector<std::uint64_t>& dimensions);

/// `.entry` or `.func` with all that belongs to it.
void parseFunction(ParseContext& context, Linkage linkage, std::uint32_t start);
void parseBody(ParseContext& context);
/// `label: .branchtargets ...;` with the cursor at the directive.
void parseLabelled(ParseContext& context, const Token& label);
void parseLocation(ParseContext& context);
/// `.pragma "a", "b";`
bool parsePragma(ParseContext& context, std::vector<PerformanceDirective>& directives);
bool parsePerformanceDirective(ParseContext& context, std::vector<PerformanceDirective>& directives);

inline std::uint64_t callSiteKey(std::uint32_t file, std::uint32_t line, std::uint32_t column) {
    return (std::uint64_t{file} << 48) ^ (std::uint64_t{line} << 16) ^ column;
}

/// A plain unsigned number that fits 32 bits.
std::optional<std::uint32_t> parseCount(ParseContext& context, std::string_view what);

} // namespace ptxwb::ptx
