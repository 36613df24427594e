#include "proposals/model_access.h"

#include "support/environment.h"
#include "support/files.h"
#include "support/resources.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::proposals {

namespace fs = std::filesystem;

namespace {

fs::path ownFolder() {
    if (const auto config = environmentVariable("XDG_CONFIG_HOME")) return fs::path(*config) / "ptxwb";
    if (const auto home = environmentVariable("HOME")) return fs::path(*home) / ".config" / "ptxwb";
    return {};
}

} // namespace

fs::path ownFile(const char* name) {
    const fs::path folder = ownFolder();
    return folder.empty() ? folder : folder / name;
}

llm::PromptFolders promptFolders() {
    return {resourcesFolder() / "prompts", ownFile("prompts"), resourcesFolder() / "patterns", ownFile("patterns")};
}

Expected<std::vector<llm::Endpoint>> endpoints() {
    return llm::loadEndpoints(resourcesFolder() / "prompts/providers.json", ownFile("providers.json"));
}

Expected<llm::ModelTable> modelTable() {
    return llm::ModelTable::load(resourcesFolder() / "prompts/models.json", ownFile("models.json"));
}

Expected<std::unique_ptr<ModelAccess>> ModelAccess::open(const ModelChoice& options,
                                                         std::shared_ptr<const llm::KeySource> keys,
                                                         std::shared_ptr<llm::Budget> budget) {
    llm::BudgetLimits limits;
    if (options.budget > 0) limits.dollars = options.budget;
    if (options.tokenBudget > 0) limits.tokens = options.tokenBudget;
    std::unique_ptr<ModelAccess> access(new ModelAccess);
    access->m_budget = budget ? std::move(budget) : std::make_shared<llm::Budget>(limits);
    auto models = modelTable();
    if (!models) return std::unexpected(std::move(models.error()));
    access->m_models = std::move(*models);
    access->m_model = options.model;
    if (!options.replay.empty()) {
        const auto text = readFile(options.replay);
        if (!text) return std::unexpected(text.error());
        auto recording = llm::readRecording(*text, options.replay);
        if (!recording) return std::unexpected(std::move(recording.error()));
        if (access->m_model.empty()) access->m_model = recording->model;
        access->m_inner = llm::replaying(std::move(*recording));
    } else {
        if (options.model.empty())
            return failure(Cause::badRequest, "no model is named",
                           "--model NAME, or --replay FILE for a recorded conversation");
        const auto known = endpoints();
        if (!known) return std::unexpected(known.error());
        auto endpoint = llm::findEndpoint(*known, options.provider.empty() ? "openai" : options.provider);
        if (!endpoint) return std::unexpected(std::move(endpoint.error()));
        access->m_keyName = endpoint->keyName;
        llm::ProviderSettings settings;
        settings.endpoint = std::move(*endpoint);
        auto provider = llm::makeProvider(std::move(settings), std::move(keys), std::make_shared<llm::HttpClient>());
        if (!provider) return std::unexpected(std::move(provider.error()));
        access->m_inner = std::move(*provider);
    }
    access->m_window = options.window > 0 ? options.window : access->m_models.find(access->m_model).window.value_or(0);
    access->m_recordFile = options.record;
    llm::Provider* inner = access->m_inner.get();
    if (!options.record.empty()) {
        access->m_recorder = llm::recorded(*inner, access->m_recording);
        inner = access->m_recorder.get();
    }
    access->m_outer = llm::budgeted(*inner, *access->m_budget, access->m_models);
    return access;
}

Expected<void> ModelAccess::finish(const std::string& kernel) {
    if (m_recordFile.empty()) return {};
    m_recording.kernel = kernel;
    m_recording.provider = m_inner->providerName();
    m_recording.model = m_model;
    return writeFileAtomically(m_recordFile, llm::writeRecording(m_recording));
}

nlohmann::json toJson(const llm::Spent& spent) {
    return {{"requests", spent.requests},
            {"input_tokens", spent.usage.inputTokens},
            {"output_tokens", spent.usage.outputTokens},
            {"dollars", spent.hasPrice ? nlohmann::json(spent.dollars) : nlohmann::json(nullptr)},
            {"estimated", spent.isEstimated}};
}

std::string textOf(const llm::Spent& spent) {
    return fmt::format("{} request{}, {}{} tokens in, {} out{}", spent.requests, spent.requests == 1 ? "" : "s",
                       spent.isEstimated ? "about " : "", spent.usage.inputTokens, spent.usage.outputTokens,
                       spent.hasPrice ? fmt::format(", ${:.4f}", spent.dollars) : ", no price known");
}

} // namespace ptxwb::proposals
