#include "review/evidence.h"

#include "support/sha256.h"

#include <fmt/format.h>
#include <set>

namespace ptxwb::review {

using session::Judgement;

std::string_view baseTarget(std::string_view arch) {
    return arch.ends_with('a') || arch.ends_with('f') ? arch.substr(0, arch.size() - 1) : arch;
}

std::string whyNoGpuEvidence(const Judgement& judgement) {
    const verify::CandidateResult& result = judgement.result;
    for (const verify::Stage stage : {verify::Stage::function, verify::Stage::stress}) {
        const verify::StageResult* found = verify::find(result.stages, stage);
        if (!found || found->backend != "gpu")
            return fmt::format("{} was judged by {}", name(stage),
                               found && !found->backend.empty() ? "the " + found->backend : "nobody");
        if (found->status != verify::Status::pass)
            return fmt::format("{} did not pass on the GPU ({})", name(stage), name(found->status));
    }
    if (result.device.empty()) return "the result does not name its GPU";
    if (result.deviceArch.empty())
        return fmt::format("the result does not say which target {} has: verify again", result.device);
    if (baseTarget(judgement.arch) != baseTarget(result.deviceArch))
        return fmt::format("{} is {}: it cannot run code for {}", result.device, result.deviceArch, judgement.arch);
    return {};
}

session::Evidence evidenceOf(const Judgement& judgement) {
    session::Evidence evidence;
    evidence.arch = judgement.arch;
    evidence.device = judgement.result.device;
    evidence.deviceArch = judgement.result.deviceArch;
    evidence.driver = judgement.result.driver;
    evidence.toolkit = judgement.toolkit;
    evidence.seed = judgement.seed;
    evidence.machineCodeSha256 = judgement.result.textSha256;
    evidence.isGpu = whyNoGpuEvidence(judgement).empty();
    return evidence;
}

std::vector<const Judgement*> currentJudgements(const session::Candidate& candidate, std::string_view kernelSha256) {
    std::vector<const Judgement*> current;
    const std::string text = sha256Hex(candidate.text);
    const auto add = [&](const Judgement& judgement) {
        if (session::isAbout(judgement, text, kernelSha256)) current.push_back(&judgement);
    };
    if (candidate.judgement) add(*candidate.judgement);
    for (const Judgement& other : candidate.otherJudgements) add(other);
    return current;
}

std::vector<std::string> assemblersTried(std::span<const Judgement* const> judgements) {
    std::set<std::string> versions;
    for (const Judgement* judgement : judgements)
        if (!judgement->toolkit.empty()) versions.insert(judgement->toolkit);
    return {versions.begin(), versions.end()};
}

std::string describe(const session::Evidence& evidence) {
    std::string text =
        evidence.device.empty()
            ? fmt::format("emulator for {}", evidence.arch)
            : fmt::format("{} ({}) for {}", evidence.device,
                          evidence.deviceArch.empty() ? "target not known" : evidence.deviceArch, evidence.arch);
    if (!evidence.driver.empty()) text += ", driver " + evidence.driver;
    text += evidence.toolkit.empty() ? ", no ptxas" : ", ptxas " + evidence.toolkit;
    return text + fmt::format(", seed {}", evidence.seed);
}

std::string whyNotPassed(const verify::CandidateResult& result) {
    // What has failed is named before what nobody could tell.
    for (const bool failed : {true, false})
        for (const verify::Stage stage : {verify::Stage::parse, verify::Stage::assemble, verify::Stage::function,
                                          verify::Stage::stress, verify::Stage::sanitize, verify::Stage::benchmark}) {
            const verify::StageResult* found = verify::find(result.stages, stage);
            const bool isRequired = stage != verify::Stage::benchmark;
            const verify::Status status = found ? found->status : verify::Status::skipped;
            if (status == verify::Status::pass || (status == verify::Status::fail) != failed) continue;
            if (!failed && !isRequired) continue;
            if (!found) return fmt::format("{} was not run", name(stage));
            const std::string why = !found->findings.empty() ? found->findings.front().message : found->reason;
            return fmt::format("{} {}{}{}", name(stage),
                               failed                              ? "failed"
                               : status == verify::Status::skipped ? "was skipped"
                                                                   : "is inconclusive",
                               why.empty() ? "" : ": ", why);
        }
    return {};
}

} // namespace ptxwb::review
