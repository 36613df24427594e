// Which model is asked, and what it may spend: a provider with budget and recording around it.
// Used by the commands that ask a model, and by the window's Model panel.
#pragma once

#include "llm/budget.h"
#include "llm/prompt.h"
#include "llm/recording.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::proposals {

struct ModelChoice {
    std::string provider, model, replay, record;
    double budget = 0, temperature = -1; ///< 0 dollars: no limit; below 0: the server's own
    std::uint64_t tokenBudget = 0, window = 0;
    std::uint32_t maxTokens = 16384;
};

class ModelAccess {
public:
    /// `budget`: what was spent before counts too; absent: a budget of its own, as the choice says. Errors: no such
    /// provider, no model named, a recording that cannot be read. A key that is missing is told by the first question.
    static Expected<std::unique_ptr<ModelAccess>> open(const ModelChoice& choice,
                                                       std::shared_ptr<const llm::KeySource> keys,
                                                       std::shared_ptr<llm::Budget> budget = {});

    llm::Provider& provider() { return *m_outer; }
    const std::string& model() const { return m_model; }
    std::string providerName() const { return m_inner->providerName(); }
    std::uint64_t window() const { return m_window; }
    /// Whose key goes along; empty: none, or nothing leaves this machine.
    const std::string& keyName() const { return m_keyName; }
    llm::ModelFacts facts() const { return m_models.find(m_model); }
    llm::Spent spent() const { return m_budget->spent(); }
    /// Writes the recording that was asked for. Errors: it cannot be written.
    Expected<void> finish(const std::string& kernel);

private:
    ModelAccess() = default;
    llm::ModelTable m_models;
    std::shared_ptr<llm::Budget> m_budget;
    llm::Recording m_recording;
    std::string m_model, m_recordFile, m_keyName;
    std::uint64_t m_window = 0;
    std::unique_ptr<llm::Provider> m_inner, m_recorder, m_outer;
};

/// The bundled providers, overlaid by a person's own. Errors name file and field.
Expected<std::vector<llm::Endpoint>> endpoints();
/// Likewise for what is known of models.
Expected<llm::ModelTable> modelTable();
/// resources/prompts and resources/patterns, and a person's own in $XDG_CONFIG_HOME/ptxwb (else ~/.config/ptxwb).
llm::PromptFolders promptFolders();
/// A file of a person's own settings: "providers.json". Empty where there is no such folder.
std::filesystem::path ownFile(const char* name);

/// {"requests", "input_tokens", "output_tokens", "dollars", "estimated"}; dollars null for a model without a price.
nlohmann::json toJson(const llm::Spent& spent);
/// "3 requests, 4100 tokens in, 900 out, $0.0123".
std::string textOf(const llm::Spent& spent);

} // namespace ptxwb::proposals
