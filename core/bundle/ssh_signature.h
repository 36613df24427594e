// Signatures as `ssh-keygen -Y sign` makes them, checked here, so that a bundle verifies where no ssh is installed.
// Called by check.h. Source: OpenSSH PROTOCOL.sshsig; the keys of RFC 4253, 5656, 8332, 8709 and PROTOCOL.u2f.
#pragma once

#include "support/diagnostic.h"

#include <string>
#include <string_view>

namespace ptxwb::bundle {

/// A signature of anything else is none of a bundle.
inline constexpr std::string_view signatureNamespace = "ptxwb-bundle";

struct SshSignature {
    std::string key;     ///< public key, as in a line of authorized_keys, decoded
    std::string keyType; ///< "ssh-ed25519"
    std::string nameSpace, reserved, hash, signature;
};

/// Errors (Cause::rejected): no such file format, damaged, laid out in another way than ssh-keygen does.
Expected<SshSignature> parseSignature(std::string_view armored);

/// Whether `key` has signed `message`. Errors (Cause::rejected) say what does not fit: another namespace, an algorithm
/// that is too weak or not known, a signature of something else.
/// Known: ed25519, ecdsa (nistp256, 384, 521), rsa from 2048 bits with SHA-2, and both kinds of security keys.
Expected<void> verifySignature(const SshSignature& signature, std::string_view message);

} // namespace ptxwb::bundle
