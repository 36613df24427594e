// What a model is told: everything that is known about a kernel, in the words of templates that a person can change.
// Used by `ptxwb prompt`, by the loop, and by the window's preview before anything is sent.
#pragma once

#include "kernel/spec.h"
#include "llm/chat.h"
#include "llm/outcome.h"
#include "llm/patterns.h"
#include "llm/region.h"
#include "llm/reply.h"

#include <filesystem>

namespace ptxwb::llm {

/// One multiprocessor's limits; made from the architecture table by whoever knows it.
struct TargetLimits {
    std::string arch, name; ///< "sm_90", "Hopper"
    std::uint32_t warpSize = 32, maxThreadsPerBlock = 1024, warpsPerSm = 0, blocksPerSm = 0, registersPerSm = 0,
                  maxRegistersPerThread = 255, sharedPerBlock = 0, sharedPerBlockOptIn = 0, sharedPerSm = 0,
                  maxCluster = 1;
};

struct PromptFolders {
    std::filesystem::path prompts, ownPrompts;   ///< resources/prompts, and a person's own; the second may be empty
    std::filesystem::path patterns, ownPatterns; ///< resources/patterns, likewise
};

/// A version that was tried before, for the table that shows what came of it.
struct TriedVersion {
    std::string name, title;
    Outcome outcome;
};

struct PromptInput {
    const kernel::Kernel* kernel = nullptr;
    std::string base; ///< PTX of the baseline, or of the candidate that is to be improved
    std::string baseName = "nvcc's PTX";
    TargetLimits target;
    std::optional<Outcome> baseOutcome; ///< resources, occupancy, counters, time where there is one
    std::vector<std::pair<std::string, std::string>> hardwareCounters; ///< name and value with its unit
    std::vector<TriedVersion> tried;
    std::optional<RegionRequest> region; ///< only these lines are to be rewritten
    std::string wish;
    std::uint64_t window = 0;        ///< of the model, tokens; 0: not known
    std::uint32_t maxTokens = 16384; ///< set aside for the answer
};

struct Prompt {
    std::vector<Message> messages;
    std::string sha256;
    std::uint64_t tokens = 0;           ///< estimated
    std::vector<std::string> omitted;   ///< what a person should know was left out
    std::vector<std::string> patterns;  ///< names of those that were chosen
    std::vector<std::string> templates; ///< "propose 1", "system 1 (own)"
    ReplyContext context;               ///< for reading the reply: the text that was shown, the entry
};

/// Errors: the base does not parse or lacks the entry, a template cannot be rendered, the prompt and its answer do not
/// fit the window even with all that can be left out (both figures are named).
Expected<Prompt> buildPrompt(const PromptInput& input, const PromptFolders& folders);

/// The next question after `outcome` of a candidate, or after a reply that held nothing usable (`problems`).
/// `asked`: the messages so far, the model's reply among them.
Expected<std::string> repairText(const PromptInput& input, const PromptFolders& folders, std::string_view ptx,
                                 const Outcome* outcome, const std::vector<Diagnostic>& problems);

/// One finding in a line or two for a model: kind, place, PTX line with its text, values, sizes, the other side.
std::string findingText(const Finding& finding, std::string_view ptx);

/// "12 registers, 0 bytes spilled, occupancy 100 % (limited by warps), 3.2 us, 640 warp instructions"; empty without.
std::string figuresText(const Outcome& outcome);

} // namespace ptxwb::llm
