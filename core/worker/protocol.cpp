#include "worker/protocol.h"

#include "support/finding_json.h"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::worker {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 8> jobNames = {"verify", "compile", "assemble", "sass",
                                                      "run",    "profile", "bench", "replay"};
constexpr std::size_t quotedBytes = 120;

std::string dump(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::unexpected<Diagnostic> malformed(std::string what, std::string_view line) {
    return failure(Cause::internal, fmt::format("{}: {}", what, excerpt(line)));
}

std::optional<std::uint64_t> idIn(const json& value) {
    const auto id = value.find("id");
    if (id == value.end() || !id->is_number_unsigned()) return std::nullopt;
    return id->get<std::uint64_t>();
}

std::string textIn(const json& value, const char* key) {
    const auto text = value.find(key);
    return text != value.end() && text->is_string() ? text->get<std::string>() : std::string{};
}

std::uint32_t countIn(const json& value, const char* key) {
    const auto count = value.find(key);
    return count != value.end() && count->is_number_unsigned() ? count->get<std::uint32_t>() : 0;
}

Progress progressFrom(const json& value) {
    return {countIn(value, "done"), countIn(value, "of"), textIn(value, "what")};
}

Expected<FromWorker> answerFrom(const json& value, std::string_view line) {
    FromWorker answer;
    if (const auto hello = value.find("hello"); hello != value.end()) {
        answer.body = std::make_shared<const json>(*hello);
        return answer;
    }
    const auto id = idIn(value);
    if (!id) return malformed("an answer without an `id`", line);
    answer.id = *id;
    if (const auto stage = value.find("stage"); stage != value.end()) {
        auto result = verify::stageResultFromJson(*stage);
        if (!result) return malformed("a `stage` that cannot be read (" + result.error().message + ")", line);
        answer.kind = AnswerKind::stage;
        answer.stage = std::move(*result);
    } else if (const auto progress = value.find("progress"); progress != value.end() && progress->is_object()) {
        answer.kind = AnswerKind::progress;
        answer.progress = progressFrom(*progress);
    } else if (const auto done = value.find("done"); done != value.end()) {
        answer.kind = AnswerKind::done;
        const auto cancelled = value.find("cancelled");
        answer.cancelled = cancelled != value.end() && *cancelled == true;
        answer.body = std::make_shared<const json>(*done);
    } else if (const auto error = value.find("error"); error != value.end()) {
        auto diagnostic = diagnosticFromJson(*error);
        if (!diagnostic) return malformed("an `error` that cannot be read (" + diagnostic.error().message + ")", line);
        answer.kind = AnswerKind::error;
        answer.error = std::move(*diagnostic);
    } else {
        return malformed("an answer that is none of hello, stage, progress, done, error", line);
    }
    const auto ending = value.find("ending");
    answer.ending = ending != value.end() && *ending == true;
    return answer;
}

} // namespace

std::string_view name(Job job) {
    return jobNames[static_cast<std::size_t>(job)];
}

std::optional<Job> job(std::string_view name) {
    for (std::size_t i = 0; i < jobNames.size(); ++i)
        if (jobNames[i] == name) return static_cast<Job>(i);
    return std::nullopt;
}

std::string excerpt(std::string_view line) {
    std::string text = "\"";
    for (const char c : line.substr(0, quotedBytes)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte > 0x7e)
            text += fmt::format("\\x{:02x}", byte);
        else if (c == '"' || c == '\\')
            (text += '\\') += c;
        else
            text += c;
    }
    text += '"';
    if (line.size() > quotedBytes) text += fmt::format(" and {} bytes more", line.size() - quotedBytes);
    return text;
}

std::string requestLine(std::uint64_t id, Job job, const json& body) {
    return dump(json{{"id", id}, {std::string(name(job)), body}});
}

std::string cancelLine(std::uint64_t id) {
    return dump(json{{"id", id}, {"cancel", true}});
}

std::string helloLine(const json& hello) {
    return dump(json{{"hello", hello}});
}

std::string stageLine(std::uint64_t id, const verify::StageResult& result) {
    return dump(json{{"id", id}, {"stage", verify::toJson(result)}});
}

std::string progressLine(std::uint64_t id, const Progress& progress) {
    return dump(
        json{{"id", id}, {"progress", {{"done", progress.done}, {"of", progress.of}, {"what", progress.what}}}});
}

std::string doneLine(std::uint64_t id, const json& result, Afterwards afterwards) {
    json line{{"id", id}, {"done", result}};
    if (afterwards == Afterwards::ends) line["ending"] = true;
    return dump(line);
}

std::string cancelledLine(std::uint64_t id) {
    return dump(json{{"id", id}, {"done", json::object()}, {"cancelled", true}});
}

std::string errorLine(std::uint64_t id, const Diagnostic& diagnostic, Afterwards afterwards) {
    json line{{"id", id}, {"error", toJson(diagnostic)}};
    if (afterwards == Afterwards::ends) line["ending"] = true;
    return dump(line);
}

Expected<ToWorker> parseToWorker(std::string_view line, std::uint64_t& idOf) {
    const json value = json::parse(line, nullptr, false);
    if (!value.is_object()) return malformed("a request is one JSON object a line, this is none", line);
    const auto id = idIn(value);
    if (!id) return malformed("a request without an `id` (a number from 0)", line);
    idOf = *id;
    ToWorker request{*id, std::nullopt, nullptr};
    if (const auto cancel = value.find("cancel"); cancel != value.end() && *cancel == true) return request;
    for (const auto& [key, body] : value.items()) {
        request.job = job(key);
        if (!request.job) continue;
        request.body = std::make_shared<const json>(body);
        return request;
    }
    return malformed("a request that is none of verify, compile, assemble, sass, run, profile, bench, cancel", line);
}

Expected<FromWorker> parseFromWorker(std::string_view line) {
    const json value = json::parse(line, nullptr, false);
    if (!value.is_object()) return malformed("not a line of the protocol", line);
    return answerFrom(value, line);
}

} // namespace ptxwb::worker
