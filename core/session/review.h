// What people said about a session's candidates: comments with their threads, decisions with what they are bound to.
// Part of session.h; core/review makes and judges these values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::session {

enum class ReviewState : std::uint8_t { open, approved, changesRequested, rejected };
std::string_view name(ReviewState state); ///< "open", "approved", "changes_requested", "rejected"
std::optional<ReviewState> reviewState(std::string_view name);

/// The lines that a comment is about and their neighbours, as they were last found: edits elsewhere move a comment
/// along with its lines. Source: review/anchor.h.
struct Anchor {
    std::vector<std::string> lines, before, after;

    bool operator==(const Anchor&) const = default;
};

struct Reply {
    std::string text, author, time;

    bool operator==(const Reply&) const = default;
};

/// A thread: the first remark and what was answered. `line` is where the anchor was found last.
struct Comment {
    std::string id, candidate;
    std::uint32_t line = 1; ///< the first of its lines, from 1
    std::string text, author, time;
    bool resolved = false;
    Anchor anchor = {};                  ///< empty: written by an earlier version; the line alone counts
    std::vector<std::string> quote = {}; ///< the lines as they were when it was written
    std::vector<Reply> replies = {};
    std::string resolvedBy = {};
    bool lost = false; ///< its lines are no more in the text: `line` is where they were

    std::uint32_t lineCount() const {
        return anchor.lines.empty() ? 1 : static_cast<std::uint32_t>(anchor.lines.size());
    }
    bool operator==(const Comment&) const = default;
};

/// One judgement that a decision rests on.
struct Evidence {
    std::string arch;                       ///< target, "sm_90"
    std::string device, deviceArch, driver; ///< empty: the emulator judged
    std::string toolkit;                    ///< version of ptxas
    std::uint64_t seed = 0;
    std::string machineCodeSha256;
    bool isGpu = false; ///< function and stress ran on a GPU whose own target this is

    bool operator==(const Evidence&) const = default;
};

/// SHA-256 of everything that a decision is about.
struct Bound {
    std::string ptx, spec, baseline;          ///< the spec without its list of candidates
    std::map<std::string, std::string> files; ///< of the spec: source, reference, headers, recorded baseline, inputs
    std::vector<Evidence> evidence;           ///< of every target and assembler that was tried

    bool operator==(const Bound&) const = default;
};

struct Decision {
    ReviewState state = ReviewState::open;
    std::string candidate;              ///< id; empty: by an earlier version, for the session as a whole
    std::string reviewer, time, reason; ///< time: ISO 8601, UTC
    std::vector<std::string> targets;   ///< that it holds for
    Bound bound;

    bool operator==(const Decision&) const = default;
};

struct Review {
    std::vector<Decision> decisions; ///< oldest first; the last one about a candidate counts
    std::vector<Comment> comments;

    bool operator==(const Review&) const = default;
};

/// The decision that counts, nullptr where there is none.
const Decision* latestDecision(const Review& review, std::string_view candidate);
/// Of the last decision about any candidate; open where there is none.
ReviewState stateOf(const Review& review);

} // namespace ptxwb::session
