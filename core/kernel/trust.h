// Which native code (references, host functions) a person has agreed to run, by hash, outside of every session.
// Called by the command line and the window before a worker compiles a reference.
#pragma once

#include "support/diagnostic.h"

#include <filesystem>

namespace ptxwb::kernel {

class TrustStore {
public:
    /// `file`: a JSON file that need not exist yet.
    explicit TrustStore(std::filesystem::path file = defaultFile());

    /// $XDG_CONFIG_HOME/ptxwb/trusted.json, else ~/.config/ptxwb/trusted.json; empty without either.
    static std::filesystem::path defaultFile();

    /// `hash`: of `nativeCodeHash`. Errors: a file that cannot be read or is damaged (it is left as it is).
    Expected<bool> isTrusted(std::string_view hash) const;
    Expected<void> trust(std::string_view hash);

private:
    std::filesystem::path m_file;
};

} // namespace ptxwb::kernel
