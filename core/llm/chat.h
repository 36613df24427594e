// What is said to a model and what it answers, whatever protocol carries it.
// Used by providers, recordings, the loop and the window's panel.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

enum class Role : std::uint8_t { system, user, assistant };
std::string_view name(Role role);
std::optional<Role> role(std::string_view name);

struct Message {
    Role role = Role::user;
    std::string text;
    bool operator==(const Message&) const = default;
};

struct ChatRequest {
    std::string model;
    std::vector<Message> messages;
    std::uint32_t maxTokens = 16384;   ///< of the answer, its reasoning included
    std::optional<double> temperature; ///< absent: the server's own
    // Which question of a run this is; not sent. Recordings are told apart by it.
    std::uint32_t candidate = 1, round = 1;
};

/// As the server counts; 0 where it did not say.
struct Usage {
    std::uint64_t inputTokens = 0, outputTokens = 0;
    bool known() const { return inputTokens != 0 || outputTokens != 0; }
    bool operator==(const Usage&) const = default;
};

/// Why the answer ends.
enum class Finish : std::uint8_t {
    complete,
    length,   ///< cut off at `maxTokens` or at the model's window
    filtered, ///< the server refused or withheld
};
std::string_view name(Finish finish);
std::optional<Finish> finish(std::string_view name);

struct ChatReply {
    std::string text;      ///< the answer alone
    std::string reasoning; ///< what the model thought before it, where the server tells; never read for candidates
    std::string model;     ///< as the server names it
    Finish finish = Finish::complete;
    Usage usage;
};

/// A piece of an answer that still arrives.
struct Delta {
    std::string text, reasoning;
};

/// Called while an answer arrives, on a thread of the client's: return soon.
struct ChatCallbacks {
    std::function<void(const Delta&)> onDelta;
    std::function<void(const std::string&)> onNote; ///< "429 Too Many Requests; asking again in 3 s"
    std::function<void()> onRestart;                ///< what arrived so far is void: the request is sent again
};

} // namespace ptxwb::llm
