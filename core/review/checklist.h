// What a reviewer goes through: every check of the funnel with what became of it, and what the review itself asks for.
// Shown by the window's Review panel, by `ptxwb review` and in reports; kept in a bundle's approval record.
#pragma once

#include "session/session.h"

#include <span>

namespace ptxwb::review {

enum class ItemState : std::uint8_t {
    met,
    failed,
    open, ///< nobody has looked: `detail` says why
};
std::string_view name(ItemState state); ///< "met", "failed", "open"

struct Item {
    std::string group; ///< "parse", ..., "benchmark", "review"
    std::string check; ///< name of the funnel's check, or one of the review's own
    std::string title; ///< a sentence that is true where the item is met
    ItemState state = ItemState::open;
    std::string detail;
};

/// In the order of the funnel, the review's own at the end. Over several judgements a check is met where one met it and
/// none failed it. `kernelSha256`: of `session::kernelHash`; empty: worked out anew.
std::vector<Item> checklist(const session::Session& session, const session::Candidate& candidate,
                            std::span<const std::string> targets, std::string_view kernelSha256 = {});

} // namespace ptxwb::review
