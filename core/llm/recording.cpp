#include "llm/recording.h"

#include "support/json.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

/// Long texts are kept as lines, so that a difference between two recordings can be read.
json linesOf(std::string_view text) {
    json lines = json::array();
    for (;;) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + 1);
    }
}

Expected<std::string> longText(const JsonReader& reader, std::string_view key) {
    const auto value = reader.find(key);
    if (!value) return std::string{};
    if (value->isText()) return value->text();
    const auto lines = value->texts();
    if (!lines) return std::unexpected(lines.error());
    std::string text;
    for (std::size_t i = 0; i < lines->size(); ++i) text += (i == 0 ? "" : "\n") + (*lines)[i];
    return text;
}

Expected<std::uint32_t> positive(const JsonReader& reader, std::string_view key) {
    const auto value = reader.integer(key);
    if (!value) return std::unexpected(value.error());
    if (*value < 1 || *value > 1'000'000) return reader.at(key)->fail("expected a number from 1 on");
    return static_cast<std::uint32_t>(*value);
}

Expected<std::uint64_t> count(const JsonReader& reader, std::string_view key) {
    const auto value = reader.integerOr(key, 0);
    if (!value) return std::unexpected(value.error());
    if (*value < 0) return reader.at(key)->fail("expected a number from 0 on");
    return static_cast<std::uint64_t>(*value);
}

Expected<ChatReply> replyOf(const JsonReader& reader) {
    if (auto known = reader.onlyKeys({"text", "reasoning", "model", "finish", "input_tokens", "output_tokens"}); !known)
        return std::unexpected(std::move(known.error()));
    ChatReply reply;
    auto text = longText(reader, "text"), reasoning = longText(reader, "reasoning"), model = reader.textOr("model", {});
    auto end = reader.textOr("finish", "complete");
    for (const auto* one : {&text, &reasoning, &model, &end})
        if (!*one) return std::unexpected(one->error());
    const auto why = finish(*end);
    if (!why) return reader.at("finish")->fail("expected complete, length or filtered");
    const auto input = count(reader, "input_tokens"), output = count(reader, "output_tokens");
    if (!input) return std::unexpected(input.error());
    if (!output) return std::unexpected(output.error());
    return ChatReply{std::move(*text), std::move(*reasoning), std::move(*model), *why, {*input, *output}};
}

Expected<Exchange> exchangeOf(const JsonReader& reader) {
    if (auto known = reader.onlyKeys({"candidate", "round", "prompt_sha256", "reply"}); !known)
        return std::unexpected(std::move(known.error()));
    Exchange exchange;
    const auto candidate = positive(reader, "candidate"), round = positive(reader, "round");
    if (!candidate) return std::unexpected(candidate.error());
    if (!round) return std::unexpected(round.error());
    auto hash = reader.textOr("prompt_sha256", {});
    if (!hash) return std::unexpected(std::move(hash.error()));
    const auto member = reader.at("reply");
    if (!member) return std::unexpected(member.error());
    auto reply = replyOf(*member);
    if (!reply) return std::unexpected(std::move(reply.error()));
    return Exchange{*candidate, *round, std::move(*hash), std::move(*reply)};
}

class Replaying : public Provider {
public:
    explicit Replaying(Recording recording) : m_recording(std::move(recording)) {}

    std::string providerName() const override { return "recording"; }

    Expected<ChatReply> chat(const ChatRequest& request, const ChatCallbacks& callbacks,
                             std::stop_token stop) override {
        if (stop.stop_requested()) return failure(Cause::cancelled, "stopped");
        const auto found = std::ranges::find_if(m_recording.exchanges, [&](const Exchange& exchange) {
            return exchange.candidate == request.candidate && exchange.round == request.round;
        });
        if (found == m_recording.exchanges.end())
            return failure(Cause::missing,
                           fmt::format("the recording holds no answer for candidate {}, round {}", request.candidate,
                                       request.round),
                           "ask for fewer candidates or rounds, or record it anew");
        if (callbacks.onNote && !found->promptSha256.empty() && found->promptSha256 != promptHash(request.messages))
            callbacks.onNote(
                fmt::format("candidate {}, round {}: the recorded answer belongs to another prompt; it is used "
                            "all the same",
                            request.candidate, request.round));
        if (callbacks.onDelta) callbacks.onDelta({found->reply.text, found->reply.reasoning});
        return found->reply;
    }
    Outgoing outgoing(const ChatRequest&) const override { return {}; }
    Expected<std::vector<std::string>> models(std::stop_token) override { return std::vector{m_recording.model}; }

private:
    Recording m_recording;
};

class Recorder : public Provider {
public:
    Recorder(Provider& inner, Recording& recording) : m_inner(inner), m_recording(recording) {}

    std::string providerName() const override { return m_inner.providerName(); }
    Expected<ChatReply> chat(const ChatRequest& request, const ChatCallbacks& callbacks,
                             std::stop_token stop) override {
        auto reply = m_inner.chat(request, callbacks, stop);
        if (!reply) return reply;
        const std::scoped_lock lock(m_mutex);
        m_recording.exchanges.push_back({request.candidate, request.round, promptHash(request.messages), *reply});
        // Answers arrive in any order; a file that says the same is the same.
        std::ranges::stable_sort(m_recording.exchanges, {},
                                 [](const Exchange& e) { return std::pair(e.candidate, e.round); });
        return reply;
    }
    Outgoing outgoing(const ChatRequest& request) const override { return m_inner.outgoing(request); }
    Expected<std::vector<std::string>> models(std::stop_token stop) override { return m_inner.models(stop); }

private:
    Provider& m_inner;
    Recording& m_recording;
    std::mutex m_mutex;
};

} // namespace

std::string promptHash(const std::vector<Message>& messages) {
    std::string all;
    for (const Message& message : messages)
        all += fmt::format("{} {}\n{}\n", name(message.role), message.text.size(), message.text);
    return sha256Hex(all);
}

Expected<Recording> readRecording(std::string_view text, const std::string& file) {
    const auto value = parseJson(text, file);
    if (!value) return std::unexpected(value.error());
    const JsonReader reader(*value, file);
    if (auto known = reader.onlyKeys({"schema", "kernel", "provider", "model", "note", "exchanges"}); !known)
        return std::unexpected(std::move(known.error()));
    const auto schema = reader.integer("schema");
    if (!schema) return std::unexpected(schema.error());
    if (*schema != 1) return reader.at("schema")->fail("this version reads recordings of schema 1");
    Recording recording;
    auto kernel = reader.text("kernel"), provider = reader.text("provider"), model = reader.text("model");
    auto note = reader.textOr("note", {});
    for (const auto* one : {&kernel, &provider, &model, &note})
        if (!*one) return std::unexpected(one->error());
    recording.kernel = std::move(*kernel);
    recording.provider = std::move(*provider);
    recording.model = std::move(*model);
    recording.note = std::move(*note);
    const auto exchanges = reader.elements("exchanges");
    if (!exchanges) return std::unexpected(exchanges.error());
    for (const JsonReader& element : *exchanges) {
        auto exchange = exchangeOf(element);
        if (!exchange) return std::unexpected(std::move(exchange.error()));
        recording.exchanges.push_back(std::move(*exchange));
    }
    return recording;
}

std::string writeRecording(const Recording& recording) {
    json exchanges = json::array();
    for (const Exchange& exchange : recording.exchanges) {
        const ChatReply& reply = exchange.reply;
        json said{{"text", linesOf(reply.text)},
                  {"finish", name(reply.finish)},
                  {"model", reply.model},
                  {"input_tokens", reply.usage.inputTokens},
                  {"output_tokens", reply.usage.outputTokens}};
        if (!reply.reasoning.empty()) said["reasoning"] = linesOf(reply.reasoning);
        exchanges.push_back({{"candidate", exchange.candidate},
                             {"round", exchange.round},
                             {"prompt_sha256", exchange.promptSha256},
                             {"reply", std::move(said)}});
    }
    json value{{"schema", 1},
               {"kernel", recording.kernel},
               {"provider", recording.provider},
               {"model", recording.model},
               {"exchanges", std::move(exchanges)}};
    if (!recording.note.empty()) value["note"] = recording.note;
    return value.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::unique_ptr<Provider> replaying(Recording recording) {
    return std::make_unique<Replaying>(std::move(recording));
}

std::unique_ptr<Provider> recorded(Provider& inner, Recording& recording) {
    return std::make_unique<Recorder>(inner, recording);
}

} // namespace ptxwb::llm
