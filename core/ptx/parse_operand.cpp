#include "ptx/character.h"
#include "ptx/constant_expression.h"
#include "ptx/parse_context.h"
#include "ptx/special_registers.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

/// .x .y .z .w and .r .g .b .a of vectors, .b0 .h1 and the like of video instructions. Answers 0 where it is none.
std::uint8_t componentOf(std::string_view suffix) {
    if (suffix.size() == 2) {
        switch (suffix[1]) {
        case 'x':
        case 'r': return 1;
        case 'y':
        case 'g': return 2;
        case 'z':
        case 'b': return 3;
        case 'w':
        case 'a': return 4;
        default: return 0;
        }
    }
    const bool bytes = suffix.size() >= 3 && suffix[1] == 'b';
    const bool halves = suffix.size() >= 3 && suffix[1] == 'h';
    if (!bytes && !halves) return 0;
    for (const char c : suffix.substr(2))
        if (c < '0' || c > (bytes ? '7' : '3')) return 0;
    if (suffix.size() > 3) return 255;
    if (suffix[2] > (bytes ? '3' : '1')) return 0;
    return static_cast<std::uint8_t>((bytes ? 5 : 9) + (suffix[2] - '0'));
}

void take(Operand& operand, const Found& found) {
    operand.symbol = found.index;
    switch (found.kind) {
    case NameKind::reg: operand.kind = OperandKind::reg; break;
    case NameKind::parameter:
        operand.kind = OperandKind::variable;
        operand.symbol = parameterBase + found.index;
        break;
    case NameKind::result:
        operand.kind = OperandKind::variable;
        operand.symbol = resultBase + found.index;
        break;
    case NameKind::variable: operand.kind = OperandKind::variable; break;
    case NameKind::moduleVariable:
        operand.kind = OperandKind::variable;
        operand.owner = Owner::module;
        break;
    case NameKind::function: operand.kind = OperandKind::function; break;
    case NameKind::label: // an inner scope may still bring a label of this name: bound when the scopes close
        operand.kind = OperandKind::unresolved;
        operand.symbol = noIndex;
        break;
    }
}

bool constantOperand(ParseContext& context, Operand& operand) {
    const std::uint32_t start = context.cursor.token().offset;
    const auto constant = parseConstant(context.cursor);
    if (!constant) return false;
    operand.kind = constant->isFloat ? OperandKind::floating : OperandKind::integer;
    operand.floatBits = constant->isFloat ? constant->floatBits : std::uint8_t{0};
    operand.value = static_cast<std::int64_t>(constant->bits);
    operand.span = context.cursor.from(start);
    return true;
}

/// The offset behind `+`.
bool addend(ParseContext& context, std::int64_t& value) {
    const std::uint32_t start = context.cursor.token().offset;
    if (!startsConstant(context.cursor)) {
        const bool name = context.cursor.at(TokenKind::word);
        context.cursor.unexpected(
            "a number after '+'",
            name ? "an address is one register or variable plus a number: add the rest into a register first" : "");
        return false;
    }
    const auto constant = parseConstant(context.cursor);
    if (!constant) return false;
    if (constant->isFloat) {
        context.reporter.error(context.cursor.from(start), "an offset is an integer, not a floating-point number");
        return false;
    }
    value = static_cast<std::int64_t>(constant->bits);
    return true;
}

bool noMinus(ParseContext& context) {
    if (!context.cursor.at('-')) return true;
    context.cursor.unexpected("'+' before the offset", "a negative offset is written '+-4'");
    return false;
}

std::uint64_t elementBytes(const ParseContext& context, const Operand& operand) {
    if (operand.kind != OperandKind::variable) return 1;
    const Variable& variable = operand.owner == Owner::module ? context.module.variables[operand.symbol]
                                                              : variableOf(*context.function, operand.symbol);
    return std::uint64_t{sizeBytes(variable.type)} * variable.vector;
}

/// A name with its component, `name+4`, `name[2]`; `indexed` is set for the last.
bool nameOperand(ParseContext& context, Operand& operand, bool& indexed) {
    Cursor& cursor = context.cursor;
    const Token token = cursor.token();
    const std::string_view name = cursor.text();
    operand.span = token.span();
    if (name == "_") {
        operand.kind = OperandKind::sink;
        cursor.advance();
        return true;
    }
    const auto found = context.names.find(name);
    if (found) {
        take(operand, *found);
    } else if (const SpecialRegister* special = specialRegister(name)) {
        if (special->name == "WARP_SZ") {
            if (!constantOperand(context, operand)) return false;
            if (operand.span.length == name.size()) operand.kind = OperandKind::special;
            return true;
        }
        operand.kind = OperandKind::special;
    }
    cursor.advance();
    if (cursor.at(TokenKind::directive)) {
        const std::string_view suffix = cursor.text();
        const std::uint8_t component = componentOf(suffix);
        if (component == 0) {
            cursor.reporter().error(
                cursor.token().span(), fmt::format("'{}' is no component of an operand", suffix),
                "vectors have .x .y .z .w (or .r .g .b .a), video instructions .b0 to .b3, .h0 and .h1");
            cursor.advance();
            return true;
        }
        operand.component = component;
        cursor.advance();
        operand.span = cursor.from(token.offset);
        return true;
    }
    const bool addressable = operand.kind == OperandKind::variable || operand.kind == OperandKind::function ||
                             operand.kind == OperandKind::unresolved;
    if (addressable && cursor.accept('+')) {
        if (!addend(context, operand.value)) return false;
        operand.span = cursor.from(token.offset);
    } else if (addressable && cursor.at('[')) {
        cursor.advance();
        std::int64_t index = 0;
        if (!addend(context, index) || !cursor.expect(']', "after an index")) return false;
        operand.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(index) * elementBytes(context, operand));
        indexed = true;
        operand.span = cursor.from(token.offset);
    } else if (addressable && !noMinus(context)) {
        return false;
    }
    return true;
}

/// The bare name of an operand written `!name`, `name+4`, `name.x`.
Span nameIn(const ParseContext& context, Span span) {
    const std::string_view text = context.text(span);
    std::size_t begin = 0;
    while (begin < text.size() && (text[begin] == '!' || isByte(text[begin], byteBlank))) ++begin;
    std::size_t end = begin;
    while (end < text.size() && (isByte(text[end], byteFollow) || text[end] == '%')) ++end;
    return {span.offset + static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
}

/// An operand that is made of others: what is pushed on the stack from here on, until it is closed.
class Composite {
public:
    /// `start`: offset of its first character.
    Composite(ParseContext& context, OperandKind kind, std::uint32_t start)
        : m_context(context), m_first(context.stack.size()), m_start(start) {
        operand.kind = kind;
    }

    /// Takes its children off the stack and takes their place there.
    bool close() {
        operand.childCount = static_cast<std::uint32_t>(m_context.stack.size() - m_first);
        operand.firstChild = settleOperands(m_context, m_first);
        operand.span = m_context.cursor.from(m_start);
        m_context.stack.push_back(operand);
        return true;
    }

    Operand operand;

private:
    ParseContext& m_context;
    std::size_t m_first;
    std::uint32_t m_start;
};

bool vectorOperand(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Composite vector(context, OperandKind::vector, cursor.token().offset);
    cursor.advance();
    while (true) {
        if (cursor.at('{') || cursor.at('[')) {
            cursor.unexpected("a register or number in this vector", "vectors do not nest");
            return false;
        }
        if (!parseOperand(context)) return false;
        if (!cursor.accept(',')) break;
    }
    if (!cursor.expect('}', "or ',' in this vector")) return false;
    return vector.close();
}

bool addressOperand(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Composite address(context, OperandKind::address, cursor.token().offset);
    cursor.advance();
    Operand base;
    if (startsConstant(cursor)) {
        if (!constantOperand(context, base)) return false;
    } else if (cursor.at(TokenKind::word)) {
        base.span = cursor.token().span();
        const std::string_view name = cursor.text();
        if (const auto found = context.names.find(name)) take(base, *found);
        cursor.advance();
        if (cursor.accept('+')) {
            if (!addend(context, address.operand.value)) return false;
        } else if (!noMinus(context)) {
            return false;
        }
    } else {
        cursor.unexpected("a register, a variable or a number in this address");
        return false;
    }
    context.stack.push_back(base);
    while (cursor.accept(',')) {
        if (cursor.at('[')) {
            cursor.unexpected("a register, a number or a vector in this address", "addresses do not nest");
            return false;
        }
        if (!parseOperand(context)) return false;
    }
    if (!cursor.expect(']', "to close this address")) return false;
    return address.close();
}

/// `table[2]` where an address is wanted: [table + 2 elements].
bool indexedAddress(ParseContext& context, Operand base) {
    Composite address(context, OperandKind::address, base.span.offset);
    address.operand.value = base.value;
    base.value = 0;
    base.span = nameIn(context, base.span);
    context.stack.push_back(base);
    return address.close();
}

/// `!%p`; a constant expression that begins with '!' is none.
bool negatedOperand(ParseContext& context) {
    Cursor& cursor = context.cursor;
    const std::uint32_t start = cursor.token().offset;
    cursor.advance();
    Operand operand;
    bool indexed = false;
    if (!nameOperand(context, operand, indexed)) return false;
    operand.negated = true;
    operand.span = cursor.from(start);
    context.stack.push_back(operand);
    return true;
}

} // namespace

std::uint32_t settleOperands(ParseContext& context, std::size_t first) {
    std::vector<Operand>& all = context.function->operands;
    const auto at = static_cast<std::uint32_t>(all.size());
    for (std::size_t i = first; i < context.stack.size(); ++i) {
        const Operand& operand = context.stack[i];
        if (operand.kind == OperandKind::unresolved) {
            const Span name = nameIn(context, operand.span);
            context.names.park(context.text(name), static_cast<Index>(all.size()), name);
        }
        all.push_back(operand);
    }
    context.stack.resize(first);
    return at;
}

bool parseOperandList(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Composite list(context, OperandKind::list, cursor.token().offset);
    cursor.advance();
    if (!cursor.at(')')) {
        do {
            if (!parseOperand(context)) return false;
        } while (cursor.accept(','));
    }
    if (!cursor.expect(')', "or ',' in this list")) return false;
    return list.close();
}

bool parseOperand(ParseContext& context) {
    Cursor& cursor = context.cursor;
    if (cursor.at('{')) return vectorOperand(context);
    if (cursor.at('[')) return addressOperand(context);
    if (cursor.at('!') && cursor.peek().kind == TokenKind::word) return negatedOperand(context);
    const std::uint32_t start = cursor.token().offset;
    Operand operand;
    bool indexed = false;
    if (cursor.at(TokenKind::word)) {
        if (!nameOperand(context, operand, indexed)) return false;
        if (indexed && context.indexIsAddress && operand.kind == OperandKind::variable)
            return indexedAddress(context, operand);
    } else if (startsConstant(cursor)) {
        if (!constantOperand(context, operand)) return false;
    } else {
        cursor.unexpected("an operand");
        return false;
    }
    if (!cursor.at('|')) {
        context.stack.push_back(operand);
        return true;
    }
    cursor.advance();
    if (!cursor.at(TokenKind::word)) {
        cursor.unexpected("a predicate after '|'");
        return false;
    }
    Operand second;
    if (!nameOperand(context, second, indexed)) return false;
    Composite pair(context, OperandKind::pair, start);
    context.stack.push_back(operand);
    context.stack.push_back(second);
    return pair.close();
}

} // namespace ptxwb::ptx
