// The review report as a value: everything that a session knows about its kernel and candidates, nothing run anew.
// Made for `ptxwb report` and the window's export; written by html.h, markdown.h and json.h.
//
// The same session gives the same report whatever folder it lies in and whenever it is made: there is no clock in it
// and no absolute path of this program's making (texts that people wrote are shown as they are).
#pragma once

#include "compare/compare.h"
#include "review/checklist.h"
#include "review/decision.h"
#include "session/session.h"

namespace ptxwb::report {

/// A line of a table of facts: "grid", "ceil_div(n, 256), 1, 1".
struct Fact {
    std::string label, value;
};

struct NamedHash {
    std::string what;   ///< "text of vectorized", "machine code of vectorized"
    std::string file;   ///< as seen from the session's folder, or from the spec's; empty where it is in none
    std::string sha256; ///< lower-case hexadecimal
};

/// Where a candidate stands today: what was found about an earlier text or kernel is shown, but does not count.
enum class Standing : std::uint8_t { pass, fail, incomplete, stale, notJudged };
std::string_view name(Standing standing); ///< "pass", "fail", "incomplete", "stale", "not judged"

/// The baseline or a candidate.
struct Subject {
    std::string id, name, parent; ///< parent: a name, empty for none
    std::string file;             ///< as seen from the session's folder; empty: not saved, or the spec's own
    session::Origin origin;
    std::string text, sha256;
    Standing standing = Standing::notJudged;
    std::optional<session::Judgement> judgement;
    std::vector<Fact> header; ///< its `//@` lines: title, launch, require
    /// With the baseline; absent for the baseline itself and without one.
    std::optional<compare::Comparison> comparison;
    std::vector<std::string> replay; ///< commands for a shell in the session's folder, or sentences that begin with `#`
    /// Whether the judged text is the one at hand, so that its lines can be shown.
    bool isJudgedText() const { return judgement && judgement->textSha256 == sha256; }
};

/// What was decided about a candidate, and what a reviewer goes through; only of those with a decision or a comment.
struct Reviewed {
    std::string id, name;
    std::vector<session::Decision> decisions; ///< oldest first; the last one counts
    std::vector<std::string> changes;         ///< since the last one: it does not hold any more
    std::vector<review::Item> checklist;
    std::vector<std::string> authors;
    std::string standing; ///< "approved by Ada, 2026-01-02T03:04:05Z"
};

struct SourceText {
    std::string name, text;
};

struct Report {
    std::string kernel, title, intent, session; ///< session: the file's name
    std::string program;                        ///< version of the program that wrote the report
    std::vector<Fact> kernelFacts;
    std::vector<SourceText> sources; ///< CUDA source and reference
    std::vector<Subject> subjects;   ///< the baseline first, where there is one
    std::vector<NamedHash> hashes;
    session::Review review;
    std::vector<Reviewed> reviewed;
    std::vector<std::string> notes; ///< what a reader must know: nothing was judged, results are stale
};

/// `program`: "0.1.0".
Report makeReport(const session::Session& session, std::string_view program);

/// nullptr where there is none.
const Subject* baselineOf(const Report& report);
const Subject* findSubject(const Report& report, std::string_view id);

/// Who judged function, stress and sanitize: "emulator", "NVIDIA H200 (gpu) and emulator", "nobody".
std::string judgedBy(const verify::CandidateResult& result);

/// What became of a text under one more assembler: "assembled, 10 registers, other machine code; function pass".
std::string assemblerText(const verify::CandidateResult& result, const verify::OtherAssembler& assembler);

} // namespace ptxwb::report
