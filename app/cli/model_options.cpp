#include "model_options.h"

namespace ptxwb::cli {

void addModelOptions(CLI::App* command, ModelOptions& options) {
    command->add_option("--provider", options.provider,
                        "openai, anthropic, ollama or another of resources/prompts/providers.json or of your own "
                        "providers.json (default: openai); its key comes from the environment");
    command->add_option("--model", options.model, "the model's name, as the provider spells it");
    command->add_option("--replay", options.replay, "answers from this recorded conversation: no network, no key");
    command->add_option("--record", options.record, "write the answers to this file, for --replay");
    command
        ->add_option("--budget", options.budget, "US dollars that may be spent; no question is sent that could pass it")
        ->check(CLI::PositiveNumber);
    command->add_option("--token-budget", options.tokenBudget, "the same in tokens of questions and answers together")
        ->check(CLI::PositiveNumber);
    command->add_option("--max-tokens", options.maxTokens, "of one answer, reasoning included")
        ->check(CLI::PositiveNumber);
    command->add_option("--window", options.window, "tokens that the model takes, where models.json does not have it");
    command->add_option("--temperature", options.temperature, "of the model's choices")->check(CLI::Range(0.0, 2.0));
}

Expected<std::unique_ptr<ModelAccess>> openModel(const ModelOptions& options) {
    return ModelAccess::open(options, std::make_shared<llm::EnvironmentKeys>());
}

} // namespace ptxwb::cli
