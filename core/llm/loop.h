// Ask, verify, send the findings back, ask again: several candidates at once, each with its own conversation.
// Used by `ptxwb propose`, `ptxwb evaluate` and the window's Model panel.
#pragma once

#include "llm/prompt.h"
#include "llm/provider.h"

#include <functional>

namespace ptxwb::llm {

/// One text that a model proposed, or one reply that held none.
struct Attempt {
    std::string name; ///< ours: "c2r1", and "c2r1b" for a second one of the same reply
    std::uint32_t candidate = 1, round = 1;
    std::string parent;       ///< name of the attempt whose findings led to it; empty: the base
    std::string promptSha256; ///< of all that was sent
    std::string provider, model;
    std::string ptx; ///< empty where the reply held nothing usable
    std::string title;
    std::vector<std::string> notes;   ///< what reading the reply did to it
    std::vector<std::string> cuda;    ///< CUDA sources of the reply: nvcc could make candidates of them
    std::vector<Diagnostic> problems; ///< why (parts of) the reply could not be used, or could not be judged
    std::optional<Outcome> outcome;
    std::optional<RegionRequest> region; ///< where its lines of the region are
    bool isBetter = false;               ///< passed, and better than the base as far as both were measured
    Usage usage;                         ///< of the reply; only the first attempt of a reply has it
};

struct LoopPlan {
    std::uint32_t candidates = 1; ///< asked for at the same time
    std::uint32_t rounds = 3;     ///< questions to each, the first included
    bool stopAtFirst = false;     ///< all end when one is right and better
    std::string model;
    std::uint32_t maxTokens = 16384;
    std::optional<double> temperature;
};

/// Judges one text as `ptxwb verify` does. Called from several threads. Errors: what keeps it from being judged at all.
using Verifier =
    std::function<Expected<Outcome>(const std::string& name, const std::string& ptx, std::stop_token stop)>;

/// All are called from several threads.
struct LoopCallbacks {
    /// Whether these messages may be sent; waits for a person where one must be asked. False ends the candidate's
    /// conversation. Absent: they may.
    std::function<bool(std::uint32_t candidate, std::uint32_t round, const std::vector<Message>&, std::stop_token)>
        consent;
    std::function<void(std::uint32_t candidate, const Delta&)> onDelta;
    std::function<void(std::uint32_t candidate)> onRestart;
    std::function<void(std::uint32_t candidate, const std::string&)> onNote;
    std::function<void(std::uint32_t candidate, const Diagnostic&)> onTrouble; ///< it ended the conversation early
    std::function<void(std::uint32_t candidate, const std::vector<Message>&)> onQuestion; ///< what is about to be sent
    std::function<void(std::uint32_t candidate, std::uint32_t round, const ChatReply&)> onReply; ///< complete, unread
    std::function<void(const Attempt&)> onArrived; ///< has a text, not judged yet
    std::function<void(const Attempt&)> onAttempt; ///< judged, or without a text
};

enum class LoopEnd : std::uint8_t {
    better,    ///< one is right and better than the base
    right,     ///< one is right; better could not be told, or it is not
    exhausted, ///< none is right after all rounds
    budget,    ///< the budget allowed no further question, and none is better
    failed,    ///< the provider failed before anything was right
    cancelled,
};
std::string_view name(LoopEnd end);

struct LoopResult {
    std::vector<Attempt> attempts;   ///< by candidate, then round
    std::optional<std::size_t> best; ///< among those that passed: by verified time, else by counters
    LoopEnd end = LoopEnd::exhausted;
    std::vector<Diagnostic> errors; ///< that ended a candidate's conversation early
};

/// Errors: the prompt cannot be built. What happens to single candidates is in the result.
Expected<LoopResult> propose(const PromptInput& input, const PromptFolders& folders, const LoopPlan& plan,
                             Provider& provider, const Verifier& verify, const LoopCallbacks& callbacks,
                             std::stop_token stop = {});

/// What a reply to a question about a region holds: its first fenced block with instructions; or why there is none.
Expected<std::string> regionCode(std::string_view reply, Finish finish);

} // namespace ptxwb::llm
