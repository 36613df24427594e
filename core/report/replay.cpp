#include "report/replay.h"

#include "report/text.h"
#include "session/candidate_files.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::report {

namespace {

using session::Candidate;
using session::KernelPlace;
using session::Session;

/// What deep checks alone leave behind.
bool wasDeep(const verify::CandidateResult& result) {
    const bool sanitized = std::ranges::any_of(result.checks, [](const verify::CheckOutcome& c) {
        return c.check.starts_with("sanitizer_") && c.status != verify::CheckStatus::notRun;
    });
    return sanitized || (result.strength && result.strength->mutants > 0);
}

std::string verifyCommand(const Session& session, const Candidate& candidate) {
    std::string command = "ptxwb verify " + shellWord(kernelWord(session));
    if (candidate.id != session::baselineId) command += " --candidate " + shellWord(candidate.file);
    if (!candidate.judgement) return command;
    const session::Judgement& judgement = *candidate.judgement;
    if (!judgement.arch.empty()) command += " --arch " + shellWord(judgement.arch);
    command += fmt::format(" --seed {}", judgement.seed);
    const bool onGpu = std::ranges::any_of(judgement.result.stages, [](const auto& s) { return s.backend == "gpu"; });
    command += onGpu ? " --backend gpu" : " --backend emulator";
    if (wasDeep(judgement.result)) command += " --deep";
    return command;
}

} // namespace

std::string kernelWord(const Session& session) {
    switch (session.place) {
    case KernelPlace::none:
    case KernelPlace::inlined: return {};
    case KernelPlace::example: return session.specFile.parent_path().filename().string();
    case KernelPlace::file: break;
    }
    if (session.file.empty()) return session.specFile.filename().string();
    return session::relativePath(session.specFile, session.file.parent_path());
}

std::vector<std::string> replayOf(const Session& session, const Candidate& candidate) {
    if (!session.hasKernel()) return {"# there is no kernel spec: `ptxwb init` drafts one"};
    if (kernelWord(session).empty())
        return {"# the kernel spec is inside the session: put it into NAME.kernel.json beside it first"};
    const bool isBaseline = candidate.id == session::baselineId;
    if (!isBaseline && candidate.file.empty()) return {"# this candidate is in no file yet: save the session first"};
    std::vector<std::string> lines;
    if (candidate.judgement && !candidate.judgement->toolkit.empty())
        lines.push_back(fmt::format("# judged with ptxas {}", visible(candidate.judgement->toolkit)));
    if (session::freshness(candidate, session::kernelHash(session)) == session::Freshness::stale)
        lines.emplace_back("# text or kernel have changed since: this judges what is there now");
    if (isBaseline && candidate.judgement) lines.emplace_back("# the baseline is judged first, before the candidates");
    lines.push_back(verifyCommand(session, candidate));
    return lines;
}

} // namespace ptxwb::report
