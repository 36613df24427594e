// Whose keys count: the file of allowed signers that `ssh-keygen -Y verify` and git read.
// Called by gate.h and `ptxwb verify-bundle`. Source: ssh-keygen(1), ALLOWED SIGNERS.
#pragma once

#include "support/diagnostic.h"

#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::bundle {

struct AllowedSigner {
    std::string principals; ///< patterns, separated by commas: "ada@example.org,*@example.org,!eve@example.org"
    std::string key;        ///< decoded
    std::vector<std::string> namespaces;                ///< patterns; empty: all
    std::optional<std::time_t> validAfter, validBefore; ///< UTC
    bool isAuthority = false; ///< signs certificates: such a line counts for none of our signatures
    std::uint32_t line = 0;
};

/// Errors (Cause::badRequest) name the line.
Expected<std::vector<AllowedSigner>> readAllowedSigners(std::string_view text, const std::string& file);

/// Whether `principal` may sign with `key` in `nameSpace` at `now`. Errors (Cause::rejected): the key is in no line, or
/// in one of somebody else, is not valid yet or any more, or is for something else.
Expected<void> allows(const std::vector<AllowedSigner>& signers, std::string_view principal, std::string_view key,
                      std::string_view nameSpace, std::time_t now);

/// Who the key belongs to: the principals of the first line that has it; empty where none does.
std::string ownerOf(const std::vector<AllowedSigner>& signers, std::string_view key);

/// `*` and `?`; a list is matched where one pattern does and none that begins with `!`.
bool matchesList(std::string_view patterns, std::string_view text);

} // namespace ptxwb::bundle
