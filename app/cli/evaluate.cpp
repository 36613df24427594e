// `ptxwb evaluate`: what a model is worth over a gallery of kernels; stopped and started again it goes on.
#include "experiment_commands.h"

#include "llm/evaluation.h"
#include "llm/features.h"
#include "make_judge.h"
#include "model_options.h"
#include "proposals.h"
#include "ptx/parse.h"
#include "reference_trust.h"
#include "support/files.h"
#include "support/json.h"
#include "support/resources.h"
#include "verify/entry.h"
#include "worker_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace ptxwb::cli {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct EvaluateOptions {
    ModelOptions model;
    std::string gallery, worker, folder, backend = "auto";
    std::uint32_t count = 4, rounds = 1;
    bool trust = false;
};

/// Folders of a gallery that hold a kernel, by name.
Expected<std::vector<std::string>> kernelsIn(const std::string& gallery) {
    const fs::path folder = gallery == "examples" ? examplesFolder() : fs::path(gallery);
    std::vector<std::string> kernels;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        if (!at->is_directory(ignored)) continue;
        for (fs::directory_iterator file(at->path(), ignored), last; !ignored && file != last; file.increment(ignored))
            if (file->path().string().ends_with(".kernel.json")) kernels.push_back(file->path().string());
    }
    if (kernels.empty())
        return failure(Cause::badRequest, fmt::format("{}: no folder in there holds a kernel", folder.string()),
                       "name a folder of folders with a *.kernel.json each, or `examples`");
    std::ranges::sort(kernels);
    return kernels;
}

class Evaluation {
public:
    Evaluation(const EvaluateOptions& options, const Invocation& invocation, fs::path file)
        : m_options(options), m_invocation(invocation), m_file(std::move(file)) {}

    /// What an earlier run of the same experiment has done. Errors: another experiment's file, a damaged one.
    Expected<void> resume() {
        std::error_code error;
        if (!fs::exists(m_file, error)) return {};
        const auto text = readFile(m_file);
        if (!text) return std::unexpected(text.error());
        const auto value = parseJson(*text, m_file.string());
        if (!value) return std::unexpected(value.error());
        const JsonReader reader(*value, m_file.string());
        const auto same = reader.at("experiment");
        if (!same) return std::unexpected(same.error());
        if (same->value() != experiment())
            return failure(Cause::badRequest,
                           fmt::format("{} is of another experiment: {}", m_file.string(), same->value().dump()),
                           "name another folder: -o DIR");
        const auto trials = reader.elements("trials");
        const auto done = reader.at("done");
        if (!trials) return std::unexpected(trials.error());
        if (!done) return std::unexpected(done.error());
        const auto names = done->texts();
        if (!names) return std::unexpected(names.error());
        m_done.insert(names->begin(), names->end());
        for (const JsonReader& one : *trials) {
            auto trial = llm::trialFromJson(one.value());
            if (!trial) return std::unexpected(std::move(trial.error()));
            if (m_done.contains(trial->kernel)) m_trials.push_back(std::move(*trial));
        }
        return {};
    }

    Expected<void> kernel(const std::string& specFile) {
        auto kernel = loadKernelArgument(specFile, m_invocation.json);
        if (!kernel) return std::unexpected(std::move(kernel.error()));
        const std::string name = kernel->kernel.spec.name;
        if (m_done.contains(name)) return {};
        ModelOptions options = m_options.model;
        if (!options.replay.empty()) {
            options.replay = (fs::path(options.replay) / (name + ".json")).string();
            std::error_code error;
            if (!fs::exists(options.replay, error)) {
                fmt::print(stderr, "{}: no recorded conversation, left out\n", name);
                return {};
            }
        }
        auto model = openModel(options);
        if (!model) return std::unexpected(std::move(model.error()));
        auto client = makeClient(m_options.worker);
        if (!client) return std::unexpected(std::move(client.error()));
        verify::Plan plan;
        plan.backend = *verify::backend(m_options.backend);
        plan.reference = referenceTrust(*kernel, m_options.trust);
        const auto judge = makeJudge(kernel->kernel, std::move(*client), plan);
        auto input = judge->promptInput(m_invocation.stop);
        if (!input) return std::unexpected(std::move(input.error()));
        input->window = (*model)->window();
        input->maxTokens = m_options.model.maxTokens;
        llm::LoopPlan loop;
        loop.candidates = m_options.count;
        loop.rounds = m_options.rounds;
        loop.model = (*model)->model();
        loop.maxTokens = m_options.model.maxTokens;
        if (m_options.model.temperature >= 0) loop.temperature = m_options.model.temperature;
        const llm::Verifier verifier = [&](const std::string& own, const std::string& ptx,
                                           std::stop_token stop) -> Expected<llm::Outcome> {
            const auto judged = judge->judge(own, ptx, {}, stop);
            if (!judged) return std::unexpected(judged.error());
            return outcomeOf(*judged);
        };
        llm::LoopCallbacks callbacks;
        callbacks.onAttempt = [&](const llm::Attempt& attempt) {
            fmt::print(stderr, "{} {}: {}\n", name, attempt.name, describe(attempt));
        };
        const auto result = llm::propose(*input, proposals::promptFolders(), loop, (*model)->provider(), verifier,
                                         callbacks, m_invocation.stop);
        if (!result) return std::unexpected(result.error());
        if (m_invocation.stop.stop_requested()) return {};
        const auto module = ptx::parse(input->base);
        const auto entry = verify::findEntry(*module, input->kernel->spec.entry);
        const std::string kernelClass = entry ? llm::kernelClass(llm::features(*module, **entry)) : "unknown";
        for (const llm::Attempt& attempt : result->attempts)
            m_trials.push_back(trialOf(attempt, name, kernelClass, *input));
        // A kernel whose provider or budget failed is asked again next time.
        if (!result->errors.empty() && result->attempts.empty()) return std::unexpected(result->errors.front());
        for (const Diagnostic& error : result->errors) printDiagnostic(error);
        m_done.insert(name);
        return save();
    }

    json answer() const {
        json rows = json::array();
        const auto shareOf = [](const llm::Share& share) {
            return json{{"count", share.count}, {"of", share.of}, {"low", share.low}, {"high", share.high}};
        };
        for (const llm::ClassRow& row : llm::table(m_trials))
            rows.push_back({{"class", row.kernelClass},
                            {"kernels", row.kernels},
                            {"assembled", shareOf(row.assembled)},
                            {"correct", shareOf(row.correct)},
                            {"correct_at_first", shareOf(row.firstRound)},
                            {"faster", row.faster.of == 0 ? json(nullptr) : shareOf(row.faster)},
                            {"fewer_instructions",
                             row.fewerInstructions.of == 0 ? json(nullptr) : shareOf(row.fewerInstructions)}});
        return {{"schema", 1},
                {"experiment", experiment()},
                {"file", m_file.string()},
                {"rows", std::move(rows)},
                {"trials", trials()}};
    }

private:
    json experiment() const {
        return {{"gallery", m_options.gallery},
                {"provider", m_options.model.replay.empty() ? m_options.model.provider : "recording"},
                {"model", m_options.model.model},
                {"count", m_options.count},
                {"rounds", m_options.rounds}};
    }
    json trials() const {
        json list = json::array();
        for (const llm::Trial& trial : m_trials) list.push_back(llm::toJson(trial));
        return list;
    }
    Expected<void> save() const {
        return writeFileAtomically(
            m_file,
            json{{"schema", 1}, {"experiment", experiment()}, {"done", m_done}, {"trials", trials()}}.dump(1) + "\n");
    }

    static llm::Trial trialOf(const llm::Attempt& attempt, const std::string& kernel, const std::string& kernelClass,
                              const llm::PromptInput& input) {
        llm::Trial trial{
            kernel, kernelClass, attempt.name, attempt.candidate, attempt.round, !attempt.ptx.empty(), false,
            false,  {},          {},           describe(attempt)};
        if (!attempt.outcome) return trial;
        const llm::Outcome& outcome = *attempt.outcome;
        const llm::StageOutcome* assembled = outcome.stage("assemble");
        trial.assembled = assembled != nullptr && assembled->status == "pass";
        trial.correct = outcome.passed();
        if (outcome.speedup) trial.faster = outcome.speedup->call == "faster";
        const auto instructions = [](const llm::Outcome& o) {
            for (const auto& [key, value] : o.counters)
                if (key == "warp_instructions") return value;
            return std::uint64_t{0};
        };
        if (outcome.passed() && input.baseOutcome && instructions(outcome) != 0 &&
            instructions(*input.baseOutcome) != 0)
            trial.fewerInstructions = instructions(outcome) < instructions(*input.baseOutcome);
        return trial;
    }

    const EvaluateOptions& m_options;
    const Invocation& m_invocation;
    fs::path m_file;
    std::set<std::string> m_done;
    std::vector<llm::Trial> m_trials;
};

void print(const json& answer) {
    const auto share = [](const json& value) {
        if (value.is_null()) return std::string("-");
        const double of = value.at("of").get<double>();
        return fmt::format("{}/{} ({:.0f} to {:.0f} %)", value.at("count").get<int>(), of,
                           100 * value.at("low").get<double>(), 100 * value.at("high").get<double>());
    };
    fmt::print("{:<20} {:>7}  {:<22} {:<22} {:<22} {:<22} {}\n", "class", "kernels", "assembled", "right",
               "right at first", "faster (GPU)", "fewer instructions");
    for (const json& row : answer.at("rows"))
        fmt::print("{:<20} {:>7}  {:<22} {:<22} {:<22} {:<22} {}\n", row.at("class").get<std::string>(),
                   row.at("kernels").get<int>(), share(row.at("assembled")), share(row.at("correct")),
                   share(row.at("correct_at_first")), share(row.at("faster")), share(row.at("fewer_instructions")));
    fmt::print("intervals: 95 %, by Wilson. {}\n", answer.at("file").get<std::string>());
}

Expected<int> evaluateCommand(const EvaluateOptions& options, const Invocation& invocation) {
    if (!verify::backend(options.backend))
        return std::unexpected(
            unknownWord("--backend takes auto, emulator or gpu, not", options.backend, {"auto", "emulator", "gpu"}));
    const auto kernels = kernelsIn(options.gallery);
    if (!kernels) return std::unexpected(kernels.error());
    std::error_code error;
    if (!options.folder.empty()) fs::create_directories(options.folder, error);
    Evaluation evaluation(options, invocation, fs::path(options.folder) / "evaluation.json");
    if (auto resumed = evaluation.resume(); !resumed) return std::unexpected(std::move(resumed.error()));
    for (const std::string& kernel : *kernels) {
        if (invocation.stop.stop_requested()) break;
        if (auto done = evaluation.kernel(kernel); !done) {
            if (done.error().cause == Cause::cancelled) break;
            return std::unexpected(std::move(done.error()));
        }
    }
    const json answer = evaluation.answer();
    if (invocation.json)
        printJson(answer);
    else
        print(answer);
    return passed;
}

} // namespace

void addEvaluate(Invocation& invocation) {
    const auto options = std::make_shared<EvaluateOptions>();
    CLI::App* command =
        addCommand(invocation, "evaluate",
                   "the share of a model's candidates that assemble, are right, are faster, over a gallery",
                   "ptxwb evaluate examples --provider ollama --model qwen3-coder --count 8 -o qwen3",
                   [options, &invocation] { return evaluateCommand(*options, invocation); });
    command->add_option("GALLERY", options->gallery, "a folder of kernels' folders, or `examples`")->required();
    addModelOptions(command, options->model);
    command->add_option("--count", options->count, "candidates of each kernel")->check(CLI::Range(1, 64));
    command->add_option("--rounds", options->rounds, "questions to each candidate (1: no repairs)")
        ->check(CLI::Range(1, 32));
    command->add_option("-o,--output", options->folder,
                        "the folder of evaluation.json: an experiment that was stopped goes on there");
    command->add_option("--backend", options->backend, "auto, emulator or gpu");
    command->add_flag("--trust", options->trust, "run the kernels' references without asking (for scripts)");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace ptxwb::cli
