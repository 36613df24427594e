// API keys: where they come from, and how they stay out of everything that is written.
// The command line reads environment variables; the window brings a source of its own.
#pragma once

#include "support/diagnostic.h"

#include <string>
#include <string_view>

namespace ptxwb::llm {

/// A key. Cannot be printed or compared; its memory is wiped at the end.
class Secret {
public:
    Secret() = default;
    explicit Secret(std::string_view text) : m_text(text) {}
    Secret(const Secret&) = default;
    Secret& operator=(const Secret& other);
    Secret(Secret&& other) noexcept;
    Secret& operator=(Secret&& other) noexcept;
    ~Secret();

    bool empty() const { return m_text.empty(); }
    /// For the one place that puts it into a request's header.
    std::string_view reveal() const { return m_text; }

private:
    void wipe();
    std::string m_text;
};

class KeySource {
public:
    virtual ~KeySource() = default;
    /// `name`: of the endpoint's `keyName` ("OPENAI_API_KEY"). Errors (Cause::missing): there is none, and where it is
    /// looked for.
    virtual Expected<Secret> key(std::string_view name) const = 0;
};

/// Environment variables. Blanks around a key are dropped; one with line breaks or other control characters is refused.
class EnvironmentKeys : public KeySource {
public:
    Expected<Secret> key(std::string_view name) const override;
};

/// `text` as a key, or why it cannot be one; `from` is where it came from, for the message.
Expected<Secret> checkedKey(std::string_view text, std::string_view from);

/// Replaces whatever `text` repeats of a key: runs of `least` or more bytes that the key holds, too, become "[key]".
/// Servers put keys, or their first and last letters, into their messages.
class Redactor {
public:
    explicit Redactor(const Secret& key, std::size_t least = 8);

    /// All of it at once.
    std::string all(std::string_view text) const;
    /// Piece by piece: what may be the beginning of a key is kept until the next piece tells.
    std::string next(std::string_view piece);
    std::string rest();

private:
    std::string take(std::string_view text, bool isEnd, std::size_t& used) const;
    Secret m_key;
    std::size_t m_least;
    std::string m_held;
};

} // namespace ptxwb::llm
