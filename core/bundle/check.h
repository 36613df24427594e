// Whether a bundle is what was signed, and whether what it says fits together. Needs no toolkit, no GPU, no ssh.
// Called by `ptxwb verify-bundle`, `ptxwb verify BUNDLE` and the gate.
#pragma once

#include "bundle/contents.h"
#include "bundle/manifest.h"
#include "bundle/ssh_signature.h"

#include <optional>

namespace ptxwb::bundle {

struct Inspection {
    Manifest manifest;
    std::string manifestSha256;
    std::vector<Problem> problems;  ///< what is not as it was written, or contradicts something else in the bundle
    std::vector<std::string> notes; ///< what a person should know and what keeps nothing from being right
    std::optional<SshSignature> signature; ///< of the manifest, and right; absent: nobody signed it
    std::optional<session::Session> part;  ///< absent where it cannot be read

    bool isWhole() const { return problems.empty() && part.has_value(); }
};

/// - every file is listed, has its size and its SHA-256, and none is missing, added or renamed;
/// - the manifest has its own hash and, where it is signed, the signature is of it;
/// - candidate, spec, judgements and decision are about the same PTX and kernel, machine code is what was judged, and
///   seeds, versions, samples and checklist are those of the judgements.
/// Errors: the archive cannot be read at all (see archive.h), or has no manifest.
Expected<Inspection> inspect(const Entries& entries, const std::string& file);

} // namespace ptxwb::bundle
