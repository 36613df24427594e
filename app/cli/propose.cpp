// `ptxwb propose`: candidates from a model, each verified as it arrives, findings sent back, the best one named.
#include "command.h"

#include "make_judge.h"
#include "model_options.h"
#include "proposals.h"
#include "reference_trust.h"
#include "region_option.h"
#include "support/files.h"
#include "worker_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

struct ProposeOptions {
    ModelOptions model;
    std::string kernel, worker, region, wish, folder, backend = "auto";
    std::vector<std::string> architectures, tried;
    std::uint32_t count = 1, rounds = 3;
    bool first = false, trust = false;
};

/// One target's run: prompt, loop, files, answer.
class Proposal {
public:
    Proposal(const ProposeOptions& options, const Invocation& invocation, const KernelArgument& kernel,
             KernelJudge& judge, ModelAccess& model, std::filesystem::path folder)
        : m_options(options), m_invocation(invocation), m_kernel(kernel), m_judge(judge), m_model(model),
          m_folder(std::move(folder)) {}

    Expected<json> run() {
        auto input = m_judge.promptInput(m_invocation.stop);
        if (!input) return std::unexpected(std::move(input.error()));
        input->wish = m_options.wish;
        input->window = m_model.window();
        input->maxTokens = m_options.model.maxTokens;
        if (!m_options.region.empty()) {
            const auto region = regionOption(m_options.region, input->base, m_judge, m_invocation.stop);
            if (!region) return std::unexpected(region.error());
            input->region = *region;
        }
        if (auto tried = addTried(*input); !tried) return std::unexpected(std::move(tried.error()));
        llm::LoopPlan plan;
        plan.candidates = m_options.count;
        plan.rounds = m_options.rounds;
        plan.stopAtFirst = m_options.first;
        plan.model = m_model.model();
        plan.maxTokens = m_options.model.maxTokens;
        if (m_options.model.temperature >= 0) plan.temperature = m_options.model.temperature;
        const llm::Verifier verifier = [this](const std::string& name, const std::string& ptx, std::stop_token stop) {
            return verify(name, ptx, stop);
        };
        const auto result = llm::propose(*input, proposals::promptFolders(), plan, m_model.provider(), verifier,
                                         callbacks(), m_invocation.stop);
        if (!result) return std::unexpected(result.error());
        return answer(*result, *input);
    }

private:
    Expected<void> addTried(llm::PromptInput& input) {
        for (const std::string& word : m_options.tried) {
            const auto candidate = loadCandidate(word, m_kernel);
            if (!candidate) return std::unexpected(candidate.error());
            const auto judged = m_judge.judge(candidate->name, candidate->text, {}, m_invocation.stop);
            if (!judged) return std::unexpected(judged.error());
            auto outcome = outcomeOf(*judged);
            if (!outcome) return std::unexpected(std::move(outcome.error()));
            input.tried.push_back({candidate->name, {}, std::move(*outcome)});
        }
        return {};
    }

    Expected<llm::Outcome> verify(const std::string& name, const std::string& ptx, std::stop_token stop) {
        auto judged = m_judge.judge(name, ptx, {}, stop);
        if (!judged) return std::unexpected(std::move(judged.error()));
        auto outcome = outcomeOf(*judged);
        const std::scoped_lock lock(m_mutex);
        m_judged[name] = std::move(*judged);
        return outcome;
    }

    llm::LoopCallbacks callbacks() {
        llm::LoopCallbacks callbacks;
        callbacks.onNote = [this](std::uint32_t candidate, const std::string& note) {
            say(fmt::format("candidate {}: {}", candidate, note));
        };
        callbacks.onQuestion = [this](std::uint32_t candidate, const std::vector<llm::Message>& messages) {
            say(fmt::format("candidate {}: asking {} ({} messages)", candidate, m_model.model(), messages.size()));
        };
        callbacks.onAttempt = [this](const llm::Attempt& attempt) {
            say(fmt::format("candidate {}, round {}: {}", attempt.candidate, attempt.round, describe(attempt)));
        };
        return callbacks;
    }

    void say(const std::string& line) {
        const std::scoped_lock lock(m_mutex);
        fmt::print(stderr, "{}\n", line);
    }

    Expected<json> answer(const llm::LoopResult& result, const llm::PromptInput& input) {
        json attempts = json::array(), errors = json::array();
        for (const llm::Attempt& attempt : result.attempts) {
            std::string file;
            if (!attempt.ptx.empty()) {
                const auto path = m_folder / (attempt.name + ".ptx");
                const std::string origin = fmt::format("model {} {} prompt {}", attempt.provider, attempt.model,
                                                       attempt.promptSha256.substr(0, 16));
                if (auto written = writeFileAtomically(path, withOrigin(attempt.ptx, origin)); !written)
                    return std::unexpected(std::move(written.error()));
                file = path.string();
            }
            const auto judged = m_judged.find(attempt.name);
            attempts.push_back(toJson(attempt, judged == m_judged.end() ? json(nullptr) : judged->second, file));
        }
        for (const Diagnostic& error : result.errors)
            errors.push_back({{"message", error.message}, {"hint", error.hint}});
        json answer{{"schema", 1},
                    {"kernel", m_judge.kernel().spec.name},
                    {"arch", m_judge.arch()},
                    {"provider", m_model.providerName()},
                    {"model", m_model.model()},
                    {"folder", m_folder.string()},
                    {"ended", llm::name(result.end)},
                    {"best", result.best ? json(result.attempts[*result.best].name) : json(nullptr)},
                    {"baseline", input.baseOutcome ? json(llm::figuresText(*input.baseOutcome)) : json(nullptr)},
                    {"attempts", std::move(attempts)},
                    {"errors", std::move(errors)},
                    {"spent", proposals::toJson(m_model.spent())}};
        if (auto written = writeFileAtomically(m_folder / "tree.json", answer.dump(2) + "\n"); !written)
            return std::unexpected(std::move(written.error()));
        return answer;
    }

    const ProposeOptions& m_options;
    const Invocation& m_invocation;
    const KernelArgument& m_kernel;
    KernelJudge& m_judge;
    ModelAccess& m_model;
    std::filesystem::path m_folder;
    std::mutex m_mutex;
    std::map<std::string, json> m_judged;
};

void print(const json& answer) {
    fmt::print("{} on {}: {}\n", answer.at("kernel").get<std::string>(), answer.at("arch").get<std::string>(),
               answer.at("ended").get<std::string>());
    for (const json& attempt : answer.at("attempts"))
        fmt::print("  {:<6} {:<10} {}{}{}\n", attempt.at("name").get<std::string>(),
                   attempt.at("verdict").is_null() ? "-" : attempt.at("verdict").get<std::string>(),
                   attempt.at("parent").is_null() ? "" : "after " + attempt.at("parent").get<std::string>() + "  ",
                   attempt.at("title").get<std::string>(), attempt.at("better").get<bool>() ? "  (better)" : "");
    for (const json& error : answer.at("errors")) fmt::print("  stopped: {}\n", error.at("message").get<std::string>());
    if (!answer.at("best").is_null()) {
        const std::string best = answer.at("best");
        for (const json& attempt : answer.at("attempts"))
            if (attempt.at("name") == best) fmt::print("best: {}\n", attempt.at("file").get<std::string>());
    }
    fmt::print("files: {}\n", answer.at("folder").get<std::string>());
}

Expected<int> proposeCommand(const ProposeOptions& options, const Invocation& invocation) {
    verify::Plan plan;
    const auto backend = verify::backend(options.backend);
    if (!backend)
        return std::unexpected(
            unknownWord("--backend takes auto, emulator or gpu, not", options.backend, {"auto", "emulator", "gpu"}));
    plan.backend = *backend;
    auto kernel = loadKernelArgument(options.kernel, invocation.json);
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    auto model = openModel(options.model);
    if (!model) return std::unexpected(std::move(model.error()));
    plan.reference = referenceTrust(*kernel, options.trust);
    std::vector<std::string> targets = options.architectures;
    if (targets.empty()) targets.push_back(kernel->kernel.spec.arch.empty() ? "sm_90" : kernel->kernel.spec.arch);
    json answers = json::array();
    for (const std::string& target : targets) {
        auto client = makeClient(options.worker);
        if (!client) return std::unexpected(std::move(client.error()));
        plan.architectures = {target};
        const auto judge = makeJudge(kernel->kernel, std::move(*client), plan);
        const auto folder = makeProposalsFolder(kernel->kernel.spec.name, options.folder);
        if (!folder) return std::unexpected(folder.error());
        auto answer = Proposal(options, invocation, *kernel, *judge, **model, *folder).run();
        if (!answer) {
            std::error_code ignored;
            std::filesystem::remove(*folder, ignored); // only where it is empty
            return std::unexpected(std::move(answer.error()));
        }
        answers.push_back(std::move(*answer));
    }
    if (auto written = (*model)->finish(kernel->kernel.spec.name); !written)
        return std::unexpected(std::move(written.error()));
    if (invocation.json) {
        printJson(answers.size() == 1 ? answers.front() : json{{"schema", 1}, {"targets", answers}});
    } else {
        for (const json& answer : answers) print(answer);
        fmt::print("{}\n", proposals::textOf((*model)->spent()));
    }
    bool anyFailed = false, anyWithout = false;
    for (const json& answer : answers) {
        if (!answer.at("best").is_null()) continue;
        (answer.at("ended") == "failed" || answer.at("ended") == "budget" ? anyWithout : anyFailed) = true;
    }
    return anyFailed ? failed : anyWithout ? incomplete : passed;
}

} // namespace

void addPropose(Invocation& invocation) {
    const auto options = std::make_shared<ProposeOptions>();
    CLI::App* command = addCommand(
        invocation, "propose", "ask a model for candidates, verify them, and send back what was found",
        "ptxwb propose saxpy --provider anthropic --model claude-sonnet-4-5 --count 4 --rounds 3 --budget 0.50",
        [options, &invocation] { return proposeCommand(*options, invocation); });
    command->add_option("KERNEL", options->kernel, "a spec file, a folder with one, or the name of an example")
        ->required();
    addModelOptions(command, options->model);
    command->add_option("--count", options->count, "candidates, asked for at the same time")->check(CLI::Range(1, 64));
    command->add_option("--rounds", options->rounds, "questions to each at the most, the first included")
        ->check(CLI::Range(1, 32));
    command->add_option("--region", options->region,
                        "rewrite only these lines of the baseline's PTX: FIRST:LAST, or `hot`");
    command->add_option("--arch", options->architectures, "a target such as sm_90; repeated, one run for each");
    command->add_option("--wish", options->wish, "what you want, in your own words");
    command->add_option("--tried", options->tried,
                        "a candidate whose verdict and figures the prompt tells; may be repeated");
    command->add_flag("--first", options->first, "stop all as soon as one is right and better");
    command->add_option("-o,--output", options->folder, "where NAME.proposals is made (default: the current folder)");
    command->add_option("--backend", options->backend, "auto, emulator or gpu");
    command->add_flag("--trust", options->trust, "run the kernel's reference without asking (for scripts)");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace ptxwb::cli
