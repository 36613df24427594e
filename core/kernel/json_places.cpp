#include "kernel/json_places.h"

namespace ptxwb::kernel {

namespace {

class Scanner {
public:
    Scanner(std::string_view text, const std::string& file) : m_text(text), m_file(file) {}

    std::map<std::string, JsonPlace, std::less<>> scan() {
        value({}, {});
        return std::move(m_places);
    }

private:
    char at() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    void step() {
        if (at() == '\n') {
            ++m_line;
            m_lineStart = m_at + 1;
        }
        ++m_at;
    }

    void blanks() {
        while (at() == ' ' || at() == '\t' || at() == '\n' || at() == '\r') step();
    }

    Place here(std::size_t length) const {
        return {m_file, m_line, static_cast<std::uint32_t>(m_at - m_lineStart + 1), static_cast<std::uint32_t>(length)};
    }

    /// Skips a text; returns its bytes between the quotes, escapes as they are.
    std::string_view text() {
        const std::size_t start = ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"') m_at += m_text[m_at] == '\\' ? 2 : 1;
        const std::size_t end = std::min(m_at, m_text.size());
        m_at = end + 1;
        return m_text.substr(start, end - start);
    }

    void value(const std::string& path, const Place& key) {
        blanks();
        auto& entry = m_places[path];
        entry.key = key;
        if (at() == '{') {
            entry.value = here(1);
            return members(path);
        }
        if (at() == '[') {
            entry.value = here(1);
            return elements(path);
        }
        if (at() == '"') {
            entry.value = here(0);
            ++entry.value.column;
            entry.value.length = static_cast<std::uint32_t>(text().size());
            return;
        }
        std::size_t end = m_text.find_first_of(",]} \t\r\n", m_at);
        if (end == std::string_view::npos) end = m_text.size();
        entry.value = here(end - m_at);
        m_at = end;
    }

    void members(const std::string& path) {
        for (step(); blanks(), at() == '"'; step()) {
            Place key = here(0);
            const auto name = text();
            key.length = static_cast<std::uint32_t>(name.size() + 2);
            blanks();
            step(); // the colon
            value(path.empty() ? std::string(name) : path + "." + std::string(name), key);
            blanks();
            if (at() != ',') break;
        }
        step();
    }

    void elements(const std::string& path) {
        step();
        blanks();
        for (std::size_t i = 0; at() != ']' && at() != '\0'; ++i) {
            value(path + "[" + std::to_string(i) + "]", {});
            blanks();
            if (at() == ',') step();
            blanks();
        }
        step();
    }

    std::string_view m_text;
    const std::string& m_file;
    std::map<std::string, JsonPlace, std::less<>> m_places;
    std::size_t m_at = 0, m_lineStart = 0;
    std::uint32_t m_line = 1;
};

} // namespace

std::map<std::string, JsonPlace, std::less<>> jsonPlaces(std::string_view text, const std::string& file) {
    return Scanner(text, file).scan();
}

} // namespace ptxwb::kernel
