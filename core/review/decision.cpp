#include "review/decision.h"

#include "kernel/spec.h"
#include "review/evidence.h"
#include "review/people.h"
#include "support/sha256.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::review {

using session::Bound;
using session::Candidate;
using session::Decision;
using session::Evidence;
using session::Judgement;
using session::ReviewState;
using session::Session;

namespace {

/// What is known, or what is worked out now.
class Hashes {
public:
    Hashes(const Session& session, const KernelHashes* known) : m_known(known) {
        if (!known) m_own = hashKernel(session);
    }
    const KernelHashes* operator->() const { return m_known ? m_known : &m_own; }
    const KernelHashes* get() const { return operator->(); }

private:
    const KernelHashes* m_known;
    KernelHashes m_own;
};

bool isBlank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Why nobody can decide anything about it yet.
void whatIsUnknown(const Candidate& candidate, const KernelHashes& hashes, std::vector<std::string>& why) {
    const Judgement* shown = candidate.judgement ? &*candidate.judgement : nullptr;
    if (!shown) return why.emplace_back("it has not been verified"), void();
    if (session::freshness(candidate, hashes.whole) == session::Freshness::stale) {
        const bool sameText = shown->textSha256 == sha256Hex(candidate.text);
        why.push_back(fmt::format("its verdict is stale: {} changed since it was verified",
                                  sameText ? "the kernel's spec or one of its files has" : "its text has"));
    } else if (shown->result.verdict == verify::Verdict::incomplete) {
        why.push_back("its verdict is incomplete: " + whyNotPassed(shown->result));
    }
}

void whatKeepsFromApproval(const Candidate& candidate, const KernelHashes& hashes, const Wish& wish,
                           std::vector<std::string>& why) {
    const auto current = currentJudgements(candidate, hashes.whole);
    for (const Judgement* judgement : current)
        if (judgement->result.verdict == verify::Verdict::fail)
            why.push_back(
                fmt::format("it fails ({}): {}", describe(evidenceOf(*judgement)), whyNotPassed(judgement->result)));
    if (wish.targets.empty()) why.emplace_back("no target is named that it would hold for");
    for (const std::string& target : wish.targets) {
        std::string reason = "it was not verified for this target";
        const bool known = std::ranges::any_of(current, [&](const Judgement* judgement) {
            if (judgement->arch != target) return false;
            reason = whyNoGpuEvidence(*judgement);
            if (reason.empty() && judgement->result.verdict == verify::Verdict::incomplete)
                reason = whyNotPassed(judgement->result);
            return reason.empty();
        });
        if (!known) why.push_back(fmt::format("no GPU has judged it for {}: {}", target, reason));
    }
    if (candidate.authors.empty())
        why.emplace_back("nobody is named as its author, so that nobody can tell whether another person reviews it");
    else if (isAmong(wish.reviewer, candidate.authors))
        why.push_back(fmt::format("{} is an author of it: another person must approve it", wish.reviewer));
}

void compare(std::string_view what, const std::string& then, const std::string& now,
             std::vector<std::string>& changes) {
    if (then != now) changes.push_back(fmt::format("{} changed", what));
}

void compareFiles(const Bound& then, const Bound& now, std::vector<std::string>& changes) {
    for (const auto& [name, sha256] : then.files) {
        const auto found = now.files.find(name);
        if (found == now.files.end())
            changes.push_back(fmt::format("the spec's file {} is gone", name));
        else if (found->second != sha256)
            changes.push_back(fmt::format("the spec's file {} has changed", name));
    }
    for (const auto& [name, sha256] : now.files)
        if (!then.files.contains(name)) changes.push_back(fmt::format("the spec's file {} is new", name));
}

/// The one nearest to `wanted` among what is there now, for a message about what is another.
const Evidence* nearest(const Evidence& wanted, const std::vector<Evidence>& now) {
    const Evidence* best = nullptr;
    int most = -1;
    for (const Evidence& each : now) {
        if (each.arch != wanted.arch) continue;
        const int same = (each.device == wanted.device ? 4 : 0) + (each.toolkit == wanted.toolkit ? 2 : 0) +
                         (each.seed == wanted.seed ? 1 : 0);
        if (same > most) most = same, best = &each;
    }
    return best;
}

void compareEvidence(const Bound& then, const Bound& now, std::vector<std::string>& changes) {
    for (const Evidence& wanted : then.evidence) {
        if (std::ranges::find(now.evidence, wanted) != now.evidence.end()) continue;
        const Evidence* other = nearest(wanted, now.evidence);
        if (!other) {
            changes.push_back(fmt::format("the judgement for {} is gone: {}", wanted.arch, describe(wanted)));
            continue;
        }
        const auto differs = [&](std::string_view what, const std::string& before, const std::string& after) {
            if (before != after)
                changes.push_back(fmt::format("the {} for {} is {} instead of {}", what, wanted.arch,
                                              after.empty() ? "none" : after, before.empty() ? "none" : before));
        };
        differs("device", wanted.device, other->device);
        differs("device's target", wanted.deviceArch, other->deviceArch);
        differs("driver", wanted.driver, other->driver);
        differs("assembler", wanted.toolkit, other->toolkit);
        differs("seed", std::to_string(wanted.seed), std::to_string(other->seed));
        differs("machine code", wanted.machineCodeSha256, other->machineCodeSha256);
        differs("judge", wanted.isGpu ? "a GPU" : "the emulator", other->isGpu ? "a GPU" : "the emulator");
    }
}

} // namespace

std::string utcNow() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string_view words(ReviewState state) {
    return state == ReviewState::changesRequested ? "changes requested" : session::name(state);
}

KernelHashes hashKernel(const Session& session) {
    KernelHashes hashes{session::kernelHash(session), sha256Hex(session::specText(session.kernel.spec)), {}};
    for (const std::string& name : kernel::namedFiles(session.kernel.spec))
        if (const auto file = session.kernel.files.find(name); file != session.kernel.files.end())
            hashes.files[name] = sha256Hex(file->second);
    return hashes;
}

Bound boundOf(const Session& session, const Candidate& candidate, const KernelHashes* known) {
    const Hashes hashes(session, known);
    Bound bound;
    bound.ptx = sha256Hex(candidate.text);
    bound.spec = hashes->spec;
    if (!session.baseline.text.empty()) bound.baseline = sha256Hex(session.baseline.text);
    bound.files = hashes->files;
    for (const Judgement* judgement : currentJudgements(candidate, hashes->whole))
        bound.evidence.push_back(evidenceOf(*judgement));
    return bound;
}

std::vector<std::string> obstacles(const Session& session, const Wish& wish, const KernelHashes* known) {
    const Hashes hashes(session, known);
    std::vector<std::string> why;
    const Candidate* candidate = session::find(session, wish.candidate);
    if (!session.hasKernel()) why.emplace_back("there is no kernel spec: nothing says what is right");
    if (!candidate || candidate->id == session::baselineId) {
        why.emplace_back(candidate ? "the baseline is nvcc's own: there is nothing to decide about it"
                                   : "there is no such candidate");
        return why;
    }
    if (session.hasKernel()) whatIsUnknown(*candidate, *hashes.get(), why);
    const bool isKnown = why.empty();
    if (isKnown && wish.state == ReviewState::approved) whatKeepsFromApproval(*candidate, *hashes.get(), wish, why);
    if (isBlank(wish.reviewer)) why.emplace_back("the reviewer's name is missing");
    if (isBlank(wish.reason)) why.emplace_back("the reason is missing");
    return why;
}

Expected<Decision> decide(const Session& session, const Wish& wish) {
    if (wish.state == ReviewState::open)
        return failure(Cause::badRequest, "a decision approves, requests changes or rejects");
    if (const auto why = obstacles(session, wish); !why.empty())
        return failure(Cause::rejected, fmt::format("this cannot be {}: {}",
                                                    wish.state == ReviewState::approved           ? "approved"
                                                    : wish.state == ReviewState::changesRequested ? "sent back"
                                                                                                  : "rejected",
                                                    fmt::join(why, "; ")));
    Decision decision;
    decision.state = wish.state;
    decision.candidate = wish.candidate;
    decision.reviewer = wish.reviewer;
    decision.reason = wish.reason;
    decision.time = wish.time.empty() ? utcNow() : wish.time;
    decision.targets = wish.targets;
    decision.bound = boundOf(session, *session::find(session, wish.candidate));
    return decision;
}

std::vector<std::string> changesSince(const Session& session, const Decision& decision, const KernelHashes* known) {
    const Candidate* candidate = session::find(session, decision.candidate);
    if (!candidate)
        return {decision.candidate.empty() ? "it was made by an earlier version and is bound to nothing"
                                           : "the candidate is gone"};
    const Hashes hashes(session, known);
    const Bound now = boundOf(session, *candidate, hashes.get());
    std::vector<std::string> changes;
    compare("the PTX has", decision.bound.ptx, now.ptx, changes);
    compare("the spec has", decision.bound.spec, now.spec, changes);
    compare("the baseline has", decision.bound.baseline, now.baseline, changes);
    compareFiles(decision.bound, now, changes);
    // Another text has no evidence at all: what has changed is said above.
    if (!changes.empty()) return changes;
    compareEvidence(decision.bound, now, changes);
    if (!changes.empty() || decision.state != ReviewState::approved) return changes;
    // Nothing that was bound is another one; but a person may have been named as the author since.
    return obstacles(session, {decision.candidate, decision.state, decision.targets, decision.reviewer, decision.reason,
                               decision.time});
}

Standing standing(const Session& session, std::string_view candidate, const KernelHashes* known) {
    const Decision* decision = session::latestDecision(session.review, candidate);
    return {decision, decision ? changesSince(session, *decision, known) : std::vector<std::string>{}};
}

std::string describe(const Standing& standing) {
    if (!standing.decision) return "not decided";
    const Decision& decision = *standing.decision;
    const std::string by =
        decision.reviewer.empty() ? decision.time : fmt::format("{}, {}", decision.reviewer, decision.time);
    if (standing.changes.empty()) return fmt::format("{} by {}", words(decision.state), by);
    return fmt::format("{} withdrawn ({}): {}",
                       decision.state == ReviewState::approved           ? "approval"
                       : decision.state == ReviewState::changesRequested ? "request for changes"
                                                                         : "rejection",
                       by, fmt::join(standing.changes, "; "));
}

} // namespace ptxwb::review
