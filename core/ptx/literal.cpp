#include "ptx/literal.h"

#include "ptx/character.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace ptxwb::ptx {

namespace {

const char* skip(const char* at, const char* end, unsigned mask) {
    while (at != end && isByte(*at, mask)) ++at;
    return at;
}

void finish(Token& token, const char* begin, const char* at) {
    token.length = static_cast<std::uint32_t>(at - begin);
}

/// A number that runs into letters: the whole word is taken, so that one mistake gives one message.
void refuse(Token& token, const char* begin, const char* at, const char* end, const char* problem, const char* hint) {
    token.kind = TokenKind::bad;
    token.problem = problem;
    token.hint = hint;
    while (at != end && (isByte(*at, byteFollow) || *at == '.')) ++at;
    finish(token, begin, at);
}

bool runsOn(const char* at, const char* end) {
    return at != end && isByte(*at, byteFollow);
}

void readInteger(Token& token, const char* begin, const char* digits, const char* at, const char* end, int base) {
    token.kind = TokenKind::integer;
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(digits, at, value, base);
    if (error == std::errc::result_out_of_range) {
        token.isTooLarge = true;
        value = 0;
        for (const char* p = digits; p != at; ++p) {
            const char c = *p;
            const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
            value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
        }
    } else if (stop != at) {
        refuse(token, begin, at, end,
               base == 8 ? "a number that starts with 0 is octal and has digits 0 to 7 only"
                         : "this digit does not belong to the number's base",
               base == 8 ? "leave the leading 0 out for a decimal number" : nullptr);
        return;
    }
    token.value = value;
    token.isUnsigned = value >> 63 != 0;
    if (at != end && *at == 'U') {
        token.isUnsigned = true;
        ++at;
    }
    if (runsOn(at, end)) {
        const bool lower = *at == 'u';
        refuse(token, begin, at, end,
               lower ? "the suffix of an unsigned number is an upper-case U" : "letters run on directly after a number",
               lower ? "write U" : "numbers take the suffix U only; 0x, 0b, 0f and 0d start the other forms");
        return;
    }
    finish(token, begin, at);
}

void readExactFloat(Token& token, const char* begin, const char* end, unsigned digits) {
    const char* const first = begin + 2;
    const char* const at = skip(first, end, byteHex);
    token.kind = TokenKind::real;
    token.floatBits = static_cast<std::uint8_t>(digits * 4);
    token.isExact = true;
    if (static_cast<unsigned>(at - first) != digits || runsOn(at, end)) {
        refuse(token, begin, at, end,
               digits == 8 ? "0f is followed by exactly 8 hex digits: the bits of an f32"
                           : "0d is followed by exactly 16 hex digits: the bits of an f64",
               "1.0 is 0f3F800000 and 0d3FF0000000000000");
        return;
    }
    std::from_chars(first, at, token.value, 16);
    finish(token, begin, at);
}

void readDecimalFloat(Token& token, const char* begin, const char* end) {
    token.kind = TokenKind::real;
    token.floatBits = 64;
    double value = 0;
    const auto [at, error] = std::from_chars(begin, end, value);
    if (runsOn(at, end)) {
        const bool suffix = *at == 'f' || *at == 'F';
        refuse(token, begin, at, end, "letters run on directly after a number",
               suffix ? "PTX has no suffix f: leave it out, or write the bits as 0f with 8 hex digits" : nullptr);
        return;
    }
    if (error == std::errc::result_out_of_range) token.isTooLarge = true;
    token.value = std::bit_cast<std::uint64_t>(value);
    finish(token, begin, at);
}

} // namespace

void readNumber(Token& token, const char* begin, const char* end) {
    if (*begin == '0' && end - begin >= 2) {
        switch (begin[1]) {
        case 'x':
        case 'X': {
            const char* const at = skip(begin + 2, end, byteHex);
            if (at == begin + 2) return refuse(token, begin, at, end, "0x is followed by hex digits", nullptr);
            return readInteger(token, begin, begin + 2, at, end, 16);
        }
        case 'b':
        case 'B': {
            const char* const at = skip(begin + 2, end, byteDigit);
            if (at == begin + 2) return refuse(token, begin, at, end, "0b is followed by binary digits", nullptr);
            return readInteger(token, begin, begin + 2, at, end, 2);
        }
        case 'f':
        case 'F': return readExactFloat(token, begin, end, 8);
        case 'd':
        case 'D': return readExactFloat(token, begin, end, 16);
        default: break;
        }
    }
    const char* const digits = skip(begin, end, byteDigit);
    const bool fraction = digits != end && *digits == '.';
    bool exponent = false;
    if (digits != end && (*digits == 'e' || *digits == 'E')) {
        const char* p = digits + 1;
        if (p != end && (*p == '+' || *p == '-')) ++p;
        exponent = p != end && isByte(*p, byteDigit);
    }
    if (fraction || exponent) return readDecimalFloat(token, begin, end);
    const bool octal = *begin == '0' && digits - begin > 1;
    readInteger(token, begin, octal ? begin + 1 : begin, digits, end, octal ? 8 : 10);
}

} // namespace ptxwb::ptx
