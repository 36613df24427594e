#include "llm/tokens.h"

namespace ptxwb::llm {

namespace {

enum class Kind : std::uint8_t { letter, digit, blank, mark };

Kind kindOf(char c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Kind::letter;
    if (c >= '0' && c <= '9') return Kind::digit;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return Kind::blank;
    return Kind::mark;
}

} // namespace

std::uint64_t estimateTokens(std::string_view text) {
    std::uint64_t tokens = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Kind kind = kindOf(text[at]);
        std::size_t end = at + 1;
        while (end < text.size() && kindOf(text[end]) == kind) ++end;
        const std::uint64_t length = end - at;
        switch (kind) {
        case Kind::letter: tokens += (length + 3) / 4; break;
        case Kind::digit: tokens += (length + 1) / 2; break;
        case Kind::blank: tokens += 1 + length / 16; break;
        case Kind::mark: tokens += length; break;
        }
        at = end;
    }
    return tokens;
}

std::uint64_t estimateTokens(const std::vector<Message>& messages) {
    std::uint64_t tokens = 0;
    for (const Message& message : messages) tokens += 8 + estimateTokens(message.text);
    return tokens;
}

} // namespace ptxwb::llm
