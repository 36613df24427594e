// Sessions that an H200 has judged, with people: for the tests of core/review, core/bundle and the window's review.
#pragma once

#include "../report/reports.h"
#include "review/comments.h"
#include "review/decision.h"

namespace ptxwb::test {

inline const std::string ada = "Ada Lovelace <ada@example.org>", grace = "Grace Hopper <grace@example.org>";

/// The example with the answers of an H200 (tests/data/worker/h200/gallery), which name their GPU as its worker's hello
/// does; the recording is older than the answers' own word on that.
inline session::Session onH200(const std::string& name) {
    session::Session session = recorded(name, "gallery/");
    std::istringstream lines(need(readFile(PTXWB_SOURCE_DIR "/tests/data/worker/h200/gallery/" + name + ".jsonl")));
    std::string hello;
    std::getline(lines, hello);
    const auto device = nlohmann::json::parse(hello).at("hello").at("devices").at(0);
    const auto complete = [&](session::Candidate& candidate) {
        if (!candidate.judgement || candidate.judgement->result.device != device.at("name").get<std::string>()) return;
        candidate.judgement->result.deviceArch = device.at("arch").get<std::string>();
        candidate.judgement->result.driver = "580.159.04"; // README.md beside the recordings
        if (candidate.judgement->result.sha256 != sha256Hex(candidate.text))
            qFatal("the recording is about another text of %s", candidate.name.c_str());
    };
    complete(session.baseline);
    for (session::Candidate& candidate : session.candidates) {
        complete(candidate);
        candidate.authors = {ada};
    }
    return session;
}

inline session::Candidate& named(session::Session& session, const std::string& name) {
    const auto found = std::ranges::find(session.candidates, name, &session::Candidate::name);
    if (found == session.candidates.end()) qFatal("no candidate %s", name.c_str());
    return *found;
}

inline review::Wish approval(const session::Candidate& candidate) {
    return {candidate.id, session::ReviewState::approved,        {"sm_90"},
            grace,        "same results, half the instructions", "2026-12-01T10:00:00Z"};
}

/// saxpy's vectorized candidate, approved by Grace.
inline session::Session approvedSaxpy() {
    session::Session session = onH200("saxpy");
    const session::Candidate& candidate = named(session, "vectorized");
    session.review.decisions.push_back(need(review::decide(session, approval(candidate))));
    return session;
}

} // namespace ptxwb::test
