#include "toolchain/ptx_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::toolchain {

namespace {

constexpr std::size_t headBytes = 16 * 1024;

/// A copy with comments blanked out, newlines kept, so that positions stay.
std::string withoutComments(std::string_view ptx) {
    std::string result(ptx);
    enum class In : std::uint8_t { code, line, block, string } in = In::code;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const char next = i + 1 < ptx.size() ? ptx[i + 1] : '\0';
        switch (in) {
        case In::code:
            if (ptx[i] == '"')
                in = In::string;
            else if (ptx[i] == '/' && next == '/')
                in = In::line;
            else if (ptx[i] == '/' && next == '*') {
                in = In::block;
                result[i] = result[i + 1] = ' ';
                ++i;
                continue;
            }
            break;
        case In::string:
            if (ptx[i] == '\\')
                ++i;
            else if (ptx[i] == '"' || ptx[i] == '\n')
                in = In::code;
            break;
        case In::line:
            if (ptx[i] == '\n') in = In::code;
            break;
        case In::block:
            if (ptx[i] == '*' && next == '/') {
                result[i] = result[i + 1] = ' ';
                ++i;
                in = In::code;
                continue;
            }
            break;
        }
        if ((in == In::line || in == In::block) && result[i] != '\n') result[i] = ' ';
    }
    return result;
}

bool isWordCharacter(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           c == '%';
}

Place placeOf(std::string_view text, std::size_t offset, std::size_t length) {
    const auto before = text.substr(0, offset);
    const auto newline = before.rfind('\n');
    return {{},
            static_cast<std::uint32_t>(1 + std::ranges::count(before, '\n')),
            static_cast<std::uint32_t>(offset - (newline == std::string_view::npos ? 0 : newline + 1) + 1),
            static_cast<std::uint32_t>(length)};
}

struct Span {
    std::size_t offset = std::string_view::npos, length = 0;
};

/// The value behind a directive that is the first word of a line.
Span directiveSpan(std::string_view code, std::string_view directive) {
    for (std::size_t at = code.find(directive); at != std::string_view::npos; at = code.find(directive, at + 1)) {
        const auto line = code.rfind('\n', at);
        const auto begin = line == std::string_view::npos ? 0 : line + 1;
        if (code.substr(begin, at - begin).find_first_not_of(" \t\r") != std::string_view::npos) continue;
        const auto value = code.find_first_not_of(" \t", at + directive.size());
        if (value == std::string_view::npos || value == at + directive.size()) continue;
        auto end = std::min(code.find('\n', value), code.size());
        while (end > value && (code[end - 1] == ' ' || code[end - 1] == '\t' || code[end - 1] == '\r')) --end;
        return {value, end - value};
    }
    return {};
}

std::size_t wordOffset(std::string_view text, std::string_view word, std::size_t from = 0) {
    for (auto at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const bool free = (at == 0 || !isWordCharacter(text[at - 1]) || !isWordCharacter(word.front())) &&
                          (at + word.size() == text.size() || !isWordCharacter(text[at + word.size()]) ||
                           !isWordCharacter(word.back()));
        if (free) return at;
    }
    return std::string_view::npos;
}

} // namespace

AsciiText asciiComments(std::string_view ptx) {
    AsciiText result{std::string(ptx), 0, 0};
    const auto isHigh = [](char c) { return static_cast<unsigned char>(c) > 127; };
    if (std::ranges::none_of(ptx, isHigh)) return result;
    const auto code = withoutComments(ptx);
    for (std::size_t i = 0; i < ptx.size(); ++i) {
        if (!isHigh(ptx[i]) || code[i] != ' ') continue;
        if (result.replaced++ == 0) result.firstLine = placeOf(ptx, i, 1).line;
        result.text[i] = '?';
    }
    return result;
}

Place findDirective(std::string_view ptx, std::string_view directive) {
    const auto code = withoutComments(ptx);
    const auto span = directiveSpan(code, directive);
    return span.offset == std::string_view::npos ? Place{} : placeOf(ptx, span.offset, span.length);
}

std::string directiveValue(std::string_view ptx, std::string_view directive) {
    // It stands at the top. A large text is gone through as a whole only where it does not.
    if (const auto headEnd = ptx.size() > headBytes ? ptx.rfind('\n', headBytes) : std::string_view::npos;
        headEnd != std::string_view::npos) {
        const auto head = withoutComments(ptx.substr(0, headEnd));
        const auto span = directiveSpan(head, directive);
        if (span.offset != std::string_view::npos) return head.substr(span.offset, span.length);
    }
    const auto code = withoutComments(ptx);
    const auto span = directiveSpan(code, directive);
    return span.offset == std::string_view::npos ? std::string() : code.substr(span.offset, span.length);
}

std::string targetOf(std::string_view ptx) {
    const std::string target = directiveValue(ptx, ".target");
    return target.substr(0, target.find_first_of(", \t"));
}

Place findWord(std::string_view ptx, std::string_view prefix, std::string_view name) {
    if (name.empty()) return {};
    const auto code = withoutComments(ptx);
    if (!prefix.empty())
        for (auto at = code.find(prefix); at != std::string::npos; at = code.find(prefix, at + 1)) {
            const auto word = code.find_first_not_of(" \t\r\n", at + prefix.size());
            if (word != std::string::npos && wordOffset(code, name, word) == word)
                return placeOf(ptx, word, name.size());
        }
    const auto at = wordOffset(code, name);
    return at == std::string_view::npos ? Place{} : placeOf(ptx, at, name.size());
}

Place placeInLine(std::string_view ptx, std::uint32_t line, std::string_view word) {
    std::string_view text = ptx;
    for (std::uint32_t current = 1; current < line; ++current) {
        const auto newline = text.find('\n');
        if (newline == std::string_view::npos) return {{}, line, 1, 0};
        text.remove_prefix(newline + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (!word.empty())
        if (const auto at = wordOffset(text, word); at != std::string_view::npos)
            return {{}, line, static_cast<std::uint32_t>(at + 1), static_cast<std::uint32_t>(word.size())};
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {{}, line, 1, 0};
    const auto end = text.find_last_not_of(" \t\r") + 1;
    return {{}, line, static_cast<std::uint32_t>(begin + 1), static_cast<std::uint32_t>(end - begin)};
}

std::string withVersion(std::string_view ptx, std::string_view version) {
    std::string result(ptx);
    const auto span = directiveSpan(withoutComments(ptx), ".version");
    if (span.offset != std::string_view::npos) result.replace(span.offset, span.length, version);
    return result;
}

std::string decodePtxFileName(std::string_view quoted) {
    std::string name;
    const auto isOctal = [](char c) { return c >= '0' && c <= '7'; };
    for (std::size_t i = 0; i < quoted.size(); ++i) {
        if (quoted[i] != '\\' || i + 1 == quoted.size()) {
            name += quoted[i];
            continue;
        }
        ++i;
        if (isOctal(quoted[i])) {
            unsigned value = 0;
            std::size_t digits = 0;
            for (; digits < 3 && i + digits < quoted.size() && isOctal(quoted[i + digits]); ++digits)
                value = value * 8 + static_cast<unsigned>(quoted[i + digits] - '0');
            i += digits - 1;
            name += static_cast<char>(value & 0xFF);
            continue;
        }
        switch (quoted[i]) {
        case 'n': name += '\n'; break;
        case 't': name += '\t'; break;
        case 'r': name += '\r'; break;
        default: name += quoted[i]; // \" and \\ stand for themselves
        }
    }
    return name;
}

std::string encodePtxFileName(std::string_view name) {
    std::string quoted;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (quoted += '\\') += c;
        else if (byte < 0x20 || byte > 126)
            quoted += fmt::format("\\{:03o}", byte);
        else
            quoted += c;
    }
    return quoted;
}

} // namespace ptxwb::toolchain
