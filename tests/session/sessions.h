// Sessions and files for the tests of core/session.
// Used by every test in this folder.
#pragma once

#include "session/open.h"
#include "session/save.h"
#include "support/files.h"
#include "support/sha256.h"

#include <QTest>

namespace ptxwb::test {

namespace fs = std::filesystem;

inline const fs::path examples = PTXWB_SOURCE_DIR "/resources/examples";

/// A value, or the test fails with the error's message.
template <class T>
T need(Expected<T> value) {
    if (!value) qFatal("%s (%s)", value.error().message.c_str(), value.error().hint.c_str());
    return std::move(*value);
}
inline void need(const Expected<void>& done) {
    if (!done) qFatal("%s (%s)", done.error().message.c_str(), done.error().hint.c_str());
}

inline std::string contentOf(const fs::path& file) {
    return need(readFile(file));
}

inline void write(const fs::path& file, const std::string& content) {
    fs::create_directories(file.parent_path());
    need(writeFileAtomically(file, content));
}

/// Paths below `folder`, sorted, with slashes.
inline std::vector<std::string> filesBelow(const fs::path& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder).generic_string());
    std::ranges::sort(files);
    return files;
}

inline session::Session saxpy() {
    return need(session::openAny("saxpy", examples)).session;
}

/// A result as the funnel gives it, with a finding, for this text.
inline session::Judgement judgementOf(const session::Session& session, const std::string& text) {
    session::Judgement judgement;
    judgement.textSha256 = sha256Hex(text);
    judgement.kernelSha256 = session::kernelHash(session);
    judgement.arch = "sm_90";
    judgement.toolkit = "13.0.88";
    judgement.seed = 4'000'000'000;
    verify::CandidateResult& result = judgement.result;
    result.candidate = "vectorized";
    result.sha256 = judgement.textSha256;
    result.textSha256 = sha256Hex("machine code of " + text);
    result.stages.push_back({verify::Stage::parse, verify::Status::pass, "host", {}, 0.001, {}, 0});
    verify::StageResult& stress = result.stages.emplace_back();
    stress = {verify::Stage::stress, verify::Status::fail, "emulator", "a reason", 0.25, {}, 12};
    Finding& finding = stress.findings.emplace_back();
    finding.kind = FindingKind::race;
    finding.message = "two threads write";
    finding.line = 41;
    finding.set = {{"n", 33}};
    finding.related.push_back({38, 5, Index3{0, 0, 0}, Index3{5, 0, 0}, "write", "the other one"});
    result.resources.push_back({"sm_90", "saxpy", 10, 0, 4, 8, 1024, 1, 24});
    result.occupancy.push_back({"sm_90", 256, 8, 64, 100.0, "warps"});
    result.verdict = verify::foldVerdict(result.stages);
    return judgement;
}

inline session::Candidate& addCandidate(session::Session& session, const std::string& name, const std::string& text) {
    session::Candidate candidate;
    candidate.id = session::newId(session);
    candidate.name = name;
    candidate.text = text;
    session.candidates.push_back(std::move(candidate));
    return session.candidates.back();
}

} // namespace ptxwb::test
