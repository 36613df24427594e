#include "bundle/gate.h"

#include "bundle/ssh_wire.h"
#include "review/decision.h"
#include "review/evidence.h"
#include "review/people.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::bundle {

namespace {

using session::Decision;
using session::ReviewState;
using session::Session;

void checkSignature(const Inspection& bundle, const Decision& decision, const GateRequest& request,
                    GateAnswer& answer) {
    const std::string path(signatureFile);
    if (!bundle.signature) {
        // A wrong one is among the bundle's problems.
        if (std::ranges::none_of(answer.reasons, [&](const Problem& p) { return p.path == path; }))
            answer.reasons.push_back({path, "nobody has signed the bundle"});
        return;
    }
    const std::string owner = ownerOf(request.signers, bundle.signature->key);
    answer.signer = fmt::format("{}{}{}", owner, owner.empty() ? "" : " ", fingerprint(bundle.signature->key));
    const std::string principal = review::principalOf(decision.reviewer);
    const auto allowed = allows(request.signers, principal, bundle.signature->key, signatureNamespace, request.now);
    if (!allowed) answer.reasons.push_back({path, allowed.error().message});
}

void checkPeople(const Session& part, const Decision& decision, const GateRequest& request, GateAnswer& answer) {
    const std::string path(approvalFile);
    const auto& authors = candidateOf(part).authors;
    if (authors.empty() && request.authors.empty())
        answer.reasons.push_back({path, "no author of the candidate is named, here or with --author"});
    if (review::isAmong(decision.reviewer, authors) || review::isAmong(decision.reviewer, request.authors))
        answer.reasons.push_back(
            {path, fmt::format("{} is an author of the candidate and cannot approve it", decision.reviewer)});
}

void checkScope(const Session& part, const Decision& decision, const GateRequest& request, GateAnswer& answer) {
    for (const std::string& target : request.targets)
        if (std::ranges::find(decision.targets, target) == decision.targets.end())
            answer.reasons.push_back(
                {std::string(approvalFile),
                 fmt::format("it is not approved for {}, but for {}", target, fmt::join(decision.targets, ", "))});
    const auto judgements = judgementsOf(part);
    answer.assemblers = review::assemblersTried(judgements);
    for (const std::string& assembler : request.assemblers)
        if (std::ranges::find(answer.assemblers, assembler) == answer.assemblers.end())
            answer.reasons.push_back(
                {std::string(toolchainFile),
                 fmt::format("ptxas {} was not tried, but {}", assembler,
                             answer.assemblers.empty() ? std::string("none")
                                                       : fmt::format("{}", fmt::join(answer.assemblers, ", ")))});
}

} // namespace

GateAnswer judge(const Inspection& bundle, const GateRequest& request) {
    GateAnswer answer;
    answer.kernel = bundle.manifest.kernel;
    answer.candidate = bundle.manifest.candidate;
    answer.bundleSha256 = bundle.manifestSha256;
    answer.reasons = bundle.problems;
    if (!bundle.part) {
        answer.state = "not readable";
        if (answer.reasons.empty()) answer.reasons.push_back({"content", "the bundle cannot be read"});
        return answer;
    }
    const Session& part = *bundle.part;
    const review::Standing standing = review::standing(part, candidateOf(part).id);
    answer.state = review::describe(standing);
    for (const ShippedFile& file : request.files) {
        const std::string sha256 = sha256Hex(file.content);
        if (std::ranges::none_of(bundle.manifest.files, [&](const ListedFile& listed) {
                return listed.sha256 == sha256 &&
                       (listed.path == candidateFile || listed.path.starts_with(cubinFolder));
            }))
            answer.reasons.push_back(
                {file.name, "is not the PTX or machine code of this bundle: it was changed since"});
    }
    if (!standing.decision) {
        answer.reasons.push_back({std::string(approvalFile), "nobody has decided about it"});
        return answer;
    }
    const Decision& decision = *standing.decision;
    answer.targets = decision.targets;
    if (decision.state != ReviewState::approved)
        answer.reasons.push_back({std::string(approvalFile), fmt::format("{}: {}", answer.state, decision.reason)});
    else if (!standing.changes.empty() && bundle.problems.empty())
        answer.reasons.push_back({std::string(approvalFile), answer.state});
    checkSignature(bundle, decision, request, answer);
    checkPeople(part, decision, request, answer);
    checkScope(part, decision, request, answer);
    return answer;
}

} // namespace ptxwb::bundle
