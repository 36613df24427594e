// What was asked of a model and what it answered, as it is kept in a session: what left the machine can be read later.
// Made by the window's Model panel, written and read with the session. Never holds a key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb::session {

/// What became of a reply: a candidate of the session, or why there is none.
struct ChatAttempt {
    std::string name;      ///< "c1r2"
    std::string candidate; ///< its id; empty where the reply held nothing usable
    std::string verdict;   ///< pass, fail, incomplete; empty: not judged
    std::string text;      ///< a line for a person

    bool operator==(const ChatAttempt&) const = default;
};

struct ChatTurn {
    std::string role; ///< "system", "user", "assistant"
    std::string text;
    std::string reasoning;                           ///< of an answer, where the server tells it
    std::string finish;                              ///< of an answer: complete, length, filtered
    std::uint64_t inputTokens = 0, outputTokens = 0; ///< of an answer; 0: not told
    std::vector<ChatAttempt> attempts;               ///< of an answer

    bool operator==(const ChatTurn&) const = default;
};

/// One of the candidates that were asked for at the same time: what came after the common beginning.
struct ChatThread {
    std::uint32_t candidate = 1;
    std::vector<ChatTurn> turns;
    std::string problem; ///< why it ended early

    bool operator==(const ChatThread&) const = default;
};

struct Conversation {
    std::string id;   ///< "m3"; unique in the session
    std::string time; ///< ISO 8601, UTC, of the first question
    std::string provider, model;
    std::string wish;   ///< in the person's words
    std::string base;   ///< id of the candidate that the question showed, or `baselineId`
    std::string region; ///< "12:40" where only these lines were to be rewritten
    std::string ended;  ///< better, right, exhausted, budget, failed, cancelled; empty: broke off
    std::string promptSha256;
    std::vector<ChatTurn> opening; ///< what all threads were asked first
    std::vector<ChatThread> threads;
    std::uint32_t requests = 0;
    std::uint64_t inputTokens = 0, outputTokens = 0;
    std::optional<double> dollars; ///< nothing: no price is known
    bool isEstimated = false;

    bool operator==(const Conversation&) const = default;
};

} // namespace ptxwb::session
