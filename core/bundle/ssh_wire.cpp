#include "bundle/ssh_wire.h"

#include <openssl/evp.h>

#include <array>

namespace ptxwb::bundle {

std::optional<std::string_view> WireReader::fixed(std::size_t size) {
    if (size > m_bytes.size()) return std::nullopt;
    const std::string_view taken = m_bytes.substr(0, size);
    m_bytes.remove_prefix(size);
    return taken;
}

std::optional<std::uint8_t> WireReader::byte() {
    const auto one = fixed(1);
    return one ? std::optional(static_cast<std::uint8_t>(one->front())) : std::nullopt;
}

std::optional<std::uint32_t> WireReader::number() {
    const auto four = fixed(4);
    if (!four) return std::nullopt;
    std::uint32_t value = 0;
    for (const char c : *four) value = value << 8 | static_cast<unsigned char>(c);
    return value;
}

std::optional<std::string_view> WireReader::text() {
    const auto size = number();
    return size ? fixed(*size) : std::nullopt;
}

void putNumber(std::string& to, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(number >> shift & 0xff);
}

void putText(std::string& to, std::string_view text) {
    putNumber(to, static_cast<std::uint32_t>(text.size()));
    to += text;
}

std::string toBase64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
    const int size =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

std::optional<std::string> fromBase64(std::string_view text) {
    if (text.size() % 4 != 0 || text.size() > (std::size_t{1} << 24)) return std::nullopt;
    std::string bytes(text.size() / 4 * 3 + 1, '\0');
    const int size =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                        reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
    if (size < 0) return std::nullopt;
    // It counts the padding as bytes.
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    bytes.resize(static_cast<std::size_t>(size) - padding);
    return toBase64(bytes) == text ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string fingerprint(std::string_view key) {
    std::array<unsigned char, 32> digest{};
    unsigned size = 0;
    EVP_Digest(key.data(), key.size(), digest.data(), &size, EVP_sha256(), nullptr);
    std::string text = toBase64({reinterpret_cast<const char*>(digest.data()), digest.size()});
    while (text.ends_with('=')) text.pop_back();
    return "SHA256:" + text;
}

} // namespace ptxwb::bundle
