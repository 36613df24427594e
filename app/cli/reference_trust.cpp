#include "reference_trust.h"

#include "kernel/reference.h"
#include "kernel/trust.h"
#include "support/resources.h"

#include <algorithm>
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

/// The files with functions that would run.
std::vector<std::string> codeOf(const KernelArgument& kernel) {
    const kernel::KernelSpec& spec = kernel.kernel.spec;
    std::vector<std::string> files;
    for (const std::string& file : {spec.reference.file, spec.inputs ? spec.inputs->file : std::string{},
                                    spec.compare ? spec.compare->file : std::string{}})
        if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
    return files;
}

/// Shows the file and asks; the answer is no unless it begins with y.
bool asksAndHearsYes(const KernelArgument& kernel) {
    fmt::print(stderr, "{} was not written here. It brings code that runs on this machine:\n",
               kernel.specFile.string());
    for (const std::string& file : codeOf(kernel)) {
        const auto text = kernel.kernel.files.find(file);
        fmt::print(stderr, "\n{}:\n{}\n", file, text == kernel.kernel.files.end() ? std::string{} : text->second);
    }
    fmt::print(stderr, "Run it, now and whenever it is unchanged? [y/N] ");
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
    const std::string file = codeOf(kernel).front();
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
