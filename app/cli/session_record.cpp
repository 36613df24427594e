#include "session_record.h"

#include "session/load.h"
#include "session/open.h"
#include "session/save.h"
#include "support/resources.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::cli {

namespace {

Expected<session::Session> openOrMake(const std::string& file, const KernelArgument& kernel) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) {
        auto loaded = session::load(file);
        if (!loaded) return std::unexpected(std::move(loaded.error()));
        return std::move(loaded->session);
    }
    auto opened = session::openAny(kernel.specFile.string(), examplesFolder());
    if (!opened) return std::unexpected(std::move(opened.error()));
    opened->session.candidates.clear(); // only what was judged
    return std::move(opened->session);
}

session::Candidate& candidateFor(session::Session& session, const verify::CandidateText& text) {
    const auto known = std::ranges::find(session.candidates, text.name, &session::Candidate::name);
    if (known != session.candidates.end()) return *known;
    session::Candidate candidate;
    candidate.id = session::newId(session);
    candidate.name = session::freeName(session, text.name);
    candidate.parent = session.baseline.text.empty() ? "" : session::baselineId;
    candidate.origin.kind = session::OriginKind::import;
    return session.candidates.emplace_back(std::move(candidate));
}

} // namespace

Expected<void> recordInSession(const std::string& file, const KernelArgument& kernel,
                               const verify::VerifyReport& report, const std::vector<verify::CandidateText>& texts) {
    auto session = openOrMake(file, kernel);
    if (!session) return std::unexpected(std::move(session.error()));
    const std::string hash = session::kernelHash(kernel.kernel);
    if (session::kernelHash(*session) != hash)
        return failure(Cause::badRequest,
                       fmt::format("{} is about another kernel, or another state of {}", file, report.kernel),
                       "name another session, or bring the kernel and the session to one state");
    if (std::ranges::find(session->targets, report.arch) == session->targets.end())
        session->targets.push_back(report.arch);
    for (std::size_t i = 0; i < report.results.size(); ++i) {
        const verify::CandidateResult& result = report.results[i];
        const bool isBaseline = result.candidate == session::baselineId;
        session::Candidate& candidate = isBaseline ? session->baseline : candidateFor(*session, texts[i]);
        if (!isBaseline) candidate.text = texts[i].text;
        session::take(candidate, {result, result.sha256, hash, report.arch, report.toolkit, report.seed, {}});
    }
    return session::save(*session, file);
}

} // namespace ptxwb::cli
