#include "ptx/constant_expression.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

namespace ptxwb::ptx {

namespace {

using Result = std::optional<Constant>;

double asDouble(const Constant& c) {
    return std::bit_cast<double>(c.bits);
}

Constant integer(std::uint64_t bits, bool isUnsigned) {
    return {false, isUnsigned, 64, bits};
}

Constant real(double value) {
    return {true, false, 64, std::bit_cast<std::uint64_t>(value)};
}

struct Operator {
    char mark;
    int precedence;
};

constexpr int ternaryPrecedence = 1;

int precedenceOf(const Token& token) {
    if (token.kind != TokenKind::punctuation) return 0;
    switch (token.mark) {
    case '*':
    case '/':
    case '%': return 11;
    case '+':
    case '-': return 10;
    case markShiftLeft:
    case markShiftRight: return 9;
    case '<':
    case '>':
    case markLessEqual:
    case markGreaterEqual: return 8;
    case markEqual:
    case markNotEqual: return 7;
    case '&': return 6;
    case '^': return 5;
    case '|': return 4;
    case markAndAnd: return 3;
    case markOrOr: return 2;
    case '?': return ternaryPrecedence;
    default: return 0;
    }
}

class Evaluator {
public:
    explicit Evaluator(Cursor& cursor) : m_cursor(cursor) {}

    Result expression(int least) {
        if (++m_depth > depthLimit) {
            m_cursor.reporter().syntax(m_cursor.token().span(),
                                       fmt::format("this expression is nested deeper than {}", depthLimit),
                                       "take parentheses away");
            return std::nullopt;
        }
        const Result value = goOn(unary(), least);
        --m_depth;
        return value;
    }

    /// The operators behind a first operand.
    Result goOn(Result left, int least) {
        while (left) {
            const Token op = m_cursor.token();
            const int precedence = precedenceOf(op);
            if (precedence == 0 || precedence < least) break;
            if (left->isFloat && left->floatBits == 32)
                break; // a 0f literal takes no operators: the caller trips over this one
            m_cursor.advance();
            left = precedence == ternaryPrecedence ? choose(*left, op) : binary(*left, op, precedence);
        }
        return left;
    }

private:
    static constexpr int depthLimit = 200;

    Result refuse(const Token& at, std::string message, std::string hint = {}) {
        m_cursor.reporter().error(at.span(), std::move(message), std::move(hint));
        return std::nullopt;
    }

    Result number() {
        const Token token = m_cursor.token();
        m_cursor.advance();
        if (token.kind == TokenKind::integer) {
            if (token.isTooLarge)
                m_cursor.reporter().warning(token.span(),
                                            "this number needs more than 64 bits: its low 64 bits are used",
                                            "ptxas refuses some of these numbers and cuts others");
            return integer(token.value, token.isUnsigned);
        }
        if (token.isTooLarge)
            return refuse(token, "this number is outside the range of f64",
                          "the largest is 1.7976931348623157e308; infinity is 0d7FF0000000000000");
        Constant c;
        c.isFloat = true;
        c.floatBits = token.floatBits;
        c.bits = token.value;
        return c;
    }

    Result unary() {
        const Token token = m_cursor.token();
        switch (token.kind) {
        case TokenKind::integer:
        case TokenKind::real: return number();
        case TokenKind::word:
            if (m_cursor.text() == "WARP_SZ") {
                m_cursor.advance();
                return integer(32, false);
            }
            break;
        case TokenKind::punctuation:
            switch (token.mark) {
            case '+':
            case '-':
            case '~':
            case '!': return prefixed(token);
            case '(': return parenthesised();
            default: break;
            }
            break;
        default: break;
        }
        m_cursor.unexpected("a number", "a constant expression is made of numbers, operators and parentheses");
        return std::nullopt;
    }

    Result prefixed(const Token& op) {
        m_cursor.advance();
        if (++m_depth > depthLimit) {
            m_cursor.reporter().syntax(op.span(), fmt::format("this expression is nested deeper than {}", depthLimit),
                                       "take operators away");
            return std::nullopt;
        }
        if (m_cursor.token().kind == TokenKind::real && m_cursor.token().floatBits == 32) {
            m_cursor.reporter().syntax(m_cursor.token().span(), "a 0f literal takes no sign and no operator",
                                       "set the sign bit in its hex digits instead: -1.0 is 0fBF800000");
            return std::nullopt;
        }
        Result value = unary();
        --m_depth;
        if (!value) return value;
        if (value->isFloat) {
            if (op.mark == '-') return real(-asDouble(*value));
            if (op.mark == '+') return value;
            return refuse(op, fmt::format("'{}' needs an integer", op.mark));
        }
        switch (op.mark) {
        case '-': return integer(0 - value->bits, value->isUnsigned);
        case '~': return integer(~value->bits, value->isUnsigned);
        case '!': return integer(value->bits == 0, false);
        default: return value;
        }
    }

    Result parenthesised() {
        m_cursor.advance();
        if (m_cursor.atDirective(".s64") || m_cursor.atDirective(".u64")) {
            const bool isUnsigned = m_cursor.text() == ".u64";
            const Token cast = m_cursor.token();
            m_cursor.advance();
            if (!m_cursor.expect(')', "after the type of a cast")) return std::nullopt;
            Result value = unary();
            if (!value) return value;
            if (value->isFloat) return refuse(cast, "a cast needs an integer");
            return integer(value->bits, isUnsigned);
        }
        Result value = expression(ternaryPrecedence);
        if (value && !m_cursor.expect(')', "to close the parenthesis of an expression")) return std::nullopt;
        return value;
    }

    Result choose(const Constant& condition, const Token& op) {
        const Result yes = expression(ternaryPrecedence);
        if (!yes || !m_cursor.expect(':', "between the two values of '?'")) return std::nullopt;
        const Result no = expression(ternaryPrecedence);
        if (!no) return no;
        if (condition.isFloat || yes->isFloat || no->isFloat) return refuse(op, "'?' takes integers only");
        Constant value = condition.bits ? *yes : *no;
        value.isUnsigned = yes->isUnsigned || no->isUnsigned;
        return value;
    }

    Result binary(const Constant& left, const Token& op, int precedence) {
        if (m_cursor.token().kind == TokenKind::real && m_cursor.token().floatBits == 32) {
            m_cursor.reporter().syntax(m_cursor.token().span(), "a 0f literal takes no operator",
                                       "write the number as a decimal, or work the result out");
            return std::nullopt;
        }
        const Result right = expression(precedence + 1);
        if (!right) return right;
        if (left.isFloat != right->isFloat)
            return refuse(op, "an integer and a floating-point number meet in this expression",
                          "write both with a point, or both without");
        return left.isFloat ? realOperation(asDouble(left), asDouble(*right), op) : integerOperation(left, *right, op);
    }

    Result realOperation(double a, double b, const Token& op) {
        switch (op.mark) {
        case '+': return real(a + b);
        case '-': return real(a - b);
        case '*': return real(a * b);
        case '/':
            return b == 0 ? refuse(op, "division by zero in a constant expression", "infinity is 0f7F800000")
                          : Result(real(a / b));
        case '<': return integer(a < b, false);
        case '>': return integer(a > b, false);
        case markLessEqual: return integer(a <= b, false);
        case markGreaterEqual: return integer(a >= b, false);
        case markEqual: return integer(a == b, false);
        case markNotEqual: return integer(a != b, false);
        default: return refuse(op, fmt::format("'{}' needs integers", m_cursor.textOf(op)));
        }
    }

    Result integerOperation(const Constant& left, const Constant& right, const Token& op) {
        const std::uint64_t a = left.bits, b = right.bits;
        const auto signedA = static_cast<std::int64_t>(a), signedB = static_cast<std::int64_t>(b);
        const bool isUnsigned = left.isUnsigned || right.isUnsigned;
        switch (op.mark) {
        case '+': return integer(a + b, isUnsigned);
        case '-': return integer(a - b, isUnsigned);
        case '*': return integer(a * b, isUnsigned);
        case '/':
        case '%':
            if (b == 0) return refuse(op, "division by zero in a constant expression");
            if (isUnsigned) return integer(op.mark == '/' ? a / b : a % b, true);
            if (signedB == -1) return integer(op.mark == '/' ? 0 - a : 0, false); // the one quotient that overflows
            return integer(static_cast<std::uint64_t>(op.mark == '/' ? signedA / signedB : signedA % signedB), false);
        case markShiftLeft: return integer(b > 63 ? 0 : a << b, left.isUnsigned);
        case markShiftRight:
            if (left.isUnsigned) return integer(b > 63 ? 0 : a >> b, true);
            return integer(static_cast<std::uint64_t>(signedA >> (b > 63 ? 63 : b)), false);
        case '<': return integer(isUnsigned ? a < b : signedA < signedB, false);
        case '>': return integer(isUnsigned ? a > b : signedA > signedB, false);
        case markLessEqual: return integer(isUnsigned ? a <= b : signedA <= signedB, false);
        case markGreaterEqual: return integer(isUnsigned ? a >= b : signedA >= signedB, false);
        case markEqual: return integer(a == b, false);
        case markNotEqual: return integer(a != b, false);
        case '&': return integer(a & b, isUnsigned);
        case '^': return integer(a ^ b, isUnsigned);
        case '|': return integer(a | b, isUnsigned);
        case markAndAnd: return integer(a && b, false);
        case markOrOr: return integer(a || b, false);
        default: return refuse(op, "this operator does not stand in constant expressions");
        }
    }

    Cursor& m_cursor;
    int m_depth = 0;
};

} // namespace

bool startsConstant(const Cursor& cursor) {
    switch (cursor.token().kind) {
    case TokenKind::integer:
    case TokenKind::real: return true;
    case TokenKind::punctuation:
        return cursor.at('(') || cursor.at('-') || cursor.at('+') || cursor.at('~') || cursor.at('!');
    case TokenKind::word: return cursor.token().length == 7 && cursor.text() == "WARP_SZ";
    default: return false;
    }
}

std::optional<Constant> parseConstant(Cursor& cursor) {
    // Nearly all are one plain integer.
    if (const Token token = cursor.token(); token.kind == TokenKind::integer && !token.isTooLarge) {
        cursor.advance();
        const Constant value = integer(token.value, token.isUnsigned);
        return precedenceOf(cursor.token()) == 0 ? value : Evaluator(cursor).goOn(value, ternaryPrecedence);
    }
    return Evaluator(cursor).expression(ternaryPrecedence);
}

} // namespace ptxwb::ptx
