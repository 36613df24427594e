// The readers of both protocols' streams.
#include "llm/protocol.h"
#include "llm/stream_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

bool isTransientWord(std::string_view type) {
    for (const std::string_view word :
         {"overloaded", "rate_limit", "server_error", "api_error", "timeout", "unavailable"})
        if (type.find(word) != std::string_view::npos) return true;
    return false;
}

StreamError errorOf(const json& value, std::string_view data) {
    const json& error = member(value, "error");
    const std::string type = textOf(member(error, "type")), code = textOf(member(error, "code"));
    return {errorMessage(data), isTransientWord(type) || isTransientWord(code), false};
}

StreamError unreadable(std::string_view data) {
    return {fmt::format("the stream holds what is no JSON: {}", errorMessage(data)), false, true};
}

Finish finishOf(std::string_view word) {
    if (word == "length" || word == "max_tokens" || word == "model_context_window_exceeded") return Finish::length;
    if (word == "content_filter" || word == "refusal" || word == "sensitive") return Finish::filtered;
    return Finish::complete; // stop, end_turn, stop_sequence, eos, tool_calls
}

class Reader : public ReplyReader {
public:
    Delta end() override { return keep(m_splitter.rest(), {}); }

protected:
    Delta add(std::string_view text, std::string reasoning) {
        Delta delta = m_splitter.next(text);
        return keep(std::move(delta), std::move(reasoning));
    }

private:
    Delta keep(Delta delta, std::string reasoning) {
        delta.reasoning = std::move(reasoning) + delta.reasoning;
        m_reply.text += delta.text;
        m_reply.reasoning += delta.reasoning;
        return delta;
    }
    ThoughtSplitter m_splitter;
};

Delta joined(Delta a, const Delta& b) {
    a.text += b.text;
    a.reasoning += b.reasoning;
    return a;
}

class OpenAiReader : public Reader {
public:
    Delta take(const SseEvent& event) override {
        if (event.data == "[DONE]") {
            m_done = true;
            return {};
        }
        return read(event.data, "delta");
    }
    Delta takeWhole(std::string_view body) override {
        Delta delta = read(body, "message");
        m_done = true;
        return delta;
    }

private:
    Delta read(std::string_view data, std::string_view part) {
        const json value = json::parse(data, nullptr, false);
        if (value.is_discarded()) {
            m_error = unreadable(data);
            return {};
        }
        if (!member(value, "error").is_null()) {
            m_error = errorOf(value, data);
            return {};
        }
        if (const std::string model = textOf(member(value, "model")); !model.empty()) m_reply.model = model;
        if (const json& usage = member(value, "usage"); usage.is_object())
            m_reply.usage = {countOf(member(usage, "prompt_tokens")), countOf(member(usage, "completion_tokens"))};
        const json& choice = firstOf(member(value, "choices"));
        if (const json& reason = member(choice, "finish_reason"); reason.is_string())
            m_reply.finish = *(m_finish = finishOf(reason.get<std::string>()));
        const json& delta = member(choice, part);
        std::string reasoning;
        for (const char* key : {"reasoning_content", "reasoning", "thinking"})
            if (reasoning.empty()) reasoning = contentOf(member(delta, key));
        const std::string refusal = textOf(member(delta, "refusal"));
        if (!refusal.empty()) m_reply.finish = *(m_finish = Finish::filtered);
        return add(contentOf(member(delta, "content")) + refusal, std::move(reasoning));
    }
};

class AnthropicReader : public Reader {
public:
    Delta take(const SseEvent& event) override {
        const json value = json::parse(event.data, nullptr, false);
        if (value.is_discarded()) {
            m_error = unreadable(event.data);
            return {};
        }
        const std::string type = textOf(member(value, "type"));
        if (type == "error" || event.type == "error") {
            m_error = errorOf(value, event.data);
        } else if (type == "message_start") {
            const json& message = member(value, "message");
            m_reply.model = textOf(member(message, "model"));
            takeUsage(member(message, "usage"));
        } else if (type == "content_block_start") {
            const json& block = member(value, "content_block");
            return add(textOf(member(block, "text")), textOf(member(block, "thinking")));
        } else if (type == "content_block_delta") {
            const json& delta = member(value, "delta");
            return add(textOf(member(delta, "text")), textOf(member(delta, "thinking")));
        } else if (type == "message_delta") {
            takeReason(member(member(value, "delta"), "stop_reason"));
            takeUsage(member(value, "usage"));
        } else if (type == "message_stop") {
            m_done = true;
            return {};
        }
        return {}; // ping, content_block_stop, and what is newer than this program
    }
    Delta takeWhole(std::string_view body) override {
        const json value = json::parse(body, nullptr, false);
        if (value.is_discarded()) {
            m_error = unreadable(body);
            return {};
        }
        if (!member(value, "error").is_null()) {
            m_error = errorOf(value, body);
            return {};
        }
        m_reply.model = textOf(member(value, "model"));
        takeReason(member(value, "stop_reason"));
        takeUsage(member(value, "usage"));
        Delta delta;
        if (const json& blocks = member(value, "content"); blocks.is_array())
            for (const json& block : blocks)
                delta = joined(std::move(delta), add(textOf(member(block, "text")), textOf(member(block, "thinking"))));
        m_done = true;
        return delta;
    }

private:
    void takeReason(const json& reason) {
        if (reason.is_string()) m_reply.finish = *(m_finish = finishOf(reason.get<std::string>()));
    }
    /// The counts are totals so far; what was read from or written to the prompt cache is counted apart.
    void takeUsage(const json& usage) {
        const std::uint64_t input = countOf(member(usage, "input_tokens")) +
                                    countOf(member(usage, "cache_creation_input_tokens")) +
                                    countOf(member(usage, "cache_read_input_tokens"));
        const std::uint64_t output = countOf(member(usage, "output_tokens"));
        if (input != 0) m_reply.usage.inputTokens = input;
        if (output != 0) m_reply.usage.outputTokens = output;
    }
};

} // namespace

std::unique_ptr<ReplyReader> makeReplyReader(Dialect dialect) {
    if (dialect == Dialect::anthropic) return std::make_unique<AnthropicReader>();
    return std::make_unique<OpenAiReader>();
}

} // namespace ptxwb::llm
