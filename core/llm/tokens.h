// How long a text is for a model, before any server has counted.
// Used by prompts (do they fit the window), by budgets, and by the window's preview.
#pragma once

#include "llm/chat.h"

namespace ptxwb::llm {

/// Meant to be no less than the usual byte-pair tokenizers make of it, so that what is planned with it fits: words
/// cost one for every 4 letters, digits one for every 2, each mark and each byte that is no ASCII one, a run of blanks
/// one. An estimate: no tokenizer was measured against it.
std::uint64_t estimateTokens(std::string_view text);

/// With 8 for each message's frame.
std::uint64_t estimateTokens(const std::vector<Message>& messages);

} // namespace ptxwb::llm
