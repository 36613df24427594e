#include "session/review_json.h"

#include "support/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::session {

using nlohmann::ordered_json;

namespace {

ordered_json orNull(const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

/// What is not known is left out, so that a session written by hand stays short.
void addKnown(ordered_json& object, const char* key, const std::string& text) {
    if (!text.empty()) object[key] = text;
}
void addKnown(ordered_json& object, const char* key, const std::vector<std::string>& texts) {
    if (!texts.empty()) object[key] = texts;
}

Expected<std::string> readOneText(const JsonReader& reader) {
    return reader.text();
}

/// The first key that nobody knows is an error of the whole object.
void only(JsonFields& fields, std::initializer_list<std::string_view> known) {
    if (auto done = fields.reader().onlyKeys(known); !done) fields.note(std::move(done.error()));
}

void readState(JsonFields& fields, ReviewState& state) {
    std::string word;
    fields.take(fields.reader().text("state"), word);
    if (const auto known = reviewState(word))
        state = *known;
    else
        fields.note(
            fields.reader()
                .fail(fmt::format("unknown state \"{}\"", word), "open, approved, changes_requested or rejected")
                .error());
}

Expected<Reply> readReply(const JsonReader& reader) {
    Reply reply;
    JsonFields fields(reader);
    only(fields, {"text", "author", "time"});
    fields.take(reader.text("text"), reply.text);
    fields.read("author", reply.author);
    fields.read("time", reply.time);
    return fields.result(std::move(reply));
}

ordered_json toJson(const Evidence& evidence) {
    ordered_json value{{"arch", evidence.arch}, {"gpu", evidence.isGpu}};
    addKnown(value, "device", evidence.device);
    addKnown(value, "device_arch", evidence.deviceArch);
    addKnown(value, "driver", evidence.driver);
    value["toolkit"] = orNull(evidence.toolkit);
    value["seed"] = evidence.seed;
    value["machine_code_sha256"] = orNull(evidence.machineCodeSha256);
    return value;
}

Expected<Evidence> readEvidence(const JsonReader& reader) {
    Evidence evidence;
    JsonFields fields(reader);
    only(fields, {"arch", "gpu", "device", "device_arch", "driver", "toolkit", "seed", "machine_code_sha256"});
    fields.take(reader.text("arch"), evidence.arch);
    fields.take(reader.booleanOr("gpu", false), evidence.isGpu);
    fields.read("device", evidence.device);
    fields.read("device_arch", evidence.deviceArch);
    fields.read("driver", evidence.driver);
    fields.read("toolkit", evidence.toolkit);
    fields.read("seed", evidence.seed);
    fields.read("machine_code_sha256", evidence.machineCodeSha256);
    return fields.result(std::move(evidence));
}

Expected<Bound> readBound(const JsonReader& reader) {
    Bound bound;
    JsonFields fields(reader);
    only(fields, {"ptx_sha256", "spec_sha256", "baseline_sha256", "files", "evidence"});
    fields.read("ptx_sha256", bound.ptx);
    fields.read("spec_sha256", bound.spec);
    fields.read("baseline_sha256", bound.baseline);
    if (const auto files = reader.find("files")) {
        std::vector<std::pair<std::string, JsonReader>> members;
        fields.take(files->members(), members);
        for (const auto& [name, value] : members) fields.take(value.text(), bound.files[name]);
    }
    fields.readList("evidence", bound.evidence, readEvidence);
    return fields.result(std::move(bound));
}

/// What a session of an earlier version says about itself as a whole.
void readOldDecision(const JsonReader& reader, JsonFields& fields, Review& review) {
    Decision decision;
    readState(fields, decision.state);
    fields.read("reviewer", decision.reviewer);
    fields.read("time", decision.time);
    fields.read("summary", decision.reason);
    if (decision.state != ReviewState::open && !reader.has("decisions"))
        review.decisions.push_back(std::move(decision));
}

} // namespace

ordered_json toJson(const Origin& origin) {
    ordered_json value{{"kind", name(origin.kind)}};
    addKnown(value, "provider", origin.provider);
    addKnown(value, "model", origin.model);
    addKnown(value, "prompt_sha256", origin.promptSha256);
    addKnown(value, "time", origin.time);
    return value;
}

Expected<Origin> originFromJson(const JsonReader& reader) {
    Origin origin;
    JsonFields fields(reader);
    only(fields, {"kind", "provider", "model", "prompt_sha256", "time"});
    std::string kind;
    fields.take(reader.text("kind"), kind);
    if (const auto known = originKind(kind))
        origin.kind = *known;
    else
        fields.note(reader.fail(fmt::format("unknown origin \"{}\"", kind), "nvcc, hand, model or import").error());
    fields.read("provider", origin.provider);
    fields.read("model", origin.model);
    fields.read("prompt_sha256", origin.promptSha256);
    fields.read("time", origin.time);
    return fields.result(std::move(origin));
}

ordered_json toJson(const std::optional<Judgement>& judgement) {
    ordered_json object{
        {"results", judgement ? ordered_json(verify::toJson(judgement->result)) : ordered_json(nullptr)}};
    if (!judgement) return object;
    // The hash of what was judged stands in the results themselves.
    object["results"]["sha256"] = judgement->textSha256;
    object["judged"] = {{"kernel_sha256", orNull(judgement->kernelSha256)},
                        {"arch", orNull(judgement->arch)},
                        {"toolkit", orNull(judgement->toolkit)},
                        {"seed", judgement->seed}};
    if (judgement->hasOlderFigures()) object["judged"]["figures_sha256"] = judgement->figuresSha256;
    return object;
}

Expected<std::optional<Judgement>> judgementFromJson(const JsonReader& reader) {
    const auto results = reader.find("results");
    if (!results) return std::nullopt;
    auto result = verify::candidateResultFromJson(results->value());
    if (!result) return results->fail(result.error().message, result.error().hint);
    Judgement judgement;
    judgement.result = std::move(*result);
    judgement.textSha256 = judgement.result.sha256;
    const auto judged = reader.find("judged");
    if (!judged) return judgement;
    JsonFields fields(*judged);
    only(fields, {"kernel_sha256", "arch", "toolkit", "seed", "figures_sha256"});
    fields.read("kernel_sha256", judgement.kernelSha256);
    fields.read("arch", judgement.arch);
    fields.read("toolkit", judgement.toolkit);
    fields.read("seed", judgement.seed);
    fields.read("figures_sha256", judgement.figuresSha256);
    auto complete = fields.result(std::move(judgement));
    if (!complete) return std::unexpected(std::move(complete.error()));
    return std::optional(std::move(*complete));
}

ordered_json toJson(const Comment& comment) {
    ordered_json one = ordered_json::object();
    addKnown(one, "id", comment.id);
    one["candidate"] = comment.candidate;
    one["line"] = comment.line;
    one["text"] = comment.text;
    addKnown(one, "author", comment.author);
    addKnown(one, "time", comment.time);
    if (comment.resolved) one["resolved"] = true;
    addKnown(one, "resolved_by", comment.resolvedBy);
    if (comment.lost) one["lost"] = true;
    if (comment.anchor != Anchor{})
        one["anchor"] = {
            {"lines", comment.anchor.lines}, {"before", comment.anchor.before}, {"after", comment.anchor.after}};
    addKnown(one, "quote", comment.quote);
    for (const Reply& reply : comment.replies) {
        ordered_json answer{{"text", reply.text}};
        addKnown(answer, "author", reply.author);
        addKnown(answer, "time", reply.time);
        one["replies"].push_back(std::move(answer));
    }
    return one;
}

Expected<Comment> commentFromJson(const JsonReader& reader) {
    Comment comment;
    JsonFields fields(reader);
    only(fields, {"id", "candidate", "line", "text", "author", "time", "resolved", "resolved_by", "lost", "anchor",
                  "quote", "replies"});
    fields.read("id", comment.id);
    fields.take(reader.text("candidate"), comment.candidate);
    fields.read("line", comment.line);
    fields.take(reader.text("text"), comment.text);
    fields.read("author", comment.author);
    fields.read("time", comment.time);
    fields.take(reader.booleanOr("resolved", false), comment.resolved);
    fields.read("resolved_by", comment.resolvedBy);
    fields.take(reader.booleanOr("lost", false), comment.lost);
    if (const auto anchor = reader.find("anchor")) {
        JsonFields inner(*anchor);
        only(inner, {"lines", "before", "after"});
        inner.readList("lines", comment.anchor.lines, readOneText);
        inner.readList("before", comment.anchor.before, readOneText);
        inner.readList("after", comment.anchor.after, readOneText);
        fields.take(inner.result(comment.anchor), comment.anchor);
    }
    fields.readList("quote", comment.quote, readOneText);
    fields.readList("replies", comment.replies, readReply);
    if (comment.line == 0) fields.note(reader.fail("`line` counts from 1").error());
    return fields.result(std::move(comment));
}

ordered_json toJson(const Decision& decision) {
    ordered_json value{{"state", name(decision.state)}, {"candidate", orNull(decision.candidate)}};
    addKnown(value, "reviewer", decision.reviewer);
    addKnown(value, "time", decision.time);
    addKnown(value, "reason", decision.reason);
    value["targets"] = decision.targets;
    const Bound& bound = decision.bound;
    ordered_json evidence = ordered_json::array();
    for (const Evidence& each : bound.evidence) evidence.push_back(toJson(each));
    value["bound"] = {{"ptx_sha256", orNull(bound.ptx)},
                      {"spec_sha256", orNull(bound.spec)},
                      {"baseline_sha256", orNull(bound.baseline)},
                      {"files", bound.files},
                      {"evidence", std::move(evidence)}};
    return value;
}

Expected<Decision> decisionFromJson(const JsonReader& reader) {
    Decision decision;
    JsonFields fields(reader);
    only(fields, {"state", "candidate", "reviewer", "time", "reason", "targets", "bound"});
    readState(fields, decision.state);
    fields.read("candidate", decision.candidate);
    fields.read("reviewer", decision.reviewer);
    fields.read("time", decision.time);
    fields.read("reason", decision.reason);
    fields.readList("targets", decision.targets, readOneText);
    if (const auto bound = reader.find("bound")) fields.take(readBound(*bound), decision.bound);
    return fields.result(std::move(decision));
}

ordered_json toJson(const Review& review) {
    // The four at the top are what earlier versions read: those of the last decision.
    ordered_json value{{"state", name(stateOf(review))}};
    if (!review.decisions.empty()) {
        const Decision& last = review.decisions.back();
        addKnown(value, "reviewer", last.reviewer);
        addKnown(value, "time", last.time);
        addKnown(value, "summary", last.reason);
        for (const Decision& decision : review.decisions) value["decisions"].push_back(toJson(decision));
    }
    value["comments"] = ordered_json::array();
    for (const Comment& comment : review.comments) value["comments"].push_back(toJson(comment));
    return value;
}

Expected<Review> reviewFromJson(const JsonReader& reader) {
    Review review;
    JsonFields fields(reader);
    only(fields, {"state", "reviewer", "time", "summary", "decisions", "comments"});
    readOldDecision(reader, fields, review);
    fields.readList("decisions", review.decisions, decisionFromJson);
    if (!reader.has("comments")) fields.note(reader.at("comments").error());
    fields.readList("comments", review.comments, commentFromJson);
    return fields.result(std::move(review));
}

} // namespace ptxwb::session
