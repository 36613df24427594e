// From a model's reply to candidates. Whatever a reply holds is only ever candidate text: no name, path, flag or
// command is made of it. Used by the loop, by `ptxwb import` and by "paste reply".
#pragma once

#include "llm/chat.h"
#include "support/diagnostic.h"

#include <string>
#include <vector>

namespace ptxwb::llm {

struct ReplyContext {
    std::string base;                 ///< the PTX that the prompt showed: what a diff is about; may be empty
    std::string entry;                ///< the kernel's exact symbol; empty: any single one
    std::uint32_t parameterCount = 0; ///< of that entry: a renamed kernel must have as many
    std::size_t limit = 16;           ///< candidates of one reply
};

struct ReplyCandidate {
    std::string ptx;
    std::string title;              ///< of its `//@ title`, printable, at most 120 bytes; may be empty
    std::uint32_t line = 1;         ///< of the reply
    std::vector<std::string> notes; ///< what was done to it: "the kernel was called saxpy_v4 and is now saxpy"
};

struct Reading {
    std::vector<ReplyCandidate> candidates;
    std::vector<Diagnostic> problems; ///< pieces that could not be used, at their line of the reply, with the reason
    std::vector<std::string> cuda;    ///< CUDA sources: nvcc could make candidates of them
};

/// Never empty-handed without a reason: where there is no candidate there is a problem.
Reading readReply(std::string_view text, Finish finish, const ReplyContext& context);

} // namespace ptxwb::llm
