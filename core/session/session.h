// The document of the program as a value: kernel, baseline, candidates with what was found about them, review.
// Made by load.h and open.h, written by save.h, held by the window's document and read by reports.
#pragma once

#include "kernel/spec.h"
#include "session/conversation.h"
#include "session/review.h"
#include "verify/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::session {

enum class OriginKind : std::uint8_t { nvcc, hand, model, import };
std::string_view name(OriginKind kind);
std::optional<OriginKind> originKind(std::string_view name);

/// Where a text came from. All but `kind` may be empty.
struct Origin {
    OriginKind kind = OriginKind::hand;
    std::string provider, model, promptSha256;
    std::string time; ///< ISO 8601, UTC

    bool operator==(const Origin&) const = default;
};

/// What a verification said, and what it was said about: a result is shown as long as there is none newer, but only
/// counts while text and kernel are the ones that were judged.
struct Judgement {
    verify::CandidateResult result;
    std::string textSha256;   ///< of the PTX that was judged
    std::string kernelSha256; ///< `kernelHash` of the kernel that it was judged for; empty: not known
    std::string arch, toolkit;
    std::uint64_t seed = 0;
    /// Of the PTX that `result.resources` and `result.occupancy` are about: an earlier text where this one did not
    /// assemble, so that a person still sees what it was before. Empty: `textSha256`.
    std::string figuresSha256;

    bool hasOlderFigures() const { return !figuresSha256.empty() && figuresSha256 != textSha256; }
};

/// Why a text was kept.
enum class VersionReason : std::uint8_t { verified, saved, replaced };
std::string_view name(VersionReason reason);
std::optional<VersionReason> versionReason(std::string_view name);

/// A text that a candidate had, to come back to.
struct Version {
    VersionReason reason = VersionReason::saved;
    std::string time;                        ///< ISO 8601, UTC
    std::optional<verify::Verdict> verdict;  ///< where this text was judged
    std::shared_ptr<const std::string> text; ///< never null; shared, since sessions are copied to be written
};
// Of a candidate; beyond them the oldest go.
inline constexpr std::size_t mostVersions = 64, mostVersionBytes = std::size_t{8} << 20;

struct Candidate {
    std::string id;     ///< "c3"; never given twice in a session
    std::string parent; ///< id of the candidate (or `baselineId`) it was made from, empty for none
    std::string name;   ///< as a person named it; unique in the session
    std::string text;   ///< the PTX
    Origin origin;
    std::optional<Judgement> judgement;
    std::string file; ///< where the text was read from or written to last, as seen from the session; empty: not yet
    /// What other targets, assemblers or devices said about the text that `judgement` is about.
    std::vector<Judgement> otherJudgements = {};
    /// The people who wrote or changed the text, or had it written: none of them can approve it.
    std::vector<std::string> authors = {};
    std::vector<Version> history = {}; ///< oldest first; two neighbours never have the same text
};

inline constexpr std::string_view baselineId = "baseline";

enum class KernelPlace : std::uint8_t {
    none,    ///< no spec yet: only `source` and texts are open
    file,    ///< `specFile`, next to which its files lie
    inlined, ///< inside the session file, next to which its files lie
    example, ///< `specFile` is a bundled example: it is copied beside the session at the first save
};

struct Session {
    std::filesystem::path file; ///< NAME.ptxwb, absolute; empty until the first save
    std::string fileSha256;     ///< of the content of `file` when it was read or written last

    KernelPlace place = KernelPlace::none;
    std::filesystem::path specFile; ///< absolute; empty for `none` and `inlined`
    kernel::Kernel kernel;          ///< empty for `none`

    std::filesystem::path sourceFile; ///< absolute; the CUDA source where there is no spec
    std::string source;               ///< text of the CUDA source, empty where there is none
    Candidate baseline;               ///< id `baselineId`; an empty text where there is none (yet)

    std::vector<std::string> targets; ///< "sm_90"; the first is the one that is shown
    std::vector<Candidate> candidates;
    std::uint32_t lastId = 0; ///< number of the last id given
    Review review;
    std::vector<Conversation> conversations; ///< with models, in the order of time

    bool hasKernel() const { return place != KernelPlace::none; }
};

/// For a person: the kernel's name, else that of the file.
std::string title(const Session& session);

/// The candidate, the baseline for `baselineId`, nullptr where there is none.
const Candidate* find(const Session& session, std::string_view id);
Candidate* find(Session& session, std::string_view id);

/// The next free id; counts `lastId` up.
std::string newId(Session& session);
/// A free id for a conversation: one more than the largest, "m4".
std::string newConversationId(const Session& session);

/// `wanted` if no candidate has it, else "wanted 2", "wanted 3", ...; an empty one becomes "candidate".
std::string freeName(const Session& session, std::string_view wanted);

/// Why a person cannot name a candidate so: empty, control characters, taken (by another than `except`). Empty: they
/// can.
std::string nameProblem(const Session& session, std::string_view name, std::string_view except = {});

/// The spec as JSON without its list of candidates: what of it a verdict depends on.
std::string specText(const kernel::KernelSpec& spec);
/// SHA-256 over spec and files (without the spec's candidates): changes when a verdict may change. Empty without a
/// kernel.
std::string kernelHash(const Session& session);
std::string kernelHash(const kernel::Kernel& kernel);

/// `newer` in place of `older`; where the newer text did not assemble it takes the older one's figures along.
Judgement succeed(const std::optional<Judgement>& older, Judgement newer);

/// `newer` becomes the candidate's judgement. What another target, assembler or device said about the same text and
/// kernel stays beside it.
void take(Candidate& candidate, Judgement newer);

/// Whether a judgement is about this text and kernel.
bool isAbout(const Judgement& judgement, std::string_view textSha256, std::string_view kernelSha256);

/// Keeps the candidate's text as a version, unless the last one has it already.
void keepVersion(Candidate& candidate, VersionReason reason, const std::string& time);

enum class Freshness : std::uint8_t { none, current, stale };
/// Whether a candidate's results are about its text and this kernel. `kernelSha256`: of `kernelHash`.
Freshness freshness(const Candidate& candidate, std::string_view kernelSha256);

/// Makes `kernel` the session's kernel: source text, targets (where there are none) and, where the spec names one, the
/// baseline are taken from it.
void takeKernel(Session& session, kernel::Kernel kernel);

/// The CUDA file's name for headers and messages; empty where there is none.
std::string sourceName(const Session& session);

} // namespace ptxwb::session
