#include "lesson/normal_form.h"

#include "compare/document.h"
#include "ptx/parse.h"
#include "support/sha256.h"

#include <map>

namespace ptxwb::lesson {

namespace {

using compare::LineKind;
using compare::TokenKind;

/// "r3" for the fourth thing of a kind.
class Numbers {
public:
    std::string of(char kind, std::uint64_t key) {
        auto& known = m_known[kind];
        return kind + std::to_string(known.try_emplace(key, known.size()).first->second);
    }

private:
    std::map<char, std::map<std::uint64_t, std::size_t>> m_known;
};

bool counts(LineKind kind) {
    return kind != LineKind::blank && kind != LineKind::comment && kind != LineKind::registers &&
           kind != LineKind::location;
}

} // namespace

std::string normalForm(const std::string& text) {
    const auto module = ptx::parse(text, "submission.ptx");
    const compare::Document document = compare::makeDocument(*module);
    // The module's own names: variables, and functions but for entries, which a spec calls by name.
    std::map<std::string_view, bool> ownNames;
    for (const ptx::Variable& variable : module->variables) ownNames[variable.name] = true;
    for (const ptx::Function& function : module->functions) {
        if (!function.isEntry) ownNames[function.name] = true;
        for (const ptx::Variable& variable : function.variables) ownNames[variable.name] = true;
        for (const ptx::Variable& parameter : function.parameters) ownNames[parameter.name] = true;
    }
    Numbers numbers;
    std::string normal;
    for (const compare::Line& line : document.lines) {
        if (line.kind == LineKind::candidate) {
            // `//@ launch` and `//@ require` decide what runs; titles and origins do not.
            const std::string_view comment = document.text.substr(line.commentOffset, line.commentLength);
            normal += comment;
            normal += '\n';
            continue;
        }
        if (!counts(line.kind)) continue;
        for (std::uint32_t t = line.firstToken; t < line.firstToken + line.tokenCount; ++t) {
            const compare::Token& token = document.tokens[t];
            const std::string_view written = document.textOf(token);
            // Of a line that begins with `.version` nothing counts.
            if (t == line.firstToken && written == ".version") break;
            if (token.kind == TokenKind::reg && token.symbol != compare::none) {
                const compare::LiveRange& range = document.ranges[token.symbol];
                normal += numbers.of('r', std::uint64_t{range.function} << 32 | range.reg);
            } else if (token.kind == TokenKind::label && token.symbol != compare::none) {
                normal += numbers.of('l', token.symbol);
            } else if (ownNames.contains(written)) {
                normal += numbers.of('v', std::hash<std::string_view>{}(written));
            } else {
                normal += written;
            }
            normal += ' ';
        }
        normal += '\n';
    }
    return sha256Hex(normal);
}

} // namespace ptxwb::lesson
