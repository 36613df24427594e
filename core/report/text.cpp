#include "report/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::report {

namespace {

struct Character {
    char32_t code = 0;
    std::size_t length = 0; ///< 0: no well-formed UTF-8
};

/// Source: Unicode 15.0, table 3-7.
Character characterAt(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return {};
    char32_t code = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3F);
    }
    constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < smallest[length] || isSurrogate || code > 0x10FFFF ? Character{} : Character{code, length};
}

/// What acts on the reader's screen instead of being seen, and what XML cannot hold.
bool isInvisible(char32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c & 0xFFFE) == 0xFFFE ||
           (c >= 0xFDD0 && c <= 0xFDEF) || (c >= 0xE0000 && c <= 0xE007F);
}

std::size_t longestRun(std::string_view text, char of) {
    std::size_t longest = 0, run = 0;
    for (const char c : text) {
        run = c == of ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

} // namespace

std::string visible(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const Character c = characterAt(text, i);
        const bool endsLine = c.code == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if (c.length == 0)
            out += "\xEF\xBF\xBD";
        else if (endsLine)
            ; // the newline follows
        else if (isInvisible(c.code))
            out += fmt::format("\\u{{{:04X}}}", static_cast<std::uint32_t>(c.code));
        else
            out += text.substr(i, c.length);
        i += std::max<std::size_t>(c.length, 1);
    }
    return out;
}

std::string html(std::string_view text) {
    std::string out;
    for (const char c : visible(text)) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    }
    return out;
}

std::string codeSpan(std::string_view text, Inside place) {
    std::string line = visible(text);
    std::ranges::replace(line, '\n', ' ');
    std::ranges::replace(line, '\t', ' ');
    if (line.empty()) return {};
    const std::string ticks(longestRun(line, '`') + 1, '`');
    std::string safe;
    for (const char c : line) {
        // A bar ends the cell even inside of a code span; the backslash is taken away before. Source: GFM 0.29, 4.10.
        if (c == '|' && place == Inside::cell) safe += '\\';
        safe += c;
    }
    const bool needsBlank = safe.front() == '`' || safe.back() == '`' || line.find_first_not_of(' ') == line.npos ||
                            (safe.front() == ' ' && safe.back() == ' ');
    return needsBlank ? ticks + ' ' + safe + ' ' + ticks : ticks + safe + ticks;
}

std::string codeBlock(std::string_view text, std::string_view language) {
    std::string inner = visible(text);
    if (!inner.empty() && inner.back() != '\n') inner += '\n';
    const std::string fence(std::max<std::size_t>(3, longestRun(inner, '`') + 1), '`');
    return fmt::format("{}{}\n{}{}\n", fence, language, inner, fence);
}

std::string shellWord(std::string_view text) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-./,:=+@%").find(c) != std::string_view::npos;
    };
    if (!text.empty() && text.front() != '-' && std::ranges::all_of(text, plain)) return std::string(text);
    std::string word = text.starts_with('-') ? "'./" : "'"; // a file's name, never an option
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string_view lineOf(std::string_view text, std::uint32_t number) {
    for (std::uint32_t i = 1; !text.empty(); ++i) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (i == number) {
            std::string_view line = text.substr(0, end);
            if (line.ends_with('\r')) line.remove_suffix(1);
            return line;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return {};
}

} // namespace ptxwb::report
