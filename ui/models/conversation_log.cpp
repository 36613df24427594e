#include "models/conversation_log.h"

#include "proposals/describe.h"

#include <QDateTime>

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::ui {

namespace {

/// A session holds UTF-8 only; what a server sends may hold other bytes.
std::string clean(const std::string& text) {
    return QString::fromStdString(text).toStdString();
}

session::ChatTurn turnOf(const llm::Message& message) {
    session::ChatTurn turn;
    turn.role = llm::name(message.role);
    turn.text = clean(message.text);
    return turn;
}

} // namespace

QString sentence(const Diagnostic& diagnostic) {
    QString text = QString::fromStdString(diagnostic.message);
    if (diagnostic.place.line > 0 && diagnostic.place.file == "reply")
        text = QStringLiteral("line %1: %2").arg(diagnostic.place.line).arg(text);
    if (!diagnostic.hint.empty()) text += QStringLiteral(" (%1)").arg(QString::fromStdString(diagnostic.hint));
    return text;
}

QString attemptText(const llm::Attempt& attempt) {
    if (!attempt.outcome && !attempt.problems.empty()) return sentence(attempt.problems.front());
    QString text = QString::fromStdString(proposals::describe(attempt));
    for (const std::string& note : attempt.notes) text += QStringLiteral("; ") + QString::fromStdString(note);
    return text;
}

void ConversationLog::begin(std::string id, const ModelQuestion& question, const PreparedQuestion& prepared,
                            std::string provider) {
    m_conversation = {};
    m_conversation.id = std::move(id);
    m_conversation.time = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    m_conversation.provider = std::move(provider);
    if (m_conversation.provider != "pasted") m_conversation.model = prepared.model;
    m_conversation.wish = clean(question.wish);
    m_conversation.base = question.baseId;
    if (prepared.lines)
        m_conversation.region = fmt::format("{}:{}", prepared.lines->firstLine, prepared.lines->lastLine);
    m_conversation.promptSha256 = prepared.sha256;
    for (const llm::Message& message : prepared.messages) m_conversation.opening.push_back(turnOf(message));
    const std::uint32_t candidates = m_conversation.provider == "pasted" ? 1 : question.candidates;
    for (std::uint32_t candidate = 1; candidate <= candidates; ++candidate) thread(candidate);
}

session::ChatThread& ConversationLog::thread(std::uint32_t candidate) {
    auto& threads = m_conversation.threads;
    const auto found = std::ranges::find(threads, candidate, &session::ChatThread::candidate);
    if (found != threads.end()) return *found;
    threads.push_back({candidate, {}, {}});
    return threads.back();
}

void ConversationLog::asked(std::uint32_t candidate, std::uint32_t round, const std::vector<llm::Message>& messages) {
    if (round > 1 && !messages.empty()) thread(candidate).turns.push_back(turnOf(messages.back()));
}

void ConversationLog::answered(std::uint32_t candidate, const llm::ChatReply& reply) {
    session::ChatTurn turn;
    turn.role = "assistant";
    turn.text = clean(reply.text);
    turn.reasoning = clean(reply.reasoning);
    turn.finish = llm::name(reply.finish);
    turn.inputTokens = reply.usage.inputTokens;
    turn.outputTokens = reply.usage.outputTokens;
    thread(candidate).turns.push_back(std::move(turn));
}

void ConversationLog::judged(const llm::Attempt& attempt, const QString& candidateId) {
    // A pasted reply is one answer, however many candidates it holds.
    auto& turns = thread(m_conversation.provider == "pasted" ? 1 : std::max(1U, attempt.candidate)).turns;
    const auto answer =
        std::ranges::find(turns.rbegin(), turns.rend(), std::string("assistant"), &session::ChatTurn::role);
    if (answer == turns.rend()) return;
    answer->attempts.push_back({attempt.name, candidateId.toStdString(),
                                attempt.outcome ? attempt.outcome->verdict : "",
                                clean(attemptText(attempt).toStdString())});
}

void ConversationLog::troubled(std::uint32_t candidate, const Diagnostic& why) {
    thread(candidate).problem = clean(sentence(why).toStdString());
}

void ConversationLog::ended(const QString& end, const llm::Spent& before, const llm::Spent& now) {
    m_conversation.ended = end.toStdString();
    m_conversation.requests = now.requests - before.requests;
    m_conversation.inputTokens = now.usage.inputTokens - before.usage.inputTokens;
    m_conversation.outputTokens = now.usage.outputTokens - before.usage.outputTokens;
    m_conversation.dollars = now.hasPrice ? std::optional(now.dollars - before.dollars) : std::nullopt;
    m_conversation.isEstimated = now.isEstimated;
}

} // namespace ptxwb::ui
