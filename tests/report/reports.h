// Sessions for the tests of core/report: bundled kernels with results that were recorded on a GPU.
// Used by every test in this folder.
#pragma once

#include "report/report.h"
#include "session/open.h"
#include "session/save.h"
#include "support/files.h"
#include "support/sha256.h"
#include "verify/checks.h"

#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ptxwb::test {

namespace fs = std::filesystem;

/// A value, or the test fails with the error's message.
template <class T>
T need(Expected<T> value) {
    if (!value) qFatal("%s (%s)", value.error().message.c_str(), value.error().hint.c_str());
    return std::move(*value);
}

inline void need(const Expected<void>& done) {
    if (!done) qFatal("%s (%s)", done.error().message.c_str(), done.error().hint.c_str());
}

inline session::Session example(const std::string& name) {
    return need(session::openAny(name, PTXWB_SOURCE_DIR "/resources/examples")).session;
}

/// Puts a result into the session as if this very text had been judged.
inline void judged(const session::Session& session, session::Candidate& candidate, verify::CandidateResult result,
                   const std::string& toolkit = "13.0.88", std::uint64_t seed = 7) {
    session::Judgement judgement;
    judgement.textSha256 = sha256Hex(candidate.text);
    judgement.kernelSha256 = session::kernelHash(session);
    judgement.arch = "sm_90";
    judgement.toolkit = toolkit;
    judgement.seed = seed;
    judgement.result = std::move(result);
    candidate.judgement = std::move(judgement);
}

/// The example with what an H200 said about each of its texts (tests/data/worker/h200); `folder`: "gallery/" or none.
inline session::Session recorded(const std::string& name, const std::string& folder = {}) {
    session::Session session = example(name);
    std::istringstream lines(need(readFile(PTXWB_SOURCE_DIR "/tests/data/worker/h200/" + folder + name + ".jsonl")));
    int found = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto value = nlohmann::json::parse(line);
        if (!value.contains("done")) continue;
        const auto report = need(verify::verifyReportFromJson(value.at("done")));
        for (const verify::CandidateResult& result : report.results) {
            const auto candidate = std::ranges::find(session.candidates, result.candidate, &session::Candidate::name);
            session::Candidate* target = result.candidate == "baseline"          ? &session.baseline
                                         : candidate == session.candidates.end() ? nullptr
                                                                                 : &*candidate;
            if (!target) continue;
            judged(session, *target, result, report.toolkit, report.seed);
            ++found;
        }
    }
    if (found < 3) qFatal("the recording of %s fits only %d texts of the example", name.c_str(), found);
    return session;
}

/// A result with every kind of part.
inline verify::CandidateResult fullResult() {
    verify::CandidateResult result;
    result.candidate = "candidate";
    result.sha256 = sha256Hex("text");
    result.textSha256 = sha256Hex("machine code");
    result.stages.push_back({verify::Stage::parse, verify::Status::pass, "host", {}, 0.001, {}, 0});
    verify::StageResult& sanitize = result.stages.emplace_back();
    sanitize = {verify::Stage::sanitize, verify::Status::fail, "emulator", {}, 0.25, {}, 12};
    Finding& race = sanitize.findings.emplace_back();
    race.kind = FindingKind::race;
    race.check = "shared_race";
    race.message = "two threads write to one word";
    race.hint = "a bar.sync between them";
    race.line = 21;
    race.column = 3;
    race.cuda = CudaPlace{"/home/someone/saxpy.cu", 3};
    race.thread = Index3{1, 0, 0};
    race.set = {{"n", 33}};
    race.related.push_back({12, 5, Index3{0, 0, 0}, Index3{5, 0, 0}, "write", "the other one"});
    result.checks = verify::foldChecks(result);
    result.strength =
        verify::Strength{40, 38, 4, 3, {{12, "never reached", std::nullopt}}, 10, 9, {{13, "bar.sync dropped"}}};
    result.resources.push_back({"sm_90", "saxpy", 10, 0, 4, 8, 1024, 1, 24});
    result.occupancy.push_back({"sm_90", 256, 8, 64, 100.0, "warps"});
    result.verdict = verify::foldVerdict(result.stages);
    return result;
}

/// What a hostile file or model would put wherever it can.
inline const std::string hostile =
    "<script>alert(1)</script>\"' onload=x &amp; ]]> --> `|``` @someone #1 [a](http://x) \xE2\x80\xAE\xFF\x01 \\";

/// A session in which everything that a file or a model can choose is hostile.
inline session::Session hostileSession() {
    session::Session session = recorded("saxpy");
    session.kernel.spec.title = session.kernel.spec.intent = hostile;
    session.source += "\n// " + hostile + "\n";
    session.kernel.spec.source = "<b>.cu";
    session::Decision decision;
    decision.state = session::ReviewState::rejected;
    decision.candidate = session.candidates[0].id;
    decision.reason = decision.reviewer = decision.time = hostile;
    decision.targets = {hostile};
    session.review.decisions = {decision, decision};
    session.review.comments.push_back({"r1", session.candidates[0].id, 2, hostile, hostile, hostile, false});
    session.review.comments.push_back({"r2", hostile, 999999, hostile, hostile, hostile, true});
    session.review.comments[1].replies.push_back({hostile, hostile, hostile});
    session.review.comments[1].anchor.lines = {hostile};
    session.review.comments[1].resolvedBy = hostile;
    for (session::Candidate& candidate : session.candidates) {
        candidate.authors = {hostile};
        candidate.name = hostile + candidate.name;
        candidate.file = "a.candidates/" + hostile + ".ptx";
        candidate.text = "//@ title " + hostile + "\n// " + hostile + "\n" + candidate.text;
        candidate.origin = {session::OriginKind::model, hostile, hostile, hostile, hostile};
        verify::CandidateResult result = fullResult();
        if (candidate.judgement && candidate.judgement->result.timing)
            result.timing = candidate.judgement->result.timing, result.speedup = candidate.judgement->result.speedup;
        result.device = result.sameMachineCodeAs = hostile;
        for (verify::StageResult& stage : result.stages) {
            stage.reason = stage.backend = hostile;
            for (Finding& finding : stage.findings) {
                finding.check = finding.message = finding.hint = finding.argument = finding.fill = hostile;
                finding.set = {{hostile, 1}};
                finding.cuda = CudaPlace{hostile, 2};
                for (RelatedFinding& related : finding.related) related.message = related.access = hostile;
            }
        }
        for (verify::CheckOutcome& check : result.checks) check.check = check.reason = hostile;
        for (verify::Unreached& each : result.strength->unreached) each.what = hostile;
        for (verify::Survivor& each : result.strength->survivors) each.what = hostile;
        for (verify::EntryResources& each : result.resources) each.arch = each.entry = hostile;
        for (verify::OccupancyFigure& each : result.occupancy) each.arch = each.limiter = hostile;
        if (result.timing) result.timing->method = result.timing->size = hostile;
        if (result.speedup) result.speedup->call = result.speedup->against = hostile;
        judged(session, candidate, std::move(result), hostile);
        candidate.judgement->arch = hostile;
    }
    return session;
}

} // namespace ptxwb::test
