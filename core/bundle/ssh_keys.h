// The public-key algorithms of SSH on top of OpenSSL.
// Used by ssh_signature.cpp only.
#pragma once

#include "support/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::bundle {

/// "sha256" or "sha512" over `bytes`; nullopt for any other.
std::optional<std::string> digestOf(std::string_view hash, std::string_view bytes);

/// `key` and `signature` as SSH writes them. Errors (Cause::rejected): another algorithm, a short key, a damaged one, a
/// signature that is not of `message` with this key.
Expected<void> verifyWithKey(std::string_view key, std::string_view signature, std::string_view message);

} // namespace ptxwb::bundle
