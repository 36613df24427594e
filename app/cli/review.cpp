// `ptxwb review`: what a session's review says, a decision from the command line, and the gate that a build waits at.
#include "review_commands.h"

#include "bundle/gate.h"
#include "report/review_parts.h"
#include "report/text.h"
#include "review/checklist.h"
#include "review/comments.h"
#include "review/decision.h"
#include "session/save.h"
#include "session_argument.h"
#include "support/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;
using session::ReviewState;

struct ReviewOptions {
    std::string subject, require, signers, format = "text", candidate, decide, reviewer, reason;
    std::vector<std::string> authors, targets, assemblers, files;
};

Expected<int> gate(const ReviewOptions& options, const Invocation& invocation) {
    if (options.require != "approved")
        return std::unexpected(unknownWord("--require takes approved, not", options.require, {"approved"}));
    if (options.signers.empty())
        return failure(Cause::badRequest, "--allowed-signers is missing: nobody's signature would count",
                       "a file as in ssh-keygen(1): ada@example.org ssh-ed25519 AAAA...");
    bundle::GateRequest request;
    auto signers = readSigners(options.signers);
    if (!signers) return std::unexpected(std::move(signers.error()));
    request.signers = std::move(*signers);
    request.authors = options.authors;
    request.targets = options.targets;
    request.assemblers = options.assemblers;
    request.now = std::time(nullptr);
    for (const std::string& file : options.files) {
        auto content = readFile(file);
        if (!content) return std::unexpected(std::move(content.error()));
        request.files.push_back({file, std::move(*content)});
    }
    bundle::GateAnswer answer;
    const auto entries = bundle::readBundle(options.subject);
    if (!entries && entries.error().cause != Cause::rejected) return std::unexpected(entries.error());
    const auto inspection = entries ? bundle::inspect(*entries, options.subject)
                                    : Expected<bundle::Inspection>(std::unexpected(entries.error()));
    if (inspection) {
        answer = bundle::judge(*inspection, request);
    } else { // an archive that somebody has broken is refused as any other is
        answer.state = "not readable";
        answer.reasons.push_back({options.subject, inspection.error().message});
    }
    if (invocation.json)
        printJson(toJson(answer));
    else if (options.format == "sarif")
        printJson(toSarif(answer, options.subject, PTXWB_VERSION));
    else
        fmt::print("{}", options.format == "markdown" ? toMarkdown(answer) : toText(answer));
    return answer.isApproved() ? passed : failed;
}

Expected<ReviewState> stateOf(const std::string& word) {
    if (word == "approve") return ReviewState::approved;
    if (word == "request-changes") return ReviewState::changesRequested;
    if (word == "reject") return ReviewState::rejected;
    return std::unexpected(unknownWord("--decide takes approve, request-changes or reject, not", word,
                                       {"approve", "request-changes", "reject"}));
}

Expected<void> decide(const ReviewOptions& options, session::Session& session) {
    const auto state = stateOf(options.decide);
    if (!state) return std::unexpected(state.error());
    const auto candidate = candidateOfSession(session, options.candidate);
    if (!candidate) return std::unexpected(candidate.error());
    if (session::Candidate* named = session::find(session, (*candidate)->id))
        for (const std::string& author : options.authors)
            if (std::ranges::find(named->authors, author) == named->authors.end()) named->authors.push_back(author);
    review::Wish wish{(*candidate)->id, *state, options.targets, options.reviewer, options.reason, {}};
    if (wish.targets.empty()) wish.targets = session.targets;
    auto decision = review::decide(session, wish);
    if (!decision) return std::unexpected(std::move(decision.error()));
    session.review.decisions.push_back(std::move(*decision));
    return session::save(session, session.file);
}

void printCandidate(const session::Session& session, const session::Candidate& candidate) {
    const review::Standing standing = review::standing(session, candidate.id);
    fmt::print("{}: {}\n", report::visible(candidate.name), report::visible(review::describe(standing)));
    const auto items =
        review::checklist(session, candidate, standing.decision ? standing.decision->targets : session.targets);
    const auto count = [&](review::ItemState state) { return std::ranges::count(items, state, &review::Item::state); };
    fmt::print("  checklist: {} met, {} failed, {} open\n", count(review::ItemState::met),
               count(review::ItemState::failed), count(review::ItemState::open));
    for (const review::Item& item : items)
        if (item.state == review::ItemState::failed || (item.group == "review" && item.state != review::ItemState::met))
            fmt::print("  {:<6} {}: {}\n", review::name(item.state), item.title, report::visible(item.detail));
    for (const session::Comment* comment : review::openComments(session.review, candidate.id))
        fmt::print("  {}: {} ({}, {} answers)\n", review::place(*comment), report::visible(comment->text),
                   report::visible(comment->author), comment->replies.size());
}

Expected<int> reviewCommand(const ReviewOptions& options, const Invocation& invocation) {
    const std::vector<std::string> formats{"text", "markdown", "sarif"};
    if (std::ranges::find(formats, options.format) == formats.end())
        return std::unexpected(unknownWord("--format takes text, markdown or sarif, not", options.format, formats));
    if (!options.require.empty()) return gate(options, invocation);
    if (isBundle(options.subject))
        return failure(Cause::badRequest, fmt::format("{} is a bundle: its review is closed", options.subject),
                       "`ptxwb verify-bundle` shows it; --require approved decides about it");
    auto session = loadSessionArgument(options.subject);
    if (!session) return std::unexpected(std::move(session.error()));
    if (!options.decide.empty())
        if (auto done = decide(options, *session); !done) return std::unexpected(std::move(done.error()));
    const report::Report made = report::makeReport(*session, PTXWB_VERSION);
    if (invocation.json) {
        json review = report::reviewToJson(made);
        review["schema"] = 1;
        review["kernel"] = made.kernel;
        printJson(review);
    } else if (options.format == "markdown") {
        fmt::print("{}", report::reviewMarkdown(made));
    } else {
        for (const session::Candidate& candidate : session->candidates) printCandidate(*session, candidate);
    }
    return passed;
}

} // namespace

void addReview(Invocation& invocation) {
    const auto options = std::make_shared<ReviewOptions>();
    CLI::App* command = addCommand(
        invocation, "review", "show a session's review, decide about a candidate, or let only what is approved pass",
        "ptxwb review vectorized.ptxbundle --require approved --allowed-signers .github/allowed_signers --target sm_90",
        [options, &invocation] { return reviewCommand(*options, invocation); });
    command->add_option("SUBJECT", options->subject, "a NAME.ptxwb; with --require a NAME.ptxbundle")->required();
    command->add_option("--require", options->require,
                        "approved: exit status 1 unless the bundle is, with the reasons");
    command->add_option("--allowed-signers", options->signers, "whose keys count, as in ssh-keygen(1)");
    command->add_option("--author", options->authors, "somebody who wrote the candidate and cannot approve it");
    command->add_option("--target", options->targets,
                        "that it must be approved for, or (--decide) is; may be repeated");
    command->add_option("--assembler", options->assemblers, "a version of ptxas that must have been tried");
    command->add_option("--file", options->files, "a PTX or cubin that ships: it must be the bundle's, byte by byte");
    command->add_option("--format", options->format, "text, markdown or sarif");
    command->add_option("--decide", options->decide, "approve, request-changes or reject");
    command->add_option("--candidate", options->candidate, "its name or id");
    command->add_option("--reviewer", options->reviewer, "you: \"Ada Lovelace <ada@example.org>\"");
    command->add_option("--reason", options->reason, "why");
}

} // namespace ptxwb::cli
