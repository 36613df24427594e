#include "reference_trust.h"

#include "kernel/reference.h"
#include "kernel/trust.h"
#include "resources.h"
#include "support/sha256.h"

#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

namespace fs = std::filesystem;
using verify::ReferenceTrust;

bool isInside(const fs::path& file, const fs::path& folder) {
    std::error_code error;
    const fs::path inner = fs::weakly_canonical(file, error), outer = fs::weakly_canonical(folder, error);
    const auto [end, ignored] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return end == outer.end();
}

void note(const std::string& message, const std::string& hint) {
    Diagnostic diagnostic = failure(Cause::badRequest, message, hint).error();
    diagnostic.severity = Severity::note;
    fmt::print(stderr, "{}", format(diagnostic));
}

/// Shows the file and asks; the answer is no unless it begins with y.
bool asksAndHearsYes(const KernelArgument& kernel) {
    const std::string& file = kernel.kernel.spec.reference.file;
    const auto text = kernel.kernel.files.find(file);
    fmt::print(stderr,
               "{} was not written here. Its reference {} is native code that runs on this machine:\n\n{}\nRun it, now "
               "and whenever it is unchanged? [y/N] ",
               kernel.specFile.string(), file, text == kernel.kernel.files.end() ? std::string{} : text->second);
    std::string answer;
    std::getline(std::cin, answer);
    return answer.starts_with('y') || answer.starts_with('Y');
}

} // namespace

std::string draftedHereMark(const fs::path& specFile) {
    std::error_code error;
    return sha256Hex("drafted here: " + fs::weakly_canonical(specFile, error).string());
}

ReferenceTrust referenceTrust(const KernelArgument& kernel, bool trustOption) {
    const std::string hash = kernel::nativeCodeHash(kernel.kernel);
    if (hash.empty()) return ReferenceTrust::refused;
    if (trustOption || isInside(kernel.specFile, examplesFolder())) return ReferenceTrust::granted;
    kernel::TrustStore store;
    for (const std::string& known : {hash, draftedHereMark(kernel.specFile)}) {
        const auto trusted = store.isTrusted(known);
        if (!trusted)
            note(trusted.error().message, trusted.error().hint);
        else if (*trusted)
            return ReferenceTrust::granted;
    }
    const std::string& file = kernel.kernel.spec.reference.file;
    if (!::isatty(STDIN_FILENO) || !::isatty(STDERR_FILENO)) {
        note(fmt::format("the reference {} is native code that nobody has trusted here, so it does not run and the "
                         "baseline is the oracle",
                         file),
             "read it, then say --trust, or answer the question on a terminal");
        return ReferenceTrust::refused;
    }
    if (!asksAndHearsYes(kernel)) return ReferenceTrust::refused;
    if (const auto kept = store.trust(hash); !kept) note(kept.error().message, "you will be asked again");
    return ReferenceTrust::granted;
}

} // namespace ptxwb::cli
