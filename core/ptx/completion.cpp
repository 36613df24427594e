#include "ptx/completion.h"

#include "ptx/forms.h"
#include "ptx/special_registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace ptxwb::ptx {

namespace {

bool isWordByte(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.' || c == ':';
}

constexpr std::string_view moduleDirectives[] = {".version", ".target", ".address_size", ".visible", ".entry",
                                                 ".func",    ".extern", ".weak",         ".global",  ".const",
                                                 ".shared",  ".file",   ".section",      ".alias",   ".pragma"};
constexpr std::string_view bodyDirectives[] = {".reg",           ".shared",      ".local",        ".param",
                                               ".pragma",        ".loc",         ".const",        ".global",
                                               ".branchtargets", ".calltargets", ".callprototype"};

/// The statement up to the caret, without what is behind the last `;`, brace or label, and without its guard.
std::string_view statementBefore(std::string_view text) {
    constexpr std::size_t farthest = 4096;
    if (text.size() > farthest) text.remove_prefix(text.size() - farthest);
    std::size_t begin = text.size();
    int open = 0; // braces of vectors that close again before the caret
    while (begin > 0) {
        const char c = text[begin - 1];
        if (c == ';') break;
        if (c == '}') ++open;
        if (c == '{' && --open < 0) {
            // A vector's brace follows a blank, a comma or a bracket within its line; a block's opens a line.
            const std::size_t before = text.find_last_not_of(" \t", begin - 2);
            if (begin < 2 || before == std::string_view::npos || text[before] == '\n' || text[before] == ')' ||
                text[before] == ';')
                break;
            open = 0;
        }
        const bool label =
            c == ':' && (begin < 2 || text[begin - 2] != ':') && (begin == text.size() || text[begin] != ':');
        if (label) break;
        --begin;
    }
    text.remove_prefix(begin);
    const auto trim = [&] {
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    };
    trim();
    if (!text.empty() && text.front() == '@') {
        const std::size_t end = text.find_first_of(" \t\n");
        if (end == std::string_view::npos) return text;
        text.remove_prefix(end);
        trim();
    }
    return text;
}

class Completer {
public:
    Completer(const Module& module, std::uint32_t offset, std::size_t limit)
        : m_module(module), m_text(*module.text),
          m_offset(std::min<std::uint32_t>(offset, static_cast<std::uint32_t>(module.text->size()))), m_limit(limit) {}

    Completions run() {
        const std::size_t lineStart = m_offset ? m_text.rfind('\n', m_offset - 1) + 1 : 0;
        if (m_text.substr(lineStart, m_offset - lineStart).find("//") != std::string_view::npos) return {};
        findFunction();
        std::uint32_t begin = m_offset;
        while (begin > 0 && isWordByte(m_text[begin - 1])) --begin;
        const std::string_view typed = m_text.substr(begin, m_offset - begin);
        // Outside of bodies a line is a statement: its directives end without a semicolon.
        const std::string_view statement = m_function ? statementBefore(m_text.substr(0, m_offset))
                                                      : statementBefore(m_text.substr(lineStart, m_offset - lineStart));
        const bool first = statement.size() <= typed.size();
        const bool guard = !statement.empty() && statement.front() == '@';
        if (guard || (begin > 0 && m_text[begin - 1] == '@')) {
            replace(begin);
            addRegisters(typed, true);
        } else if (typed.starts_with('%')) {
            registerOrComponent(begin, typed);
        } else if (first && typed.starts_with('.')) {
            replace(begin);
            addDirectives(typed);
        } else if (first && typed.find('.') != std::string_view::npos) {
            addModifiers(begin, typed);
        } else if (first && m_function) {
            replace(begin);
            addOpcodes(typed);
        } else if (!first && m_function) {
            replace(begin);
            addNames(statement, typed);
        }
        return std::move(m_answer);
    }

private:
    void replace(std::uint32_t begin) { m_answer.replaced = {begin, m_offset - begin}; }

    bool full() const { return m_answer.items.size() >= m_limit; }
    void add(std::string text, CompletionKind kind, std::string detail = {}) {
        if (!full()) m_answer.items.push_back({std::move(text), kind, std::move(detail)});
    }

    void findFunction() {
        for (const Function& function : m_module.functions)
            if (function.bodySpan.length && function.bodySpan.offset < m_offset && m_offset <= function.bodySpan.end())
                m_function = &function;
    }

    bool inScope(Index scope) const {
        if (scope == noIndex || scope >= m_function->scopes.size()) return true;
        const Span span = m_function->scopes[scope].span;
        return span.length == 0 || (span.offset <= m_offset && m_offset <= span.end());
    }

    void addDirectives(std::string_view typed) {
        const auto all = m_function ? std::span<const std::string_view>(bodyDirectives)
                                    : std::span<const std::string_view>(moduleDirectives);
        for (const std::string_view word : all)
            if (word.starts_with(typed)) add(std::string(word), CompletionKind::directive);
    }

    void addOpcodes(std::string_view typed) {
        for (unsigned i = 1;; ++i) {
            const auto code = static_cast<Opcode>(i);
            if (code > Opcode::setmaxnreg) break;
            const InstructionRow& row = *instructionRow(code);
            if (row.name.starts_with(typed))
                add(std::string(row.name), CompletionKind::opcode, std::string(row.meaning));
        }
    }

    /// Words that some form of the opcode has room for beside those that stand already.
    void addModifiers(std::uint32_t begin, std::string_view typed) {
        const std::size_t dot = typed.rfind('.');
        const Opcode code = opcode(typed.substr(0, typed.find('.')));
        if (code == Opcode::unknown) return;
        replace(begin + static_cast<std::uint32_t>(dot));
        const std::string_view part = typed.substr(dot + 1);
        std::vector<ModifierUse> words;
        for (std::string_view rest = typed.substr(0, dot); rest.find('.') != std::string_view::npos;) {
            rest.remove_prefix(rest.find('.') + 1);
            const Word meaning = word(rest.substr(0, rest.find('.')));
            words.push_back({meaning.modifier, meaning.type, meaning.space, meaning.vector, {}});
        }
        std::vector<WordKey> seen;
        for (const Form& form : formsOf(code)) {
            if (fit(form, words).extra) continue;
            for (const std::uint16_t index : form.groups)
                for (const WordKey key : formGroup(index).words) {
                    if (!wordText(key).starts_with(part) || std::ranges::find(seen, key) != seen.end()) continue;
                    const Word meaning = word(wordText(key));
                    words.push_back({meaning.modifier, meaning.type, meaning.space, meaning.vector, {}});
                    const bool fits = fit(form, words).extra == 0;
                    words.pop_back();
                    const bool stands =
                        std::ranges::any_of(words, [&](const ModifierUse& use) { return wordKey(use) == key; });
                    if (stands && meaning.type == ScalarType::none) continue;
                    if (!fits) continue;
                    seen.push_back(key);
                    add(fmt::format(".{}", wordText(key)), CompletionKind::modifier);
                }
        }
    }

    void registerOrComponent(std::uint32_t begin, std::string_view typed) {
        const std::size_t dot = typed.rfind('.');
        if (dot == std::string_view::npos) {
            replace(begin);
            addRegisters(typed, false);
            for (const SpecialRegister& special : specialRegisters())
                if (special.name.starts_with(typed))
                    add(std::string(special.name), CompletionKind::specialRegister,
                        fmt::format(".{}", name(special.type)));
            return;
        }
        const SpecialRegister* const special = specialRegister(typed.substr(0, dot));
        if (!special || special->components < 2) return;
        replace(begin + static_cast<std::uint32_t>(dot));
        for (const char* part : {".x", ".y", ".z"})
            if (std::string_view(part).starts_with(typed.substr(dot)))
                add(part, CompletionKind::specialRegister, fmt::format(".{}", name(special->type)));
    }

    void addRegisters(std::string_view typed, bool predicatesOnly) {
        if (!m_function) return;
        for (const RegisterGroup& group : m_function->registers) {
            if (full()) return;
            if (!inScope(group.scope) || (predicatesOnly && group.type != ScalarType::pred)) continue;
            const std::string detail = fmt::format(".{}", name(group.type));
            if (group.count == 0) {
                if (group.stem.starts_with(typed)) add(std::string(group.stem), CompletionKind::reg, detail);
            } else if (group.stem.starts_with(typed)) {
                add(std::string(group.stem), CompletionKind::reg, fmt::format("{}, 0 to {}", detail, group.count - 1));
            } else if (typed.starts_with(group.stem)) {
                addNumbered(group, typed.substr(group.stem.size()), detail);
            }
        }
    }

    /// %r1 with <30>: %r1, %r10 to %r19.
    void addNumbered(const RegisterGroup& group, std::string_view digits, const std::string& detail) {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc{} || end != digits.data() + digits.size() || (digits.size() > 1 && digits[0] == '0'))
            return;
        constexpr std::uint64_t shown = 20;
        for (std::uint64_t first = number, count = 1; first < group.count; first *= 10, count *= 10) {
            for (std::uint64_t i = first; i < std::min<std::uint64_t>({first + count, group.count, first + shown}); ++i)
                add(fmt::format("{}{}", group.stem, i), CompletionKind::reg, detail);
            if (first == 0) break;
        }
    }

    void addNames(std::string_view statement, std::string_view typed) {
        const bool branch = statement.starts_with("bra") || statement.starts_with("brx");
        for (const Label& label : m_function->labels)
            if (branch && inScope(label.scope) && label.name.starts_with(typed))
                add(std::string(label.name), CompletionKind::label,
                    fmt::format("line {}", m_module.lineOf(label.span.offset)));
        if (branch) return;
        const auto variable = [&](const Variable& one) {
            if (one.name.starts_with(typed))
                add(std::string(one.name), CompletionKind::variable,
                    fmt::format(".{} .{}", name(one.space), name(one.type)));
        };
        const bool call = statement.starts_with("call");
        if (call)
            for (const Function& function : m_module.functions)
                if (!function.isEntry && function.name.starts_with(typed))
                    add(std::string(function.name), CompletionKind::function, ".func");
        for (const Variable& parameter : m_function->parameters) variable(parameter);
        for (const Variable& parameter : m_function->results) variable(parameter);
        for (const Variable& one : m_function->variables)
            if (inScope(one.scope)) variable(one);
        for (const Variable& one : m_module.variables) variable(one);
        addRegisters(typed, false);
    }

    const Module& m_module;
    std::string_view m_text;
    std::uint32_t m_offset;
    std::size_t m_limit;
    const Function* m_function = nullptr;
    Completions m_answer;
};

} // namespace

Completions complete(const Module& module, std::uint32_t offset, std::size_t limit) {
    return Completer(module, offset, limit).run();
}

} // namespace ptxwb::ptx
