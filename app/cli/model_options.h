// Which model the commands ask, and what they may spend: the options that `propose` and `evaluate` share.
#pragma once

#include "command.h"
#include "llm/budget.h"
#include "llm/loop.h"
#include "llm/recording.h"

namespace ptxwb::cli {

struct ModelOptions {
    std::string provider, model, replay, record;
    double budget = 0, temperature = -1;
    std::uint64_t tokenBudget = 0, window = 0;
    std::uint32_t maxTokens = 16384;
};

void addModelOptions(CLI::App* command, ModelOptions& options);

/// A provider with budget and recording around it.
class ModelAccess {
public:
    /// Errors: no such provider, a recording that cannot be read, no key where one is needed.
    static Expected<std::unique_ptr<ModelAccess>> open(const ModelOptions& options);

    llm::Provider& provider() { return *m_outer; }
    const std::string& model() const { return m_model; }
    std::string providerName() const { return m_inner->providerName(); }
    std::uint64_t window() const { return m_window; }
    llm::Spent spent() const { return m_budget.spent(); }
    /// Writes --record's file. Errors: it cannot be written.
    Expected<void> finish(const std::string& kernel);

private:
    explicit ModelAccess(llm::BudgetLimits limits) : m_budget(limits) {}
    llm::ModelTable m_models;
    llm::Budget m_budget;
    llm::Recording m_recording;
    std::string m_model, m_recordFile;
    std::uint64_t m_window = 0;
    std::unique_ptr<llm::Provider> m_inner, m_recorder, m_outer;
};

/// resources/prompts and resources/patterns, and a person's own in $XDG_CONFIG_HOME/ptxwb (else ~/.config/ptxwb).
llm::PromptFolders promptFolders();
/// A file of a person's own settings: "providers.json". Empty where there is no such folder.
std::filesystem::path ownFile(const char* name);

/// {"requests", "input_tokens", "output_tokens", "dollars", "estimated"}; dollars null for a model without a price.
nlohmann::json toJson(const llm::Spent& spent);
/// "3 requests, 4100 tokens in, 900 out, $0.0123".
std::string textOf(const llm::Spent& spent);

} // namespace ptxwb::cli
