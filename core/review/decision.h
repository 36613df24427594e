// Approve, request changes, reject: whether a person may decide, what the decision is bound to, and whether it still
// holds. Called by `ptxwb review`, the window's Review panel, reports, and the gate of core/bundle.
//
// A decision is about bytes: the PTX, the spec with every file it names, the baseline, and the judgements with their
// seeds, assemblers and devices. Whether it holds is worked out anew each time from what is there, so that no way of
// changing something can go unnoticed.
#pragma once

#include "session/session.h"

namespace ptxwb::review {

/// What a person wants to decide.
struct Wish {
    std::string candidate; ///< id
    session::ReviewState state = session::ReviewState::approved;
    std::vector<std::string> targets; ///< for which an approval holds
    std::string reviewer, reason;
    std::string time; ///< ISO 8601, UTC; empty: now
};

/// SHA-256 over what the spec names, which may be hundreds of megabytes: worked out once while the kernel stays.
struct KernelHashes {
    std::string whole, spec; ///< whole: `session::kernelHash`
    std::map<std::string, std::string> files;
};
KernelHashes hashKernel(const session::Session& session);

// `known`: of this session's kernel; nullptr: worked out anew.

/// Why it cannot be decided so, each a sentence; empty: it can be.
/// - Any decision: there must be a kernel, and a verdict about this very text and kernel that is complete.
/// - An approval: the verdict is pass under every assembler that was tried, a GPU judged for every target named, and
///   the reviewer is none of the candidate's authors, at least one of whom is known.
std::vector<std::string> obstacles(const session::Session& session, const Wish& wish,
                                   const KernelHashes* known = nullptr);

/// The decision, bound to what is there now; the caller adds it to the session's review. Errors: the obstacles.
Expected<session::Decision> decide(const session::Session& session, const Wish& wish);

/// What has changed since: "saxpy.cu has changed", "the seed for sm_90 is 9 instead of 7". Empty: it holds.
std::vector<std::string> changesSince(const session::Session& session, const session::Decision& decision,
                                      const KernelHashes* known = nullptr);

struct Standing {
    const session::Decision* decision = nullptr; ///< the one that counts; nullptr: nobody has decided
    std::vector<std::string> changes;            ///< why it does not hold any more
    bool isApproved() const { return decision && decision->state == session::ReviewState::approved && changes.empty(); }
};
Standing standing(const session::Session& session, std::string_view candidate, const KernelHashes* known = nullptr);

/// "approved by Ada, 2026-01-02", "approval withdrawn: the PTX has changed", "not decided".
std::string describe(const Standing& standing);

/// What a decision about this candidate would be bound to.
session::Bound boundOf(const session::Session& session, const session::Candidate& candidate,
                       const KernelHashes* known = nullptr);

/// For a person: "approved", "changes requested", "rejected", "open".
std::string_view words(session::ReviewState state);

/// "2026-01-02T03:04:05Z"
std::string utcNow();

} // namespace ptxwb::review
