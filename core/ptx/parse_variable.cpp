#include "ptx/parse_context.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

namespace ptxwb::ptx {

namespace {

/// Larger numbered families of variables (`.global .u32 t<100000>;`) are refused: each becomes a variable of its own.
constexpr std::uint32_t familyLimit = 65536;
constexpr std::uint64_t sizeLimit = std::uint64_t{1} << 62;

/// What stands before the first name and holds for all of a declaration.
struct Head {
    StateSpace space = StateSpace::none;
    ScalarType type = ScalarType::none;
    std::uint8_t vector = 1;
    std::uint32_t align = 0; ///< 0 where none is written
    Span typeSpan;
};

StateSpace spaceOf(std::string_view directive) {
    if (directive.find(':') != std::string_view::npos) return StateSpace::none;
    return word(directive.substr(1)).space;
}

bool parseAlign(ParseContext& context, std::uint32_t& align) {
    Cursor& cursor = context.cursor;
    cursor.advance();
    const Span span = cursor.token().span();
    const auto value = parseCount(context, "the alignment in bytes");
    if (!value) return false;
    if (!std::has_single_bit(*value))
        context.reporter.error(span, fmt::format("the alignment {} is not a power of two", *value), "write 1, 2, 4, 8, 16, ...");
    else
        align = *value;
    return true;
}

/// `.attribute(.managed)`, `.attribute(.unified(1, 2))`
bool parseAttribute(ParseContext& context) {
    Cursor& cursor = context.cursor;
    cursor.advance();
    if (!cursor.expect('(', "after .attribute")) return false;
    for (int depth = 1; depth > 0;) {
        if (cursor.atEnd() || cursor.at(';') || cursor.at('{')) {
            cursor.unexpected("')' to close .attribute");
            return false;
        }
        depth += cursor.at('(') ? 1 : cursor.at(')') ? -1 : 0;
        cursor.advance();
    }
    return true;
}

/// Source: PTX ISA 9.0, 5.2.1 Fundamental Types, 5.2.2 Restricted Use of Sub-Word Sizes, 5.2.3 Alternate Formats.
bool isDeclarable(ScalarType type) {
    if (isSigned(type) || isUnsigned(type) || isBits(type)) return true;
    switch (type) {
    case ScalarType::f16: case ScalarType::f16x2: case ScalarType::f32: case ScalarType::f64: case ScalarType::pred:
    case ScalarType::texref: case ScalarType::samplerref: case ScalarType::surfref: return true;
    default: return false;
    }
}

/// `.v4`, then the type.
bool parseType(ParseContext& context, Head& head) {
    Cursor& cursor = context.cursor;
    if (cursor.at(TokenKind::directive)) {
        const std::uint8_t vector = word(cursor.text().substr(1)).vector;
        if (vector) {
            head.vector = vector;
            cursor.advance();
        }
    }
    const Word type = cursor.at(TokenKind::directive) ? word(cursor.text().substr(1)) : Word{};
    if (type.type == ScalarType::none) {
        const bool missingDot = cursor.at(TokenKind::word) && scalarType(cursor.text());
        cursor.unexpected("a type such as .b32", missingDot ? fmt::format("types are written with a dot: .{}", cursor.text()) : "");
        return false;
    }
    head.type = type.type;
    head.typeSpan = cursor.token().span();
    if (!isDeclarable(type.type)) {
        const unsigned bytes = sizeBytes(type.type);
        context.reporter.error(head.typeSpan, fmt::format(".{} is a type of instructions only, not of registers and variables", name(type.type)), bytes ? fmt::format("declare .b{}", bytes * 8) : "");
    }
    cursor.advance();
    return true;
}

bool refuseLateAttribute(ParseContext& context) {
    Cursor& cursor = context.cursor;
    if (!cursor.at(TokenKind::directive)) return true;
    cursor.unexpected("the name of the variable", "the order is: state space, .align and .attribute, .v2 or .v4, type, name");
    return false;
}

/// `[4][2]`, `[]`
bool parseDimensions(ParseContext& context, std::vector<std::uint64_t>& dimensions) {
    Cursor& cursor = context.cursor;
    while (cursor.accept('[')) {
        if (dimensions.size() == 16) {
            cursor.unexpected("at most 16 dimensions");
            return false;
        }
        if (cursor.accept(']')) {
            if (!dimensions.empty()) context.reporter.error(cursor.from(cursor.lastEnd() - 2), "only the first dimension can be left open");
            dimensions.push_back(0);
            continue;
        }
        if (!cursor.at(TokenKind::integer)) {
            cursor.unexpected("the number of elements, or ']'", "a size is one plain number; expressions do not stand here");
            return false;
        }
        dimensions.push_back(cursor.token().value);
        cursor.advance();
        if (!cursor.expect(']', "after the number of elements")) return false;
    }
    return true;
}

/// Elements and bytes of the whole; false where they do not fit 62 bits.
bool measure(Variable& variable, const std::vector<std::uint64_t>& dimensions) {
    std::uint64_t elements = 1;
    const std::uint64_t each = std::max<std::uint64_t>(1, std::uint64_t{sizeBytes(variable.type)} * variable.vector);
    for (const std::uint64_t n : dimensions) {
        if (n && elements > sizeLimit / each / n) return false;
        elements *= n;
    }
    variable.elements = elements;
    variable.sizeBytes = elements * sizeBytes(variable.type) * variable.vector;
    return true;
}

std::uint32_t naturalAlign(const Variable& variable) {
    return std::max<std::uint32_t>(1, sizeBytes(variable.type) * variable.vector);
}

/// ` name[4]` after a head; also of parameters.
bool parseDeclarator(ParseContext& context, const Head& head, Variable& variable, std::vector<std::uint64_t>& dimensions) {
    Cursor& cursor = context.cursor;
    if (!cursor.at(TokenKind::word)) {
        cursor.unexpected("a name");
        return false;
    }
    variable.name = cursor.text();
    variable.nameSpan = cursor.token().span();
    variable.space = head.space;
    variable.type = head.type;
    variable.vector = head.vector;
    const std::uint32_t start = cursor.token().offset;
    cursor.advance();
    variable.isArray = cursor.at('[');
    if (!parseDimensions(context, dimensions)) return false;
    variable.isUnsized = !dimensions.empty() && dimensions.front() == 0;
    if (!measure(variable, dimensions)) {
        context.reporter.error(cursor.from(start), fmt::format("'{}' is larger than any memory", variable.name));
        return false;
    }
    variable.align = head.align ? head.align : naturalAlign(variable);
    return true;
}

bool mayReplace(const Variable& earlier, const Variable& later) {
    return earlier.linkage == Linkage::external && later.linkage != Linkage::internal;
}

void declareVariable(ParseContext& context, Variable&& variable, bool atModule) {
    std::vector<Variable>& list = atModule ? context.module.variables : context.function->variables;
    const Index index = static_cast<Index>(list.size());
    const auto other = context.names.conflict(variable.name);
    if (other && atModule && other->kind == NameKind::moduleVariable && mayReplace(list[other->index], variable)) {
        context.names.rebind(variable.name, index, variable.nameSpan);
    } else if (!reportDuplicate(context, other, variable.name, variable.nameSpan)) {
        context.names.declare(variable.name, atModule ? NameKind::moduleVariable : NameKind::variable, index, variable.nameSpan);
    }
    list.push_back(std::move(variable));
}

/// `.global .u32 t<3>;`: t0, t1, t2.
bool declareFamily(ParseContext& context, const Variable& model, bool atModule) {
    Cursor& cursor = context.cursor;
    cursor.advance();
    const auto count = parseCount(context, "the number of variables");
    if (!count || !cursor.expect('>', "after the number of variables")) return false;
    if (*count > familyLimit) {
        context.reporter.error(model.nameSpan, fmt::format("'{}<{}>' declares more than {} variables", model.name, *count, familyLimit), "declare one array");
        return true;
    }
    for (std::uint32_t i = 0; i < *count; ++i) {
        Variable one = model;
        one.name = context.module.madeNames.emplace_back(fmt::format("{}{}", model.name, i));
        declareVariable(context, std::move(one), atModule);
    }
    return true;
}

} // namespace

std::optional<std::uint32_t> parseCount(ParseContext& context, std::string_view what) {
    Cursor& cursor = context.cursor;
    if (!cursor.at(TokenKind::integer)) {
        cursor.unexpected(what, "one plain number stands here");
        return std::nullopt;
    }
    const Token token = cursor.token();
    if (token.isTooLarge || token.value > std::numeric_limits<std::uint32_t>::max()) {
        context.reporter.error(token.span(), "this number does not fit in 32 bits");
        cursor.advance();
        return 0;
    }
    cursor.advance();
    return static_cast<std::uint32_t>(token.value);
}

bool startsVariable(const Cursor& cursor) {
    if (!cursor.at(TokenKind::directive)) return false;
    const std::string_view directive = cursor.text();
    return directive == ".align" || directive == ".attribute" || (spaceOf(directive) != StateSpace::none && directive != ".sreg");
}

void parseRegisters(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Head head;
    head.space = StateSpace::reg;
    cursor.advance();
    while (cursor.atDirective(".align"))
        if (!parseAlign(context, head.align)) return cursor.skipStatement();
    if (!parseType(context, head) || !refuseLateAttribute(context)) return cursor.skipStatement();
    Function& function = *context.function;
    do {
        if (!cursor.at(TokenKind::word)) {
            cursor.unexpected("the name of a register");
            return cursor.skipStatement();
        }
        RegisterGroup group;
        group.stem = cursor.text();
        group.type = head.type;
        group.vector = head.vector;
        group.scope = context.scope;
        group.first = function.registerCount;
        group.span = cursor.token().span();
        const std::uint32_t start = cursor.token().offset;
        cursor.advance();
        if (cursor.at('[') || cursor.at('=')) {
            const bool array = cursor.at('[');
            context.reporter.error(cursor.token().span(), array ? "a register is no array" : "a register takes no initial value",
                                   array ? "a range is written .reg .b32 %r<4>; and gives %r0 to %r3" : "write it with mov");
            return cursor.skipStatement();
        }
        const bool range = cursor.accept('<');
        if (range) {
            const auto count = parseCount(context, "the number of registers");
            if (!count || !cursor.expect('>', "after the number of registers")) return cursor.skipStatement();
            group.count = *count;
            group.span = cursor.from(start);
        }
        const std::uint32_t ids = range ? group.count : 1;
        if (ids > parameterBase - function.registerCount) {
            context.reporter.error(group.span, "a function cannot have more than 2^30 registers");
            continue;
        }
        const auto other = range ? context.names.rangeConflict(group.stem, group.count) : context.names.conflict(group.stem);
        if (reportDuplicate(context, other, context.text(group.span), group.span)) continue;
        if (ids == 0) continue; // `<0>` declares nothing
        if (range)
            context.names.declareRange(group.stem, group.count, group.first, group.span);
        else
            context.names.declare(group.stem, NameKind::reg, group.first, group.span);
        function.registerCount += ids;
        function.registers.push_back(group);
    } while (cursor.accept(','));
    if (!cursor.expectSemicolon("declaration")) cursor.skipStatement();
}

void parseVariables(ParseContext& context, Linkage linkage, std::uint32_t start) {
    Cursor& cursor = context.cursor;
    const bool atModule = context.function == nullptr;
    Head head;
    while (startsVariable(cursor)) {
        if (cursor.atDirective(".align")) {
            if (!parseAlign(context, head.align)) return cursor.skipDeclaration();
        } else if (cursor.atDirective(".attribute")) {
            if (!parseAttribute(context)) return cursor.skipDeclaration();
        } else {
            const StateSpace space = spaceOf(cursor.text());
            if (head.space != StateSpace::none) {
                // `.global .texref t` has one space; `.tex` itself is one
                cursor.unexpected("one state space", fmt::format("'.{}' has been read already", name(head.space)));
                return cursor.skipDeclaration();
            }
            if (atModule && (space == StateSpace::reg || space == StateSpace::local || space == StateSpace::param))
                context.reporter.error(cursor.token().span(), fmt::format("a variable in '{}' cannot be declared outside a function", cursor.text()), "move it into the body that uses it");
            head.space = space;
            cursor.advance();
        }
    }
    if (head.space == StateSpace::none) {
        cursor.unexpected("a state space such as .global");
        return cursor.skipDeclaration();
    }
    if (!parseType(context, head) || !refuseLateAttribute(context)) return cursor.skipDeclaration();
    if (head.type == ScalarType::pred) {
        context.reporter.error(head.typeSpan, "predicates live in registers only", "store 0 or 1 as .u8 instead");
    }
    do {
        Variable variable;
        std::vector<std::uint64_t> dimensions;
        variable.linkage = linkage;
        if (!parseDeclarator(context, head, variable, dimensions)) return cursor.skipDeclaration();
        variable.scope = atModule ? noIndex : context.scope;
        if (cursor.at('<')) {
            variable.span = cursor.from(start);
            if (!declareFamily(context, variable, atModule)) return cursor.skipDeclaration();
            continue;
        }
        if (cursor.at('=')) {
            const Span equals = cursor.token().span();
            cursor.advance();
            if (head.type == ScalarType::samplerref || head.type == ScalarType::texref || head.type == ScalarType::surfref) {
                if (!cursor.at('{')) {
                    cursor.unexpected("'{' before the settings of a sampler or texture");
                    return cursor.skipDeclaration();
                }
                cursor.skipBlock(); // filter_mode = linear, ...: nothing here depends on them
            } else if (!parseInitialiser(context, variable, dimensions)) {
                return cursor.skipDeclaration();
            }
            if (variable.space != StateSpace::global && variable.space != StateSpace::constant)
                context.reporter.error(equals, fmt::format("a variable in .{} takes no initial value", name(variable.space)), "only .global and .const variables do");
        }
        if (variable.isUnsized && linkage != Linkage::external && variable.space != StateSpace::param)
            context.reporter.error(variable.nameSpan, fmt::format("'{}' has no size", variable.name), "give the number of elements or an initial value, or declare it .extern");
        variable.span = cursor.from(start);
        declareVariable(context, std::move(variable), atModule);
    } while (cursor.accept(','));
    if (!cursor.expectSemicolon("declaration")) cursor.skipDeclaration();
}

namespace {

/// `.ptr .global .align 16` behind the type of a kernel's parameter.
bool parsePointer(ParseContext& context, Variable& parameter) {
    Cursor& cursor = context.cursor;
    parameter.isPointer = true;
    cursor.advance();
    if (cursor.at(TokenKind::directive) && !cursor.atDirective(".align")) {
        const StateSpace space = spaceOf(cursor.text());
        if (space != StateSpace::global && space != StateSpace::constant && space != StateSpace::local && space != StateSpace::shared) {
            cursor.unexpected("the state space that this pointer points to", ".const, .global, .local or .shared");
            return false;
        }
        parameter.pointee = space;
        cursor.advance();
    }
    if (cursor.atDirective(".align") && !parseAlign(context, parameter.pointeeAlign)) return false;
    if (cursor.at(TokenKind::directive)) {
        cursor.unexpected("the name of the parameter", "the order is .ptr, state space, .align");
        return false;
    }
    return true;
}

bool parseParameter(ParseContext& context, std::vector<Variable>& parameters, ParameterNames names) {
    Cursor& cursor = context.cursor;
    const std::uint32_t start = cursor.token().offset;
    Head head;
    while (startsVariable(cursor) && !cursor.atDirective(".attribute")) {
        if (cursor.atDirective(".align")) {
            if (!parseAlign(context, head.align)) return false;
        } else {
            head.space = spaceOf(cursor.text());
            cursor.advance();
        }
    }
    if (head.space != StateSpace::param && head.space != StateSpace::reg) {
        cursor.unexpected(".param or .reg before a parameter");
        return false;
    }
    if (!parseType(context, head)) return false;
    Variable parameter;
    if (cursor.atDirective(".align") && !parseAlign(context, head.align)) return false;
    if (cursor.atDirective(".ptr") && !parsePointer(context, parameter)) return false;
    if (!refuseLateAttribute(context)) return false;
    std::vector<std::uint64_t> dimensions;
    if (names == ParameterNames::ignored && !cursor.at(TokenKind::word)) {
        // a prototype may leave the name out
        parameter.type = head.type;
        parameter.space = head.space;
        parameter.vector = head.vector;
        measure(parameter, dimensions);
        parameter.align = head.align ? head.align : naturalAlign(parameter);
    } else if (!parseDeclarator(context, head, parameter, dimensions)) {
        return false;
    }
    parameter.span = cursor.from(start);
    parameters.push_back(std::move(parameter));
    return true;
}

} // namespace

bool parseParameters(ParseContext& context, std::vector<Variable>& parameters, ParameterNames names) {
    Cursor& cursor = context.cursor;
    cursor.advance();
    if (cursor.accept(')')) return true;
    do {
        if (!parseParameter(context, parameters, names)) return false;
    } while (cursor.accept(','));
    return cursor.expect(')', "or ',' after this parameter");
}

void declareParameters(ParseContext& context, const std::vector<Variable>& parameters, NameKind kind) {
    Function& function = *context.function;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Variable& parameter = parameters[i];
        if (parameter.name == "_") {
            context.reporter.error(parameter.nameSpan, "'_' is no name for a parameter of a function", "it stands in .callprototype only");
            continue;
        }
        if (reportDuplicate(context, context.names.conflict(parameter.name), parameter.name, parameter.nameSpan)) continue;
        if (parameter.space != StateSpace::reg) {
            context.names.declare(parameter.name, kind, static_cast<Index>(i), parameter.nameSpan);
            continue;
        }
        // A register parameter is a register of the body as well.
        context.names.declare(parameter.name, NameKind::reg, function.registerCount, parameter.nameSpan);
        function.registers.push_back({parameter.name, 0, function.registerCount, parameter.type, parameter.vector, 0, parameter.nameSpan});
        ++function.registerCount;
    }
}

} // namespace ptxwb::ptx
