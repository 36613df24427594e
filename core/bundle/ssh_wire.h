// The pieces that SSH keys and signatures are made of: length-prefixed strings, base64, fingerprints.
// Used by ssh_signature.cpp and allowed_signers.cpp. Source: RFC 4251 section 5; OpenSSH PROTOCOL.sshsig.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::bundle {

/// Reads from the front; everything is nullopt once something did not fit.
class WireReader {
public:
    explicit WireReader(std::string_view bytes) : m_bytes(bytes) {}
    std::optional<std::uint8_t> byte();
    std::optional<std::uint32_t> number();  ///< 32 bits, big-endian
    std::optional<std::string_view> text(); ///< a length, then so many bytes
    std::optional<std::string_view> fixed(std::size_t size);
    bool atEnd() const { return m_bytes.empty(); }

private:
    std::string_view m_bytes;
};

void putNumber(std::string& to, std::uint32_t number);
void putText(std::string& to, std::string_view text);

std::string toBase64(std::string_view bytes);
/// Strict: no blanks, right padding, no stray bits. nullopt where it is none.
std::optional<std::string> fromBase64(std::string_view text);

/// "SHA256:..." as ssh-keygen -l prints it. `key`: the public key as in a line of authorized_keys, decoded.
std::string fingerprint(std::string_view key);

} // namespace ptxwb::bundle
