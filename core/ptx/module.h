// The tree of one PTX module: immutable, flat vectors with indices, every piece with its span in the text.
// Made by `parse`; read by the checker, the comparison, the emulator's decoder, the specs' drafts and the window.
#pragma once

#include "ptx/types.h"
#include "support/diagnostic.h"

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::ptx {

using Index = std::uint32_t;
inline constexpr Index noIndex = ~Index{0};

/// Bytes [offset, offset + length) of `Module::text`.
struct Span {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
    std::uint32_t end() const { return offset + length; }
    bool operator==(const Span&) const = default;
};

/// One declarator: `%p` (count 0) or `%r<10>` (stem "%r", count 10: %r0 to %r9). It owns the register ids
/// [first, first + max(count, 1)) of its function.
struct RegisterGroup {
    std::string_view stem;
    std::uint32_t count = 0;
    Index first = 0;
    ScalarType type = ScalarType::none;
    std::uint8_t vector = 1; ///< 2 or 4 for `.v2` and `.v4`
    Index scope = 0;
    Span span; ///< the declarator
};

/// A braced block of a function; scope 0 is the body. An inner declaration hides an outer one of the same name.
struct Scope {
    Index parent = noIndex;
    Span span;
};

enum class Linkage : std::uint8_t { internal, visible, external, weak, common };

/// A symbol's address inside an initialiser: at `offset` of the variable's bytes, `bytes` wide, plus `addend`.
struct Relocation {
    std::uint32_t offset = 0;
    std::uint8_t bytes = 8;
    bool generic = false;           ///< written `generic(symbol)`
    std::uint8_t byteOfAddress = 0; ///< where bytes is 1 (`0xFF00(symbol)`): which byte of the address, 0 is the lowest
    std::string_view symbol;
    std::int64_t addend = 0;
};

/// A variable or a parameter.
struct Variable {
    std::string_view name;
    StateSpace space = StateSpace::none;
    ScalarType type = ScalarType::none;
    Linkage linkage = Linkage::internal;
    std::uint8_t vector = 1;
    bool isArray = false;                  ///< declared with brackets
    bool isUnsized = false;                ///< `extern .shared .b8 s[];`: sizeBytes is 0
    bool isPointer = false;                ///< parameter with `.ptr`
    StateSpace pointee = StateSpace::none; ///< of `.ptr .global`
    std::uint32_t pointeeAlign = 0;        ///< of `.ptr .align N`
    std::uint32_t align = 1;               ///< bytes; the natural one of type and vector where none is written
    std::uint64_t elements = 1;
    std::uint64_t sizeBytes = 0;
    /// Bytes of the initialiser, little-endian, at most sizeBytes long (the rest is zero); empty where there is none.
    std::vector<std::uint8_t> initialiser;
    std::vector<Relocation> relocations;
    Index scope = noIndex; ///< function-level variables only
    Span nameSpan;
    Span span;
};

enum class OperandKind : std::uint8_t {
    reg,      ///< symbol = register id
    special,  ///< %tid.x, %laneid, WARP_SZ; `span` holds the name with its component
    integer,  ///< value, two's complement
    floating, ///< value = bits, of f64 where floatBits is 64, of f32 where it is 32 (`0f` and `0F` literals)
    variable, ///< symbol = variable index; with owner; value = addend in bytes (`mov.u64 %rd, table+8;`, `table[2]`)
    label,    ///< symbol = label index of the function; of a `.branchtargets` too: `Label::directive` tells
    function, ///< symbol = function index of the module, the definition where there is one
    address, ///< [base + value]; children: base (reg, variable, integer), then what follows commas inside the brackets;
             ///< `table[2]` as the operand of a load is one too
    vector,  ///< {a, b}; children
    pair,    ///< d|p; two children
    list,    ///< (a, b) of a call; children
    sink,    ///< _
    unresolved, ///< a name that nothing declares: the parser has reported it
};

enum class Owner : std::uint8_t { function, module };

struct Operand {
    OperandKind kind = OperandKind::unresolved;
    Owner owner = Owner::function; ///< whose variable list `symbol` indexes
    bool negated = false;          ///< `!%p`
    /// 1 to 4 for the suffix .x .y .z .w (.r .g .b .a) of a vector register; of a video instruction's operand 5 to 8
    /// for .b0 to .b3, 9 and 10 for .h0 and .h1, 255 for several at once (`.h10`, `.b3210`: the span has them); else 0
    std::uint8_t component = 0;
    std::uint8_t floatBits = 0;
    Index symbol = noIndex;
    std::uint32_t firstChild = 0; ///< into Function::operands; children lie together
    std::uint32_t childCount = 0;
    std::int64_t value = 0;
    Span span;
};

struct ModifierUse {
    Modifier id = Modifier::unknown;
    ScalarType type = ScalarType::none;  ///< set where the word is a type; id is then unknown unless it is both
    StateSpace space = StateSpace::none; ///< set where the word is a state space (`.shared::cta` too, id tells)
    std::uint8_t vector = 0;             ///< 2, 4 or 8 for `.v2`, `.v4`, `.v8`
    Span span;                           ///< with the dot
};

struct Instruction {
    Opcode opcode = Opcode::unknown;
    bool guardNegated = false;
    Index guard = noIndex;                              ///< register id of `@%p`
    std::uint32_t firstModifier = 0, modifierCount = 0; ///< into Function::modifiers
    std::uint32_t firstOperand = 0, operandCount = 0;   ///< top-level ones, into Function::operands
    Index scope = 0;
    Index location = noIndex; ///< into Function::locations: the `.loc` in force
    Span span;                ///< from the guard to before the semicolon
    Span opcodeSpan;          ///< the opcode word, without modifiers
};

struct Label {
    std::string_view name;
    std::uint32_t target = 0; ///< index of the instruction that follows; instructions.size() at the end
    Index scope = 0;
    Index directive = noIndex; ///< into Function::labelled where the label names a `.branchtargets` or its like
    Span span;
};

/// A `.loc`: file index as written, line, column; where inlined, the function and the call site.
struct Location {
    std::uint32_t file = 0, line = 0, column = 0;
    Index inlinedAt = noIndex;        ///< another entry of Function::locations
    std::string_view function;        ///< label of the inlined function's name in `.debug_str`, as written
    std::uint32_t functionOffset = 0; ///< bytes behind that label
    Span span;
};

/// `.maxntid 256, 1, 1`, `.minnctapersm 2`, `.reqnctapercluster 16`, `.noreturn`, `.pragma "nounroll"` ...
struct PerformanceDirective {
    std::string_view name; ///< with the dot
    std::vector<std::uint32_t> values;
    std::vector<std::string_view> strings;
    Span span;
};

/// `proto : .callprototype (.param .b32 _) _ (.param .b64 _);`, `.branchtargets`, `.calltargets`
struct LabelledDirective {
    std::string_view label;
    std::string_view name; ///< ".callprototype"
    std::vector<Variable> parameters, results;
    std::vector<std::string_view> targets;
    Index scope = 0;
    Span span;
};

struct Function {
    std::string_view name;
    bool isEntry = false;
    bool hasBody = false;
    Linkage linkage = Linkage::internal;
    std::vector<Variable> parameters, results;
    std::vector<PerformanceDirective> directives;
    std::vector<RegisterGroup> registers; ///< in order of first id
    std::uint32_t registerCount = 0;
    std::vector<Variable>
        variables; ///< .shared, .local, .param, .const, .global declared inside; parameters are not here
    std::vector<Scope> scopes;
    std::vector<Label> labels;
    std::vector<LabelledDirective> labelled;
    std::vector<Location> locations;
    std::vector<Instruction> instructions;
    std::vector<ModifierUse> modifiers;
    std::vector<Operand> operands;
    Span nameSpan, headSpan, bodySpan, span;

    std::span<const ModifierUse> modifiersOf(const Instruction& i) const {
        return {modifiers.data() + i.firstModifier, i.modifierCount};
    }
    std::span<const Operand> operandsOf(const Instruction& i) const {
        return {operands.data() + i.firstOperand, i.operandCount};
    }
    std::span<const Operand> childrenOf(const Operand& o) const {
        return {operands.data() + o.firstChild, o.childCount};
    }
    bool has(const Instruction& i, Modifier m) const;
    /// The n-th type among the modifiers (0 is the first), `none` where there are fewer.
    ScalarType typeOf(const Instruction& i, unsigned n = 0) const;
    StateSpace spaceOf(const Instruction& i) const;
    unsigned vectorOf(const Instruction& i) const; ///< 1 where no `.vN` stands

    const RegisterGroup& groupOf(Index registerId) const;
    std::string registerName(Index registerId) const;
    ScalarType registerType(Index registerId) const { return groupOf(registerId).type; }
};
// A parameter used as an operand has kind variable, owner function, and symbol = parameterBase + its index in
// `parameters`, or resultBase + its index in `results`.
inline constexpr Index parameterBase = 0x4000'0000;
inline constexpr Index resultBase = 0x6000'0000;
const Variable& variableOf(const Function& function, Index symbol);

struct FileEntry {
    std::uint32_t index = 0;
    std::string_view name; ///< as written, octal escapes and all
};

/// `.section .debug_str { ... }`: kept as text.
struct Section {
    std::string_view name; ///< with the dot
    Span body;             ///< between the braces
    Span span;
};

/// `.alias name, aliasee;`
struct Alias {
    std::string_view name, aliasee;
    Span span;
};

/// `//@ title ...` at the top of a candidate.
struct CandidateLine {
    std::string_view key;
    std::string_view value;
    Span span;
};

struct Module {
    std::shared_ptr<const std::string> text;
    std::string name;                      ///< the file name for messages
    std::uint16_t version = 0;             ///< 10 * major + minor; 0 where it is missing
    std::vector<std::string_view> targets; ///< "sm_90", "debug", "texmode_independent"
    Span versionSpan, targetSpan;
    unsigned addressSize = 64;
    std::vector<FileEntry> files;
    std::vector<Section> sections;
    std::vector<Alias> aliases;
    std::vector<Variable> variables;
    std::vector<Function> functions;
    std::deque<std::string> madeNames; ///< names that the text does not spell: `.global .u32 t<2>` makes t0 and t1
    std::vector<CandidateLine> candidateLines;
    std::vector<std::uint32_t> lineStarts; ///< byte offset of each line
    std::vector<Diagnostic> diagnostics;   ///< what the parser found: syntax and names, in order of place

    std::string_view textOf(Span span) const { return std::string_view(*text).substr(span.offset, span.length); }
    std::uint32_t lineOf(std::uint32_t offset) const; ///< from 1
    Place placeOf(Span span) const;
    bool hasErrors() const;
    /// The exact symbol; nullptr where there is none.
    const Function* function(std::string_view symbol) const;
    std::vector<const Function*> entries() const;
};

} // namespace ptxwb::ptx
