// Which native code (references, host functions) a person has agreed to run, by hash, outside of every session.
// Called by the command line and the window before a worker compiles a reference.
#pragma once

#include "support/diagnostic.h"

#include <filesystem>

namespace ptxwb::kernel {

struct Kernel;

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

enum class Trust : std::uint8_t {
    nothingToTrust, ///< the kernel brings no native code
    trusted,        ///< bundled with the program, drafted here, or agreed to
    unknown,        ///< a person must be asked
};

/// `specFile`: where the spec lies, empty for one inside a session. `examples`: the folder of the bundled examples.
/// Errors: as `TrustStore::isTrusted`.
Expected<Trust> trustOf(const Kernel& kernel, const std::filesystem::path& specFile,
                        const std::filesystem::path& examples, const TrustStore& store = TrustStore());

/// What goes into the trust store for a spec that is drafted here: known by its path, whatever its reference becomes.
std::string draftedHereMark(const std::filesystem::path& specFile);

} // namespace ptxwb::kernel
