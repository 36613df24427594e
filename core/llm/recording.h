// Conversations as files: replayed as a provider without network or key, and recorded while another one answers.
// Used by examples, lessons, tests, and `ptxwb propose --replay` and `--record`.
#pragma once

#include "llm/provider.h"

#include <mutex>

namespace ptxwb::llm {

struct Exchange {
    std::uint32_t candidate = 1, round = 1;
    std::string promptSha256; ///< of `promptHash`; empty: not kept
    ChatReply reply;
};

struct Recording {
    std::string kernel, provider, model, note;
    std::vector<Exchange> exchanges;
};

/// SHA-256 over roles and texts of a request's messages: which prompt an answer belongs to.
std::string promptHash(const std::vector<Message>& messages);

/// Format: tests/data/schemas/conversation. Errors name file and field.
Expected<Recording> readRecording(std::string_view text, const std::string& file);
std::string writeRecording(const Recording& recording);

/// Answers the question of a candidate and round with what the recording has for it. An answer that belongs to another
/// prompt (the templates have changed since) is given all the same, with a note. Errors (Cause::missing): there is
/// none.
std::unique_ptr<Provider> replaying(Recording recording);

/// `inner`, with every answer added to `recording`; both must outlive it.
std::unique_ptr<Provider> recorded(Provider& inner, Recording& recording);

} // namespace ptxwb::llm
