#include "llm/template.h"

#include "support/files.h"
#include "support/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

enum class TagKind : std::uint8_t { value, section, inverted, close, comment };

struct Tag {
    TagKind kind = TagKind::value;
    std::string_view name;
    std::size_t begin = 0, end = 0; ///< with braces; of a tag that is alone on its line, the whole line
};

std::string_view stripped(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool isSet(const json& value) {
    if (value.is_null()) return false;
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_string()) return !value.get_ref<const std::string&>().empty();
    return !(value.is_array() && value.empty());
}

class Renderer {
public:
    Renderer(std::string_view text, std::string file) : m_text(text), m_file(std::move(file)) {}

    Expected<std::string> all(const json& values) {
        m_scopes = {&values};
        std::string out;
        std::size_t at = 0;
        if (auto done = part(at, {}, out, true); !done) return std::unexpected(std::move(done.error()));
        return out;
    }

private:
    std::unexpected<Diagnostic> fail(std::size_t offset, std::string message, std::string hint = {}) const {
        auto result = failure(Cause::badRequest, std::move(message), std::move(hint));
        const std::string_view before = m_text.substr(0, offset);
        const auto line = std::ranges::count(before, '\n') + 1;
        const auto column = offset - (before.rfind('\n') + 1) + 1;
        result.error().place = {m_file, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column), 2};
        return result;
    }

    /// The next tag from `at` on.
    Expected<std::optional<Tag>> next(std::size_t at) const {
        Tag tag;
        tag.begin = m_text.find("{{", at);
        if (tag.begin == std::string_view::npos) return std::nullopt;
        const auto close = m_text.find("}}", tag.begin);
        if (close == std::string_view::npos) return fail(tag.begin, "a \"{{\" is not closed");
        tag.end = close + 2;
        std::string_view inside = m_text.substr(tag.begin + 2, close - tag.begin - 2);
        constexpr std::string_view marks = "#^/!";
        const auto mark = inside.empty() ? std::string_view::npos : marks.find(inside[0]);
        if (mark != std::string_view::npos) {
            tag.kind = static_cast<TagKind>(mark + 1);
            inside.remove_prefix(1);
            const auto lineBegin = m_text.rfind('\n', tag.begin) + 1;
            const auto lineEnd = std::min(m_text.find('\n', tag.end), m_text.size());
            if (stripped(m_text.substr(lineBegin, tag.begin - lineBegin)).empty() &&
                stripped(m_text.substr(tag.end, lineEnd - tag.end)).empty()) {
                tag.begin = std::max(lineBegin, at);
                tag.end = std::min(lineEnd + 1, m_text.size());
            }
        }
        tag.name = stripped(inside);
        return tag;
    }

    const json* find(std::string_view name) const {
        for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope)
            if ((*scope)->is_object())
                if (const auto found = (*scope)->find(name); found != (*scope)->end()) return &*found;
        return nullptr;
    }

    std::unexpected<Diagnostic> unknown(const Tag& tag) const {
        std::vector<std::string> names;
        for (const json* scope : m_scopes)
            if (scope->is_object())
                for (const auto& [name, value] : scope->items()) names.push_back(name);
        const std::string nearest = nearestName(tag.name, names);
        return fail(tag.begin, fmt::format("there is no fact called \"{}\"", tag.name),
                    nearest.empty() ? std::string{} : fmt::format("did you mean {}?", nearest));
    }

    /// Up to the end of `section` (or of the text); writes only where `shown`.
    Expected<void> part(std::size_t& at, std::string_view section, std::string& out, bool shown) {
        for (;;) {
            const auto found = next(at);
            if (!found) return std::unexpected(found.error());
            if (!*found) {
                if (!section.empty()) return fail(m_text.size(), fmt::format("the section {} is not closed", section));
                if (shown) out += m_text.substr(at);
                at = m_text.size();
                return {};
            }
            const Tag& tag = **found;
            if (shown) out += m_text.substr(at, tag.begin - at);
            at = tag.end;
            if (tag.kind == TagKind::comment) continue;
            if (tag.kind == TagKind::close) {
                if (tag.name != section)
                    return fail(tag.begin, fmt::format("\"{}\" ends here, and {} is open", tag.name,
                                                       section.empty() ? "nothing" : section));
                return {};
            }
            const json* value = find(tag.name);
            if (value == nullptr && shown) return unknown(tag);
            if (tag.kind == TagKind::value) {
                if (shown) out += value->is_string() ? value->get<std::string>() : value->dump();
            } else if (auto done = sectionOf(tag, shown ? value : nullptr, at, out); !done) {
                return done;
            }
        }
    }

    Expected<void> sectionOf(const Tag& tag, const json* value, std::size_t& at, std::string& out) {
        const bool shown = value != nullptr && isSet(*value) == (tag.kind == TagKind::section);
        const std::size_t begin = at;
        if (!shown || !value->is_array() || value->empty()) {
            if (shown) m_scopes.push_back(value);
            auto done = part(at, tag.name, out, shown);
            if (shown) m_scopes.pop_back();
            return done;
        }
        for (const json& element : *value) {
            at = begin;
            m_scopes.push_back(&element);
            auto done = part(at, tag.name, out, true);
            m_scopes.pop_back();
            if (!done) return done;
        }
        return {};
    }

    std::string_view m_text;
    std::string m_file;
    std::vector<const json*> m_scopes;
};

} // namespace

Expected<std::string> render(std::string_view text, const json& values, const std::string& file) {
    return Renderer(text, file).all(values);
}

Expected<Template> loadTemplate(std::string_view name, const std::filesystem::path& bundled,
                                const std::filesystem::path& own) {
    Template result;
    result.name = name;
    const std::string fileName = std::string(name) + ".md";
    std::error_code error;
    result.isOwn = !own.empty() && std::filesystem::is_regular_file(own / fileName, error);
    const auto file = (result.isOwn ? own : bundled) / fileName;
    auto text = readFile(file);
    if (!text) return std::unexpected(std::move(text.error()));
    result.text = std::move(*text);
    result.file = file.string();
    const std::string_view first = std::string_view(result.text).substr(0, result.text.find('\n'));
    if (const auto at = first.find("version "); first.starts_with("{{!") && at != std::string_view::npos) {
        const std::string_view rest = first.substr(at + 8);
        result.version = rest.substr(0, std::min(rest.find_first_not_of("0123456789."), rest.size()));
    }
    return result;
}

} // namespace ptxwb::llm
