// A bundle of one candidate: everything that a reviewer, an auditor or a build server needs to check it without us.
// Called by `ptxwb bundle`.
#pragma once

#include "bundle/archive.h"
#include "session/session.h"

#include <functional>
#include <stop_token>

namespace ptxwb::bundle {

/// Machine code of PTX for a target by this version of ptxas; errors where there is none such.
using Assembler =
    std::function<Expected<std::string>(const std::string& ptx, const std::string& arch, const std::string& version)>;

/// With the toolkits of this machine.
Expected<Assembler> assemblerOfThisMachine(std::stop_token stop = {});

/// The files of a bundle, manifest included, not signed. The same session gives the same bytes, whenever and wherever.
/// Errors: no kernel spec, no such candidate, one that an archive cannot name; machine code that was judged and cannot
/// be made here as it was (Cause::missing: no such ptxas; rejected: it makes another).
Expected<Entries> makeBundle(const session::Session& session, std::string_view candidate, std::string_view program,
                             const Assembler& assemble);

/// Adds the signature of `manifest.json`, made by `ssh-keygen -Y sign` with this key (a private key, or a public one
/// whose other half an agent or a security key holds). Errors: no ssh-keygen, what it says, no manifest.
Expected<void> signBundle(Entries& entries, const std::filesystem::path& key, std::stop_token stop = {});

} // namespace ptxwb::bundle
