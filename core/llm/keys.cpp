#include "llm/keys.h"

#include "support/environment.h"

#include <algorithm>
#include <fmt/format.h>
#include <openssl/crypto.h>

namespace ptxwb::llm {

Secret& Secret::operator=(const Secret& other) {
    if (this != &other) {
        wipe();
        m_text = other.m_text;
    }
    return *this;
}

Secret::Secret(Secret&& other) noexcept : m_text(other.m_text) {
    other.wipe(); // a moved short string would keep its bytes
}

Secret& Secret::operator=(Secret&& other) noexcept {
    if (this != &other) {
        wipe();
        m_text = other.m_text;
        other.wipe();
    }
    return *this;
}

Secret::~Secret() {
    wipe();
}

void Secret::wipe() {
    OPENSSL_cleanse(m_text.data(), m_text.size());
    m_text.clear();
}

Expected<Secret> checkedKey(std::string_view text, std::string_view from) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return failure(Cause::missing, fmt::format("{} is empty", from),
                       "put the key there, or choose an endpoint that needs none");
    text = text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
    if (std::ranges::any_of(text, [](unsigned char c) { return c < 0x21 || c > 0x7E; }))
        return failure(
            Cause::badRequest,
            fmt::format("{} holds blanks, line breaks or bytes that are no ASCII, so it cannot be a key", from),
            "set it to the key alone");
    return Secret(text);
}

Expected<Secret> EnvironmentKeys::key(std::string_view name) const {
    const auto value = environmentVariable(name);
    if (!value)
        return failure(
            Cause::missing, fmt::format("the environment variable {} is not set", name),
            fmt::format("export {}=... with the provider's key; `ptxwb prompt` and `ptxwb import` need none", name));
    return checkedKey(*value, fmt::format("the environment variable {}", name));
}

Redactor::Redactor(const Secret& key, std::size_t least) : m_key(key), m_least(std::max<std::size_t>(least, 1)) {}

/// Gives out what is certain. `used`: bytes of `text` that were dealt with; the rest may be part of a key.
std::string Redactor::take(std::string_view text, bool isEnd, std::size_t& used) const {
    const std::string_view key = m_key.reveal();
    const std::size_t least = std::min(m_least, key.size());
    std::string out;
    std::size_t at = 0;
    while (at < text.size() && !key.empty()) {
        std::size_t length = 0; // of the longest run from here that the key holds
        while (at + length < text.size() && key.find(text.substr(at, length + 1)) != std::string_view::npos) ++length;
        if (at + length == text.size() && length != 0 && !isEnd) break;
        if (length >= least) {
            if (!out.ends_with("[key]")) out += "[key]";
            at += length;
        } else {
            out += text[at++];
        }
    }
    if (key.empty()) {
        out = text;
        at = text.size();
    }
    used = at;
    return out;
}

std::string Redactor::all(std::string_view text) const {
    std::size_t used = 0;
    return take(text, true, used);
}

std::string Redactor::next(std::string_view piece) {
    m_held += piece;
    std::size_t used = 0;
    std::string out = take(m_held, false, used);
    m_held.erase(0, used);
    return out;
}

std::string Redactor::rest() {
    std::size_t used = 0;
    std::string out = take(m_held, true, used);
    m_held.clear();
    return out;
}

} // namespace ptxwb::llm
