#include "kernel_argument.h"

#include "command.h"
#include "kernel/spec_load.h"
#include "support/files.h"
#include "support/nearest.h"
#include "support/resources.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::cli {

namespace {

namespace fs = std::filesystem;

verify::CandidateText candidateOf(const std::string& file, std::string text) {
    return {fs::path(file).stem().string(), file, std::move(text)};
}

Expected<verify::CandidateText> ownCandidate(const std::string& file, const KernelArgument& kernel) {
    if (const auto known = kernel.kernel.files.find(file); known != kernel.kernel.files.end())
        return candidateOf(file, known->second);
    auto text = readFile(kernel.specFile.parent_path() / file);
    if (!text) return std::unexpected(std::move(text.error()));
    return candidateOf(file, std::move(*text));
}

} // namespace

Expected<KernelArgument> loadKernelArgument(const std::string& word, bool json) {
    auto specFile = kernel::findKernel(word, examplesFolder());
    if (!specFile) return std::unexpected(std::move(specFile.error()));
    kernel::LoadedKernel loaded = kernel::loadKernel(*specFile);
    if (loaded.kernel || !json)
        for (const Diagnostic& diagnostic : loaded.diagnostics)
            if (loaded.kernel || diagnostic.severity != Severity::error) printDiagnostic(diagnostic, loaded.text);
    const std::string text = loaded.text;
    auto kernel = kernel::orFirstError(std::move(loaded));
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    return KernelArgument{std::move(*kernel), std::move(*specFile)};
}

Expected<std::vector<verify::CandidateText>> ownCandidates(const KernelArgument& kernel) {
    std::vector<verify::CandidateText> candidates;
    for (const std::string& file : kernel.kernel.spec.candidates) {
        auto candidate = ownCandidate(file, kernel);
        if (!candidate) return std::unexpected(std::move(candidate.error()));
        candidates.push_back(std::move(*candidate));
    }
    return candidates;
}

Expected<verify::CandidateText> loadCandidate(const std::string& word, const KernelArgument& kernel) {
    std::error_code error;
    if (fs::is_regular_file(word, error)) {
        auto text = readFile(word);
        if (!text) return std::unexpected(std::move(text.error()));
        return candidateOf(word, std::move(*text));
    }
    std::vector<std::string> names;
    for (const std::string& file : kernel.kernel.spec.candidates) {
        names.push_back(fs::path(file).stem().string());
        if (word == file || word == names.back()) return ownCandidate(file, kernel);
    }
    const std::string nearest = nearestName(word, names);
    return failure(Cause::badRequest,
                   fmt::format("--candidate {}: there is no such file, and {} has no candidate of that name", word,
                               kernel.kernel.spec.name),
                   nearest.empty() ? "name a .ptx file, or one that the spec's `candidates` list"
                                   : fmt::format("did you mean {}?", nearest));
}

} // namespace ptxwb::cli
