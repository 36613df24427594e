#include "llm/protocol.h"

#include "llm/stream_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

std::vector<Message> merged(const std::vector<Message>& messages) {
    std::vector<Message> result;
    for (const Message& message : messages) {
        if (!result.empty() && result.back().role == message.role)
            result.back().text += "\n\n" + message.text;
        else
            result.push_back(message);
    }
    return result;
}

bool says(std::string_view message, std::string_view what) {
    return message.find(what) != std::string_view::npos;
}

} // namespace

std::string requestBody(Dialect dialect, const ChatRequest& request, const RequestVariant& variant) {
    json body{{"model", request.model}, {"stream", true}};
    json messages = json::array();
    for (const Message& message : merged(request.messages)) {
        if (dialect == Dialect::anthropic && message.role == Role::system)
            body["system"] = body.value("system", "") + (body.contains("system") ? "\n\n" : "") + message.text;
        else
            messages.push_back({{"role", name(message.role)}, {"content", message.text}});
    }
    body["messages"] = std::move(messages);
    const bool isNew = dialect == Dialect::openai && variant.tokenField == TokenField::maxCompletionTokens;
    body[isNew ? "max_completion_tokens" : "max_tokens"] = request.maxTokens;
    if (request.temperature && variant.temperature) body["temperature"] = *request.temperature;
    if (dialect == Dialect::openai && variant.streamOptions) body["stream_options"] = {{"include_usage", true}};
    return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<RequestVariant> variantAfter(const RequestVariant& variant, std::string_view message) {
    RequestVariant next = variant;
    // "Use 'max_completion_tokens' instead" names both, so what is in use decides.
    if (says(message, "max_tokens") && variant.tokenField == TokenField::maxTokens)
        next.tokenField = TokenField::maxCompletionTokens;
    else if (says(message, "max_completion_tokens") && variant.tokenField == TokenField::maxCompletionTokens)
        next.tokenField = TokenField::maxTokens;
    else if (says(message, "stream_options"))
        next.streamOptions = false;
    else if (says(message, "temperature"))
        next.temperature = false;
    if (next == variant) return std::nullopt;
    return next;
}

std::string errorMessage(std::string_view body) {
    const json value = json::parse(body, nullptr, false);
    for (const json* place : {&member(value, "error"), &value}) {
        if (place->is_string()) return place->get<std::string>();
        for (const char* key : {"message", "detail", "error_description"})
            if (const json& text = member(*place, key); text.is_string()) return text.get<std::string>();
    }
    std::string beginning;
    for (const char c : body.substr(0, 200)) beginning += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    return beginning;
}

Delta ThoughtSplitter::next(std::string_view text) {
    constexpr std::string_view open = "<think>", close = "</think>";
    Delta delta;
    m_held += text;
    if (m_state == State::beginning) {
        const auto first = std::min(m_held.find_first_not_of(" \t\r\n"), m_held.size());
        const std::string_view begun = std::string_view(m_held).substr(first);
        if (begun.starts_with(open)) {
            m_held.erase(0, first + open.size());
            m_state = State::thinking;
        } else if (open.starts_with(begun)) {
            return delta; // not enough to tell
        } else {
            m_state = State::answer;
        }
    }
    if (m_state == State::thinking) {
        const auto end = m_held.find(close);
        if (end != std::string::npos) {
            delta.reasoning = m_held.substr(0, end);
            const auto answer = m_held.find_first_not_of("\r\n", end + close.size());
            m_held.erase(0, std::min(answer, m_held.size()));
            m_state = State::answer;
        } else {
            std::size_t kept = std::min(m_held.size(), close.size() - 1); // a part of the end tag
            while (kept > 0 && !close.starts_with(std::string_view(m_held).substr(m_held.size() - kept))) --kept;
            delta.reasoning = m_held.substr(0, m_held.size() - kept);
            m_held.erase(0, m_held.size() - kept);
            return delta;
        }
    }
    delta.text = std::move(m_held);
    m_held.clear();
    return delta;
}

Delta ThoughtSplitter::rest() {
    Delta delta;
    (m_state == State::thinking ? delta.reasoning : delta.text) = std::move(m_held);
    m_held.clear();
    return delta;
}

} // namespace ptxwb::llm
