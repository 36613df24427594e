// Conversations with models as JSON and back.
#include "session/session_text.h"

#include "support/json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace ptxwb::session {

using nlohmann::ordered_json;

namespace {

void addKnown(ordered_json& object, const char* key, const std::string& text) {
    if (!text.empty()) object[key] = text;
}
void addKnown(ordered_json& object, const char* key, std::uint64_t count) {
    if (count) object[key] = count;
}

ordered_json toJson(const ChatTurn& turn) {
    ordered_json value{{"role", turn.role}, {"text", turn.text}};
    addKnown(value, "reasoning", turn.reasoning);
    addKnown(value, "finish", turn.finish);
    addKnown(value, "input_tokens", turn.inputTokens);
    addKnown(value, "output_tokens", turn.outputTokens);
    for (const ChatAttempt& attempt : turn.attempts) {
        ordered_json one{{"name", attempt.name}};
        addKnown(one, "candidate", attempt.candidate);
        addKnown(one, "verdict", attempt.verdict);
        addKnown(one, "text", attempt.text);
        value["attempts"].push_back(std::move(one));
    }
    return value;
}

ordered_json toJson(const std::vector<ChatTurn>& turns) {
    ordered_json list = ordered_json::array();
    for (const ChatTurn& turn : turns) list.push_back(toJson(turn));
    return list;
}

/// Reads the members of one object and keeps the first thing that is wrong.
class Fields {
public:
    explicit Fields(const JsonReader& reader) : m_reader(reader) {}

    Fields& only(std::initializer_list<std::string_view> keys) {
        if (const auto known = m_reader.onlyKeys(keys); !known) keep(known.error());
        return *this;
    }
    Fields& text(std::string_view key, std::string& into) { return take(m_reader.textOr(key, {}), into); }
    Fields& needed(std::string_view key, std::string& into) { return take(m_reader.text(key), into); }
    template <class Number>
    Fields& count(std::string_view key, Number& into, Number least = 0) {
        std::int64_t value = static_cast<std::int64_t>(least);
        take(m_reader.integerOr(key, value), value);
        if (value < static_cast<std::int64_t>(least) || !std::in_range<Number>(value))
            keep(m_reader.fail(std::string(key) + " is out of range").error());
        else
            into = static_cast<Number>(value);
        return *this;
    }
    template <class Value>
    Fields& take(Expected<Value> value, Value& into) {
        if (value)
            into = std::move(*value);
        else
            keep(value.error());
        return *this;
    }
    template <class Value>
    Fields& list(std::string_view key, std::vector<Value>& into, Expected<Value> (*read)(const JsonReader&)) {
        const auto elements = m_reader.elementsOr(key);
        if (!elements) return keep(elements.error()), *this;
        for (const JsonReader& element : *elements) {
            Value value;
            take(read(element), value);
            into.push_back(std::move(value));
        }
        return *this;
    }
    void keep(const Diagnostic& error) {
        if (!m_error) m_error = error;
    }
    template <class Value>
    Expected<Value> result(Value value) {
        if (m_error) return std::unexpected(std::move(*m_error));
        return value;
    }

private:
    const JsonReader& m_reader;
    std::optional<Diagnostic> m_error;
};

Expected<ChatAttempt> readAttempt(const JsonReader& reader) {
    ChatAttempt attempt;
    return Fields(reader)
        .only({"name", "candidate", "verdict", "text"})
        .needed("name", attempt.name)
        .text("candidate", attempt.candidate)
        .text("verdict", attempt.verdict)
        .text("text", attempt.text)
        .result(attempt);
}

Expected<ChatTurn> readTurn(const JsonReader& reader) {
    ChatTurn turn;
    Fields fields(reader);
    fields.only({"role", "text", "reasoning", "finish", "input_tokens", "output_tokens", "attempts"})
        .needed("role", turn.role)
        .needed("text", turn.text)
        .text("reasoning", turn.reasoning)
        .text("finish", turn.finish)
        .count("input_tokens", turn.inputTokens)
        .count("output_tokens", turn.outputTokens)
        .list("attempts", turn.attempts, readAttempt);
    if (turn.role != "system" && turn.role != "user" && turn.role != "assistant")
        fields.keep(reader.fail("role is \"" + turn.role + "\"", "system, user or assistant").error());
    return fields.result(std::move(turn));
}

Expected<ChatThread> readThread(const JsonReader& reader) {
    ChatThread thread;
    Fields fields(reader);
    fields.only({"candidate", "turns", "problem"})
        .count("candidate", thread.candidate, 1U)
        .list("turns", thread.turns, readTurn)
        .text("problem", thread.problem);
    return fields.result(std::move(thread));
}

void readSpent(const JsonReader& reader, Conversation& conversation, Fields& outer) {
    Fields fields(reader);
    fields.only({"requests", "input_tokens", "output_tokens", "dollars", "estimated"})
        .count("requests", conversation.requests)
        .count("input_tokens", conversation.inputTokens)
        .count("output_tokens", conversation.outputTokens)
        .take(reader.booleanOr("estimated", false), conversation.isEstimated);
    if (reader.has("dollars")) {
        double dollars = 0;
        fields.take(reader.number("dollars"), dollars);
        conversation.dollars = dollars;
    }
    if (const auto read = fields.result(0); !read) outer.keep(read.error());
}

Expected<Conversation> readConversation(const JsonReader& reader) {
    Conversation one;
    Fields fields(reader);
    fields
        .only({"id", "time", "provider", "model", "wish", "base", "region", "ended", "prompt_sha256", "opening",
               "threads", "spent"})
        .needed("id", one.id)
        .text("time", one.time)
        .text("provider", one.provider)
        .text("model", one.model)
        .text("wish", one.wish)
        .text("base", one.base)
        .text("region", one.region)
        .text("ended", one.ended)
        .text("prompt_sha256", one.promptSha256)
        .list("opening", one.opening, readTurn)
        .list("threads", one.threads, readThread);
    if (const auto spent = reader.find("spent")) readSpent(*spent, one, fields);
    return fields.result(std::move(one));
}

} // namespace

ordered_json toJson(const std::vector<Conversation>& conversations) {
    ordered_json list = ordered_json::array();
    for (const Conversation& one : conversations) {
        ordered_json value{{"id", one.id}};
        addKnown(value, "time", one.time);
        addKnown(value, "provider", one.provider);
        addKnown(value, "model", one.model);
        addKnown(value, "wish", one.wish);
        addKnown(value, "base", one.base);
        addKnown(value, "region", one.region);
        addKnown(value, "ended", one.ended);
        addKnown(value, "prompt_sha256", one.promptSha256);
        value["opening"] = toJson(one.opening);
        value["threads"] = ordered_json::array();
        for (const ChatThread& thread : one.threads) {
            ordered_json turns{{"candidate", thread.candidate}, {"turns", toJson(thread.turns)}};
            addKnown(turns, "problem", thread.problem);
            value["threads"].push_back(std::move(turns));
        }
        ordered_json spent{
            {"requests", one.requests}, {"input_tokens", one.inputTokens}, {"output_tokens", one.outputTokens}};
        if (one.dollars) spent["dollars"] = *one.dollars;
        if (one.isEstimated) spent["estimated"] = true;
        value["spent"] = std::move(spent);
        list.push_back(std::move(value));
    }
    return list;
}

Expected<std::vector<Conversation>> conversationsFrom(const std::vector<JsonReader>& elements) {
    std::vector<Conversation> list;
    for (const JsonReader& element : elements) {
        auto one = readConversation(element);
        if (!one) return std::unexpected(std::move(one.error()));
        list.push_back(std::move(*one));
    }
    return list;
}

} // namespace ptxwb::session
