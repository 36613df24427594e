// `ptxwb prompt` and `ptxwb import`: the same conversation by copy and paste, with any chat, without a key.
#include "command.h"

#include "make_judge.h"
#include "proposals.h"
#include "proposals/model_access.h"
#include "proposals/pasted.h"
#include "reference_trust.h"
#include "region_option.h"
#include "review/comments.h"
#include "session_argument.h"
#include "support/files.h"
#include "support/finding_json.h"
#include "worker_process.h"

#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

struct PromptOptions {
    std::string kernel, worker, region, wish, arch, reply, folder, comments, candidate;
    std::vector<std::string> tried;
    std::uint64_t window = 0;
    std::uint32_t maxTokens = 16384;
    bool verify = false, compile = false, trust = false;
};

struct Subject {
    KernelArgument kernel;
    std::unique_ptr<KernelJudge> judge;
};

Expected<Subject> subjectOf(const PromptOptions& options, const Invocation& invocation) {
    auto kernel = loadKernelArgument(options.kernel, invocation.json);
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    auto client = makeClient(options.worker);
    if (!client) return std::unexpected(std::move(client.error()));
    verify::Plan plan;
    if (!options.arch.empty()) plan.architectures = {options.arch};
    if (options.verify || !options.tried.empty()) plan.reference = referenceTrust(*kernel, options.trust);
    auto judge = makeJudge(kernel->kernel, std::move(*client), std::move(plan));
    return Subject{std::move(*kernel), std::move(judge)};
}

/// What a reviewer has asked for: the commented text is what is to be improved, the open comments are the wish.
Expected<void> addComments(const PromptOptions& options, llm::PromptInput& input) {
    const auto session = loadSessionArgument(options.comments);
    if (!session) return std::unexpected(session.error());
    if (session->kernel.spec.name != input.kernel->spec.name)
        return failure(Cause::badRequest, fmt::format("{} is about the kernel {}, not {}", options.comments,
                                                      session->kernel.spec.name, input.kernel->spec.name));
    const auto candidate = candidateOfSession(*session, options.candidate);
    if (!candidate) return std::unexpected(candidate.error());
    const std::string asked = review::openCommentsText(*session, (*candidate)->id);
    if (asked.empty())
        return failure(Cause::badRequest, fmt::format("no comment about {} is open", (*candidate)->name),
                       "comments are written in the window's Review panel");
    if ((*candidate)->id != session::baselineId) {
        input.base = (*candidate)->text;
        input.baseName = (*candidate)->name;
        input.baseOutcome.reset();
    }
    input.wish += input.wish.empty() ? asked : "\n\n" + asked;
    return {};
}

Expected<llm::PromptInput> inputFor(const PromptOptions& options, const Subject& subject, std::stop_token stop) {
    KernelJudge& judge = *subject.judge;
    auto input = judge.promptInput(stop);
    if (!input) return input;
    input->wish = options.wish;
    input->window = options.window;
    input->maxTokens = options.maxTokens;
    if (!options.region.empty()) {
        const auto region = regionOption(options.region, input->base, judge, stop);
        if (!region) return std::unexpected(region.error());
        input->region = *region;
    }
    if (!options.comments.empty())
        if (auto done = addComments(options, *input); !done) return std::unexpected(std::move(done.error()));
    for (const std::string& word : options.tried) {
        const auto candidate = loadCandidate(word, subject.kernel);
        if (!candidate) return std::unexpected(candidate.error());
        const auto judged = judge.judge(candidate->name, candidate->text, {}, stop);
        if (!judged) return std::unexpected(judged.error());
        auto outcome = outcomeOf(*judged);
        if (!outcome) return std::unexpected(std::move(outcome.error()));
        input->tried.push_back({candidate->name, {}, std::move(*outcome)});
    }
    return input;
}

Expected<int> promptCommand(const PromptOptions& options, const Invocation& invocation) {
    const auto subject = subjectOf(options, invocation);
    if (!subject) return std::unexpected(subject.error());
    const auto input = inputFor(options, *subject, invocation.stop);
    if (!input) return std::unexpected(input.error());
    const auto prompt = llm::buildPrompt(*input, proposals::promptFolders());
    if (!prompt) return std::unexpected(prompt.error());
    if (invocation.json) {
        json messages = json::array();
        for (const llm::Message& message : prompt->messages)
            messages.push_back({{"role", llm::name(message.role)}, {"text", message.text}});
        printJson({{"schema", 1},
                   {"kernel", input->kernel->spec.name},
                   {"arch", input->target.arch},
                   {"sha256", prompt->sha256},
                   {"tokens", prompt->tokens},
                   {"templates", prompt->templates},
                   {"patterns", prompt->patterns},
                   {"omitted", prompt->omitted},
                   {"messages", std::move(messages)}});
        return passed;
    }
    for (std::size_t i = 0; i < prompt->messages.size(); ++i)
        fmt::print("{}{}", i == 0 ? "" : "\n", prompt->messages[i].text);
    fmt::print(stderr, "about {} tokens; templates {}\n", prompt->tokens,
               fmt::format("{}, {}", prompt->templates[0], prompt->templates[1]));
    return passed;
}

/// What a reply becomes, in the form of the loop's attempts.
class Import {
public:
    Import(const PromptOptions& options, const Invocation& invocation, KernelJudge& judge)
        : m_options(options), m_invocation(invocation), m_judge(judge) {}

    Expected<int> run() {
        auto text = m_options.reply == "-"
                        ? Expected<std::string>(std::string(std::istreambuf_iterator<char>(std::cin), {}))
                        : readFile(m_options.reply);
        if (!text) return std::unexpected(std::move(text.error()));
        auto base = m_judge.baseline(m_invocation.stop);
        if (!base) return std::unexpected(std::move(base.error()));
        std::optional<llm::RegionRequest> region;
        if (!m_options.region.empty()) {
            const auto lines = regionOption(m_options.region, *base, m_judge, m_invocation.stop);
            if (!lines) return std::unexpected(lines.error());
            region = *lines;
        }
        auto pasted = proposals::readPasted(*text, *base, m_judge.kernel().spec.entry, region);
        if (!pasted) return std::unexpected(std::move(pasted.error()));
        if (m_options.compile) proposals::compileInto(*pasted, m_judge, m_invocation.stop);
        m_attempts = std::move(pasted->attempts);
        m_problems = std::move(pasted->problems);
        return answer();
    }

private:
    Expected<int> answer() {
        json list = json::array(), problems = json::array();
        std::string folderName;
        bool anyFailed = m_attempts.empty(), anyIncomplete = false;
        if (!m_attempts.empty()) {
            const auto folder = makeProposalsFolder(m_judge.kernel().spec.name, m_options.folder);
            if (!folder) return std::unexpected(folder.error());
            folderName = folder->string();
        }
        for (llm::Attempt& attempt : m_attempts) {
            const std::string file = (std::filesystem::path(folderName) / (attempt.name + ".ptx")).string();
            if (auto written = writeFileAtomically(file, withOrigin(attempt.ptx, "import")); !written)
                return std::unexpected(std::move(written.error()));
            json judged = nullptr;
            if (m_options.verify) {
                auto answer = m_judge.judge(attempt.name, attempt.ptx, {}, m_invocation.stop);
                if (!answer) return std::unexpected(std::move(answer.error()));
                auto outcome = outcomeOf(*answer);
                if (!outcome) return std::unexpected(std::move(outcome.error()));
                attempt.outcome = std::move(*outcome);
                judged = std::move(*answer);
                anyFailed = anyFailed || attempt.outcome->verdict == "fail";
                anyIncomplete = anyIncomplete || attempt.outcome->verdict == "incomplete";
            }
            list.push_back(toJson(attempt, judged, file));
            if (m_invocation.json) continue;
            fmt::print("{}{}\n", file, attempt.title.empty() ? "" : ": " + attempt.title);
            for (const std::string& note : attempt.notes) fmt::print("  {}\n", note);
            if (attempt.outcome) fmt::print("  {}\n", describe(attempt));
        }
        for (const Diagnostic& problem : m_problems) problems.push_back(ptxwb::toJson(problem));
        if (m_invocation.json)
            printJson({{"schema", 1},
                       {"kernel", m_judge.kernel().spec.name},
                       {"folder", folderName.empty() ? json(nullptr) : json(folderName)},
                       {"candidates", std::move(list)},
                       {"problems", std::move(problems)}});
        else
            for (Diagnostic problem : m_problems) {
                problem.place.file = m_options.reply;
                if (!m_attempts.empty()) problem.severity = Severity::note;
                printDiagnostic(problem);
            }
        return anyFailed ? failed : anyIncomplete ? incomplete : passed;
    }

    const PromptOptions& m_options;
    const Invocation& m_invocation;
    KernelJudge& m_judge;
    std::vector<llm::Attempt> m_attempts;
    std::vector<Diagnostic> m_problems;
};

Expected<int> importCommand(const PromptOptions& options, const Invocation& invocation) {
    const auto subject = subjectOf(options, invocation);
    if (!subject) return std::unexpected(subject.error());
    return Import(options, invocation, *subject->judge).run();
}

void addShared(CLI::App* command, const std::shared_ptr<PromptOptions>& options) {
    command->add_option("--region", options->region, "only these lines of the baseline's PTX: FIRST:LAST, or `hot`");
    command->add_option("--arch", options->arch, "the target, such as sm_90");
    command->add_flag("--trust", options->trust, "run the kernel's reference without asking (for scripts)");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace

void addPrompt(Invocation& invocation) {
    const auto options = std::make_shared<PromptOptions>();
    CLI::App* command = addCommand(invocation, "prompt", "the question about a kernel as text, to paste into any chat",
                                   "ptxwb prompt saxpy --wish 'use 16-byte loads'",
                                   [options, &invocation] { return promptCommand(*options, invocation); });
    command->add_option("KERNEL", options->kernel, "a spec file, a folder with one, or the name of an example")
        ->required();
    command->add_option("--wish", options->wish, "what you want, in your own words");
    command->add_option("--comments", options->comments, "a NAME.ptxwb whose open comments are to be met");
    command->add_option("--candidate", options->candidate, "of that session: the commented one");
    command->add_option("--tried", options->tried,
                        "a candidate whose verdict and figures the prompt tells; may be repeated");
    command->add_option("--window", options->window,
                        "tokens that the model takes: a longer prompt is shortened, and what goes is named");
    command->add_option("--max-tokens", options->maxTokens, "of these, what is kept for the answer");
    addShared(command, options);
}

void addImport(Invocation& invocation) {
    const auto options = std::make_shared<PromptOptions>();
    CLI::App* command =
        addCommand(invocation, "import", "candidates out of a chat's reply", "ptxwb import saxpy reply.txt --verify",
                   [options, &invocation] { return importCommand(*options, invocation); });
    command->add_option("KERNEL", options->kernel, "a spec file, a folder with one, or the name of an example")
        ->required();
    command->add_option("REPLY", options->reply, "the reply's text in a file, or - for stdin")->required();
    command->add_flag("--verify", options->verify, "judge the candidates at once");
    command->add_flag("--compile", options->compile, "compile CUDA sources of the reply with nvcc, and take the PTX");
    command->add_option("-o,--output", options->folder, "where NAME.proposals is made (default: the current folder)");
    addShared(command, options);
}

} // namespace ptxwb::cli
