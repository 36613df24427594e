#include "support/sha256.h"

#include <array>
#include <openssl/evp.h>
#include <stdexcept>

namespace ptxwb {

std::string sha256Hex(std::span<const std::byte> bytes) {
    std::array<unsigned char, 32> digest;
    unsigned length = 0;
    // Fails only where a provider configuration has removed SHA-256.
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1 ||
        length != digest.size())
        throw std::runtime_error("OpenSSL on this machine offers no SHA-256");
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const unsigned char byte : digest) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string sha256Hex(std::string_view bytes) {
    return sha256Hex(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

} // namespace ptxwb
