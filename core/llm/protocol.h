// The two protocols as text: the request's body, and events of the stream to an answer.
// Used by the provider that speaks HTTP, and by tests with recorded streams.
#pragma once

#include "llm/chat.h"
#include "llm/endpoint.h"
#include "llm/sse.h"

#include <memory>

namespace ptxwb::llm {

/// What a server turned out not to take: left out of the request from then on.
struct RequestVariant {
    TokenField tokenField = TokenField::maxTokens;
    bool streamOptions = true; ///< asks an OpenAI-like server for its token counts
    bool temperature = true;
    bool operator==(const RequestVariant&) const = default;
};

/// JSON. Neighbouring messages of one role become one; a system message is where the protocol wants it.
std::string requestBody(Dialect dialect, const ChatRequest& request, const RequestVariant& variant);

/// The variant that a refusal (status 400 or 422 with this message) asks for; nothing where it is about something else.
std::optional<RequestVariant> variantAfter(const RequestVariant& variant, std::string_view message);

/// The message of an error body of either protocol, of other shapes that servers use, else the beginning of the text.
std::string errorMessage(std::string_view body);

/// What stands in an error inside a stream.
struct StreamError {
    std::string message;
    bool isTransient = false;  ///< overloaded, rate limit, internal: it may go away
    bool isUnreadable = false; ///< no error of the server's: an event that is no JSON
};

/// Puts one answer together.
class ReplyReader {
public:
    virtual ~ReplyReader() = default;
    /// Returns what is new for whoever watches.
    virtual Delta take(const SseEvent& event) = 0;
    /// A whole answer in one JSON value: from servers that do not stream.
    virtual Delta takeWhole(std::string_view body) = 0;
    /// No more comes: what was held back, because it could have been the beginning of a tag.
    virtual Delta end() = 0;

    const ChatReply& reply() const { return m_reply; }
    const std::optional<StreamError>& error() const { return m_error; }
    bool isDone() const { return m_done; } ///< the server said that this is all
    /// Why it ends, as the server said it; nothing where it never did.
    const std::optional<Finish>& toldFinish() const { return m_finish; }

protected:
    ChatReply m_reply;
    std::optional<StreamError> m_error;
    std::optional<Finish> m_finish;
    bool m_done = false;
};

std::unique_ptr<ReplyReader> makeReplyReader(Dialect dialect);

/// Takes `<think>...</think>` at the beginning of an answer out of it, piece by piece: servers that run open models
/// leave it there.
class ThoughtSplitter {
public:
    Delta next(std::string_view text);
    Delta rest();

private:
    enum class State : std::uint8_t { beginning, thinking, answer };
    State m_state = State::beginning;
    std::string m_held;
};

} // namespace ptxwb::llm
