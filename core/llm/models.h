// What is known of models: how much text they take and what they cost. A table in a file that a person may edit.
// Used by budgets, prompts and the cost line.
#pragma once

#include "llm/chat.h"
#include "support/diagnostic.h"

#include <filesystem>

namespace ptxwb::llm {

/// In US dollars a million tokens.
struct Price {
    double input = 0, output = 0;
    double of(const Usage& usage) const {
        return (static_cast<double>(usage.inputTokens) * input + static_cast<double>(usage.outputTokens) * output) /
               1e6;
    }
};

struct ModelFacts {
    std::string name;                    ///< the beginning of the names it is for
    std::optional<std::uint64_t> window; ///< tokens of question and answer together
    std::optional<Price> price;          ///< {0, 0} for servers on one's own machine
};

class ModelTable {
public:
    /// resources/prompts/models.json, overlaid by `own` where it exists. Errors name file and field.
    static Expected<ModelTable> load(const std::filesystem::path& file, const std::filesystem::path& own = {});

    /// The entry with the longest name that `model` begins with; empty facts where there is none.
    ModelFacts find(std::string_view model) const;
    const std::string& asOf() const { return m_asOf; } ///< when the bundled prices were looked up: "2025-11"

private:
    std::vector<ModelFacts> m_models;
    std::string m_asOf;
};

} // namespace ptxwb::llm
