#include "llm/stitch_names.h"

#include "ptx/lexer.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace ptxwb::llm {

bool OwnName::covers(std::string_view word) const {
    if (count == 0) return word == name;
    if (!word.starts_with(name) || word.size() == name.size()) return false;
    const std::string_view digits = word.substr(name.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc{} && end == digits.data() + digits.size() && number < count &&
           (digits[0] != '0' || digits.size() == 1);
}

std::vector<OwnName> ownNames(const ptx::Module&, const ptx::Function& entry, ptx::Index scope) {
    std::vector<OwnName> names;
    for (const ptx::RegisterGroup& group : entry.registers)
        if (group.scope == scope) names.push_back({std::string(group.stem), group.count, false, group.span.offset});
    for (const ptx::Variable& variable : entry.variables)
        if (variable.scope == scope) names.push_back({std::string(variable.name), 0, false, variable.nameSpan.offset});
    for (const ptx::Label& label : entry.labels)
        if (label.scope == scope) names.push_back({std::string(label.name), 0, true, label.span.offset});
    return names;
}

std::string renamed(std::string_view code, const std::vector<OwnName>& own, const std::vector<std::string>& kept,
                    std::string_view rest) {
    std::string prefix;
    for (unsigned n = 1;
         prefix.empty() || rest.find(prefix) != std::string_view::npos || code.find(prefix) != std::string_view::npos;
         ++n)
        prefix = fmt::format("rg{}_", n);
    const auto underPrefix = [&](std::string_view word) {
        const bool marked = !word.empty() && (word[0] == '%' || word[0] == '$');
        return std::string(word.substr(0, marked ? 1 : 0)) + prefix + std::string(word.substr(marked ? 1 : 0));
    };
    std::string out;
    ptx::Lexer lexer(code);
    std::uint32_t copied = 0;
    ptx::Token token = lexer.next();
    while (token.kind != ptx::TokenKind::end) {
        const ptx::Token next = lexer.next();
        if (token.kind == ptx::TokenKind::word) {
            const std::string_view all = code.substr(token.offset, token.length);
            const std::string_view word = all.substr(0, all.find('.')); // `%v.x`
            const bool isDeclaredRange = next.is('<');
            const bool isOwn = std::ranges::any_of(own, [&](const OwnName& name) {
                return (isDeclaredRange && name.count != 0 && word == name.name) || name.covers(word);
            });
            if (isOwn && std::ranges::find(kept, word) == kept.end()) {
                out += code.substr(copied, token.offset - copied);
                out += underPrefix(word);
                copied = token.offset + static_cast<std::uint32_t>(word.size());
            }
        }
        token = next;
    }
    out += code.substr(copied);
    return out;
}

} // namespace ptxwb::llm
