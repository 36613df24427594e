#include "review/checklist.h"

#include "review/comments.h"
#include "review/evidence.h"
#include "verify/checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::review {

namespace {

using session::Judgement;

Item funnelItem(const verify::Check& check, const std::vector<const Judgement*>& judgements) {
    Item item;
    item.group = std::string(check.stages.substr(0, check.stages.find(' ')));
    item.check = std::string(check.name);
    item.title = std::string(check.what);
    for (const Judgement* judgement : judgements) {
        // A result of an earlier version does not list its checks; what its stages tell is told.
        const bool isListed = !judgement->result.checks.empty();
        const auto checks = isListed ? judgement->result.checks : verify::foldChecks(judgement->result);
        const auto found = std::ranges::find(checks, check.name, &verify::CheckOutcome::check);
        if (found == checks.end()) continue;
        if (found->status == verify::CheckStatus::failed) {
            item.state = ItemState::failed;
            item.detail = fmt::format("{} ({})", found->reason, describe(evidenceOf(*judgement)));
            return item;
        }
        if (found->status == verify::CheckStatus::passed) {
            item.state = ItemState::met;
            item.detail = found->reason;
        } else if (item.state == ItemState::open && item.detail.empty()) {
            item.detail = found->reason;
        }
    }
    if (item.state == ItemState::open && item.detail.empty())
        item.detail = judgements.empty() ? "it has not been verified as it is" : "the result does not tell";
    return item;
}

Item targetItem(const std::string& target, const std::vector<const Judgement*>& judgements) {
    Item item{"review", "gpu_evidence", fmt::format("a GPU has judged it for {}", target), ItemState::open,
              "it was not verified for this target"};
    for (const Judgement* judgement : judgements) {
        if (judgement->arch != target) continue;
        const std::string why = whyNoGpuEvidence(*judgement);
        if (why.empty()) {
            item.state = ItemState::met;
            item.detail = describe(evidenceOf(*judgement));
            return item;
        }
        item.detail = why;
    }
    return item;
}

Item timingItem(const std::vector<const Judgement*>& judgements) {
    Item item{"review", "faster", "it is faster than the baseline", ItemState::open, "time was not measured"};
    for (const Judgement* judgement : judgements) {
        const auto& speedup = judgement->result.speedup;
        if (!speedup) continue;
        item.state = speedup->call == "faster" ? ItemState::met : ItemState::failed;
        item.detail = fmt::format("{}: {:.3f} times {} (95 %: {:.3f} to {:.3f}) on {}", speedup->call, speedup->ratio,
                                  speedup->against, speedup->low, speedup->high, judgement->result.device);
        if (item.state == ItemState::failed) break;
    }
    return item;
}

} // namespace

std::string_view name(ItemState state) {
    switch (state) {
    case ItemState::met: return "met";
    case ItemState::failed: return "failed";
    case ItemState::open: break;
    }
    return "open";
}

std::vector<Item> checklist(const session::Session& session, const session::Candidate& candidate,
                            std::span<const std::string> targets, std::string_view kernelSha256) {
    const std::string own = kernelSha256.empty() ? session::kernelHash(session) : std::string(kernelSha256);
    const auto judgements = currentJudgements(candidate, own);
    std::vector<Item> items;
    for (const verify::Check& check : verify::checks()) items.push_back(funnelItem(check, judgements));
    for (const std::string& target : targets) items.push_back(targetItem(target, judgements));
    const auto assemblers = assemblersTried(judgements);
    items.push_back({"review", "assemblers", "the assemblers that were tried are known",
                     assemblers.empty() ? ItemState::open : ItemState::met,
                     assemblers.empty() ? "none was tried" : fmt::format("ptxas {}", fmt::join(assemblers, ", "))});
    items.push_back(timingItem(judgements));
    items.push_back(
        {"review", "authors", "its authors are known", candidate.authors.empty() ? ItemState::open : ItemState::met,
         candidate.authors.empty() ? "nobody is named" : fmt::format("{}", fmt::join(candidate.authors, ", "))});
    const auto open = openComments(session.review, candidate.id);
    items.push_back(
        {"review", "comments", "every comment is resolved", open.empty() ? ItemState::met : ItemState::open,
         open.empty() ? std::string{} : fmt::format("{} open, the first on {}", open.size(), place(*open.front()))});
    return items;
}

} // namespace ptxwb::review
