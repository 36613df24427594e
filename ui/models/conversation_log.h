// A conversation with a model as it grows, in the form in which the session keeps it.
// Used by the window's ModelChat.
#pragma once

#include "jobs/model_run.h"
#include "session/conversation.h"

namespace ptxwb::ui {

class ConversationLog {
public:
    /// `provider`: "pasted" for a reply by copy and paste.
    void begin(std::string id, const ModelQuestion& question, const PreparedQuestion& prepared, std::string provider);
    const session::Conversation& conversation() const { return m_conversation; }

    /// Of round 1 nothing is added: it is the opening.
    void asked(std::uint32_t candidate, std::uint32_t round, const std::vector<llm::Message>& messages);
    void answered(std::uint32_t candidate, const llm::ChatReply& reply);
    /// `candidateId`: in the session; empty where the reply held nothing usable.
    void judged(const llm::Attempt& attempt, const QString& candidateId);
    void troubled(std::uint32_t candidate, const Diagnostic& why);
    /// `before`: what had been spent when it began.
    void ended(const QString& end, const llm::Spent& before, const llm::Spent& now);

private:
    session::ChatThread& thread(std::uint32_t candidate);
    session::Conversation m_conversation;
};

/// "unusable: line 3 of the reply: ...", or what the funnel said.
QString attemptText(const llm::Attempt& attempt);
/// "message. Hint".
QString sentence(const Diagnostic& diagnostic);

} // namespace ptxwb::ui
