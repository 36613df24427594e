#include "ptx/parse_declarator.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

namespace ptxwb::ptx {

namespace {

constexpr std::uint64_t sizeLimit = std::uint64_t{1} << 62;

/// Source: PTX ISA 9.0, 5.2.1 Fundamental Types, 5.2.2 Restricted Use of Sub-Word Sizes, 5.2.3 Alternate Formats.
bool isDeclarable(ScalarType type) {
    if (isSigned(type) || isUnsigned(type) || isBits(type)) return true;
    switch (type) {
    case ScalarType::f16:
    case ScalarType::f16x2:
    case ScalarType::f32:
    case ScalarType::f64:
    case ScalarType::pred:
    case ScalarType::texref:
    case ScalarType::samplerref:
    case ScalarType::surfref: return true;
    default: return false;
    }
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
            if (!dimensions.empty())
                context.reporter.error(cursor.from(cursor.lastEnd() - 2), "only the first dimension can be left open");
            dimensions.push_back(0);
            continue;
        }
        if (!cursor.at(TokenKind::integer)) {
            cursor.unexpected("the number of elements, or ']'",
                              "a size is one plain number; expressions do not stand here");
            return false;
        }
        dimensions.push_back(cursor.token().value);
        cursor.advance();
        if (!cursor.expect(']', "after the number of elements")) return false;
    }
    return true;
}

} // namespace

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
        context.reporter.error(span, fmt::format("the alignment {} is not a power of two", *value),
                               "write 1, 2, 4, 8, 16, ...");
    else
        align = *value;
    return true;
}

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

bool parseType(ParseContext& context, DeclarationHead& head) {
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
        cursor.unexpected("a type such as .b32",
                          missingDot ? fmt::format("types are written with a dot: .{}", cursor.text()) : "");
        return false;
    }
    head.type = type.type;
    head.typeSpan = cursor.token().span();
    if (!isDeclarable(type.type)) {
        const unsigned bytes = sizeBytes(type.type);
        context.reporter.error(
            head.typeSpan,
            fmt::format(".{} is a type of instructions only, not of registers and variables", name(type.type)),
            bytes ? fmt::format("declare .b{}", bytes * 8) : "");
    }
    cursor.advance();
    return true;
}

bool refuseLateAttribute(ParseContext& context) {
    Cursor& cursor = context.cursor;
    if (!cursor.at(TokenKind::directive)) return true;
    cursor.unexpected("the name of the variable",
                      "the order is: state space, .align and .attribute, .v2 or .v4, type, name");
    return false;
}

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

bool parseDeclarator(ParseContext& context, const DeclarationHead& head, Variable& variable,
                     std::vector<std::uint64_t>& dimensions) {
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

} // namespace ptxwb::ptx
