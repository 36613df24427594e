// The KERNEL argument of the commands: from a word to a loaded spec, with its warnings and errors shown.
#pragma once

#include "kernel/spec.h"
#include "verify/plan.h"

#include <filesystem>

namespace ptxwb::cli {

struct KernelArgument {
    kernel::Kernel kernel;
    std::filesystem::path specFile;
};

/// Loads KERNEL. Warnings go to stderr. Errors: the first one with its file and line; where `json` is off, all of them
/// have been printed with their source lines before.
Expected<KernelArgument> loadKernelArgument(const std::string& word, bool json);

/// A --candidate: a PTX file, else the name of one of the spec's candidates ("vectorized").
Expected<verify::CandidateText> loadCandidate(const std::string& word, const KernelArgument& kernel);

/// All candidates that the spec lists, in its order.
Expected<std::vector<verify::CandidateText>> ownCandidates(const KernelArgument& kernel);

} // namespace ptxwb::cli
