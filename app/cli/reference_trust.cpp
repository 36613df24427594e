#include "reference_trust.h"

#include "kernel/reference.h"
#include "kernel/trust.h"
#include "support/resources.h"

#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

using verify::ReferenceTrust;

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

ReferenceTrust referenceTrust(const KernelArgument& kernel, bool trustOption) {
    const auto trust = kernel::trustOf(kernel.kernel, kernel.specFile, examplesFolder());
    if (!trust) note(trust.error().message, trust.error().hint);
    if (trust && *trust == kernel::Trust::nothingToTrust) return ReferenceTrust::refused;
    if (trustOption || (trust && *trust == kernel::Trust::trusted)) return ReferenceTrust::granted;
    const std::string& file = kernel.kernel.spec.reference.file;
    if (!::isatty(STDIN_FILENO) || !::isatty(STDERR_FILENO)) {
        note(fmt::format("the reference {} is native code that nobody has trusted here, so it does not run and the "
                         "baseline is the oracle",
                         file),
             "read it, then say --trust, or answer the question on a terminal");
        return ReferenceTrust::refused;
    }
    if (!asksAndHearsYes(kernel)) return ReferenceTrust::refused;
    if (const auto kept = kernel::TrustStore().trust(kernel::nativeCodeHash(kernel.kernel)); !kept)
        note(kept.error().message, "you will be asked again");
    return ReferenceTrust::granted;
}

} // namespace ptxwb::cli
