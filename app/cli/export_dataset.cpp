// `ptxwb export-dataset`: kernels with their verdicts as JSON lines: what people, the compiler and models wrote.
#include "experiment_commands.h"

#include "llm/dataset.h"
#include "make_judge.h"
#include "reference_trust.h"
#include "support/files.h"
#include "support/json.h"
#include "worker_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct DatasetOptions {
    std::vector<std::string> inputs;
    std::string output, worker, backend = "auto";
    bool trust = false;
};

class Export {
public:
    Export(const DatasetOptions& options, const Invocation& invocation)
        : m_options(options), m_invocation(invocation) {}

    /// A folder below which `propose` has left trees, else a KERNEL.
    Expected<void> input(const std::string& word) {
        std::vector<fs::path> trees;
        std::error_code error;
        if (fs::is_directory(word, error))
            for (fs::recursive_directory_iterator at(word, error), end; !error && at != end; at.increment(error))
                if (at->path().filename() == "tree.json") trees.push_back(at->path());
        std::ranges::sort(trees);
        for (const fs::path& tree : trees)
            if (auto done = proposals(tree); !done) return done;
        return trees.empty() ? kernel(word) : Expected<void>{};
    }

    const llm::Dataset& dataset() const { return m_dataset; }
    std::size_t unjudged() const { return m_unjudged; }

private:
    llm::DatasetEntry blank(const kernel::Kernel& kernel) const {
        llm::DatasetEntry entry;
        entry.kernel = kernel.spec.name;
        entry.title = kernel.spec.title;
        entry.intent = kernel.spec.intent;
        if (const auto source = kernel.files.find(kernel.spec.source); source != kernel.files.end())
            entry.cuda = source->second;
        entry.entry = kernel.spec.entry;
        return entry;
    }

    Expected<void> kernel(const std::string& word) {
        auto argument = loadKernelArgument(word, m_invocation.json);
        if (!argument) return std::unexpected(std::move(argument.error()));
        auto client = makeClient(m_options.worker);
        if (!client) return std::unexpected(std::move(client.error()));
        verify::Plan plan;
        plan.backend = *verify::backend(m_options.backend);
        plan.reference = referenceTrust(*argument, m_options.trust);
        const auto candidates = ownCandidates(*argument);
        if (!candidates) return std::unexpected(candidates.error());
        const auto made = makeJudge(argument->kernel, std::move(*client), plan);
        KernelJudge& judge = *made;
        llm::DatasetEntry entry = blank(argument->kernel);
        entry.arch = judge.arch();
        if (auto base = judge.baseline(m_invocation.stop)) {
            entry.name = "baseline";
            entry.ptx = std::move(*base);
            entry.provenance = {"compiler",
                                {},
                                {},
                                {},
                                argument->kernel.spec.baseline ? argument->kernel.spec.baseline->nvcc : std::string{}};
            if (auto done = judged(judge, std::nullopt, entry); !done) return done;
        }
        for (const verify::CandidateText& candidate : *candidates) {
            entry.name = candidate.name;
            entry.ptx = candidate.text;
            entry.provenance = provenanceOf(candidate.text);
            if (auto done = judged(judge, candidate.text, entry); !done) return done;
        }
        return {};
    }

    /// `//@ origin model openai gpt-4.1 prompt ...`, `//@ origin hand`; what says nothing is by hand.
    static llm::Provenance provenanceOf(const std::string& ptx) {
        const auto at = ptx.find("//@ origin ");
        if (at == std::string::npos) return {"hand", {}, {}, {}, {}};
        const std::string line = ptx.substr(at + 11, ptx.find('\n', at) - at - 11);
        const std::string kind = line.substr(0, line.find_first_of(" \t\r"));
        return {kind == "model" || kind == "import" ? kind : kind == "nvcc" ? "compiler" : "hand", {}, {}, {}, {}};
    }

    Expected<void> judged(KernelJudge& judge, const std::optional<std::string>& text, llm::DatasetEntry& entry) {
        const auto result = judge.judge(entry.name, text, {}, m_invocation.stop);
        if (!result) return std::unexpected(result.error());
        auto outcome = outcomeOf(*result);
        if (!outcome) return std::unexpected(std::move(outcome.error()));
        entry.outcome = std::move(*outcome);
        fmt::print(stderr, "{} {}: {}\n", entry.kernel, entry.name, entry.outcome.verdict);
        m_dataset.add(entry);
        return {};
    }

    Expected<void> proposals(const fs::path& tree) {
        const auto text = readFile(tree);
        if (!text) return std::unexpected(text.error());
        const auto value = parseJson(*text, tree.string());
        if (!value) return std::unexpected(value.error());
        const JsonReader reader(*value, tree.string());
        const auto name = reader.text("kernel"), arch = reader.text("arch");
        const auto attempts = reader.elements("attempts");
        if (!name) return std::unexpected(name.error());
        if (!arch) return std::unexpected(arch.error());
        if (!attempts) return std::unexpected(attempts.error());
        llm::DatasetEntry entry;
        entry.kernel = *name;
        // Where the kernel is at hand its words go along.
        if (const auto known = kernelNamed(*name)) entry = blank(*known);
        entry.arch = *arch;
        for (const JsonReader& attempt : *attempts) {
            const auto result = attempt.find("result");
            const auto own = attempt.text("name");
            if (!own) return std::unexpected(own.error());
            if (!result || !attempt.has("file")) {
                ++m_unjudged;
                continue;
            }
            auto ptx = readFile(tree.parent_path() / (*own + ".ptx"));
            if (!ptx) return std::unexpected(std::move(ptx.error()));
            auto outcome = outcomeOf(result->value());
            if (!outcome) return std::unexpected(std::move(outcome.error()));
            entry.name = *own;
            entry.ptx = std::move(*ptx);
            entry.outcome = std::move(*outcome);
            entry.provenance = {"model",
                                attempt.textOr("provider", {}).value_or(""),
                                attempt.textOr("model", {}).value_or(""),
                                attempt.textOr("prompt_sha256", {}).value_or(""),
                                {}};
            m_dataset.add(entry);
        }
        return {};
    }

    std::optional<kernel::Kernel> kernelNamed(const std::string& name) const {
        auto argument = loadKernelArgument(name, true);
        if (!argument) return std::nullopt;
        return std::move(argument->kernel);
    }

    const DatasetOptions& m_options;
    const Invocation& m_invocation;
    llm::Dataset m_dataset;
    std::size_t m_unjudged = 0;
};

Expected<int> exportCommand(const DatasetOptions& options, const Invocation& invocation) {
    if (!verify::backend(options.backend))
        return std::unexpected(
            unknownWord("--backend takes auto, emulator or gpu, not", options.backend, {"auto", "emulator", "gpu"}));
    Export work(options, invocation);
    for (const std::string& word : options.inputs)
        if (auto done = work.input(word); !done) return std::unexpected(std::move(done.error()));
    if (auto written = writeFileAtomically(options.output, work.dataset().text()); !written)
        return std::unexpected(std::move(written.error()));
    const json answer{{"schema", 1},
                      {"file", options.output},
                      {"lines", work.dataset().size()},
                      {"duplicates", work.dataset().duplicates()},
                      {"not_judged", work.unjudged()}};
    if (invocation.json)
        printJson(answer);
    else
        fmt::print("{}: {} lines, {} duplicates left out, {} replies without a verdict left out\n", options.output,
                   work.dataset().size(), work.dataset().duplicates(), work.unjudged());
    return passed;
}

} // namespace

void addExportDataset(Invocation& invocation) {
    const auto options = std::make_shared<DatasetOptions>();
    CLI::App* command =
        addCommand(invocation, "export-dataset", "kernels with their verdicts as JSON lines, each program once",
                   "ptxwb export-dataset saxpy saxpy.proposals -o pairs.jsonl",
                   [options, &invocation] { return exportCommand(*options, invocation); });
    command->add_option("INPUT", options->inputs, "kernels, which are verified now, and folders of `propose`")
        ->required();
    command->add_option("-o,--output", options->output, "the file to write")->required();
    command->add_option("--backend", options->backend, "auto, emulator or gpu");
    command->add_flag("--trust", options->trust, "run the kernels' references without asking (for scripts)");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace ptxwb::cli
