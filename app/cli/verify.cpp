// `ptxwb verify`: the funnel over the baseline and candidates, one worker request for each.
#include "command.h"

#include "kernel_argument.h"
#include "reference_trust.h"
#include "register_sweep.h"
#include "review_commands.h"
#include "session_record.h"
#include "support/json.h"
#include "support/nearest.h"
#include "support/sha256.h"
#include "verify/checks.h"
#include "verify_formats.h"
#include "verify_table.h"
#include "work_text.h"
#include "worker/requests.h"
#include "worker_process.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <fmt/format.h>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

using verify::CandidateResult;
using verify::StageResult;
using verify::Verdict;

struct VerifyOptions {
    std::string kernel, worker, seed, backend = "auto", format = "table", session;
    std::vector<std::string> candidates, architectures, stages, toolkits;
    bool newSeeds = false, rebuildBaseline = false, noCache = false, trust = false, deep = false, listChecks = false;
    bool registerSweep = false;
    std::string device = "0";
    double benchmarkSeconds = verify::Plan{}.benchmarkSeconds;
};

Expected<std::optional<std::uint64_t>> seedOf(const std::string& text) {
    if (text.empty()) return std::nullopt;
    if (text == "random") {
        const std::uint64_t seed = std::random_device{}();
        fmt::print(stderr, "seed {}\n", seed);
        return seed;
    }
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc{} || end != text.data() + text.size())
        return failure(Cause::badRequest, fmt::format("--seed {}: expected a number from 0, or `random`", text));
    return seed;
}

Expected<verify::Plan> planOf(const VerifyOptions& options) {
    verify::Plan plan;
    const auto backend = verify::backend(options.backend);
    if (!backend)
        return std::unexpected(
            unknownWord("--backend takes auto, emulator or gpu, not", options.backend, {"auto", "emulator", "gpu"}));
    plan.backend = *backend;
    plan.deep = options.deep;
    plan.useCache = !options.noCache;
    plan.benchmarkSeconds = options.benchmarkSeconds;
    for (const std::string& name : options.stages) {
        const auto stage = verify::stage(name);
        if (!stage)
            return std::unexpected(unknownWord("there is no stage", name,
                                               {"parse", "assemble", "function", "stress", "sanitize", "benchmark"}));
        plan.stages.push_back(*stage);
    }
    const auto seed = seedOf(options.seed);
    if (!seed) return std::unexpected(seed.error());
    plan.seed = *seed;
    plan.architectures = options.architectures;
    plan.toolkits = options.toolkits;
    plan.rebuildBaseline = options.rebuildBaseline;
    return plan;
}

/// What is judged: the baseline (absent) first where the kernel has one, then the candidates named or all of its own.
Expected<std::vector<std::optional<verify::CandidateText>>> subjectsOf(const VerifyOptions& options,
                                                                       const KernelArgument& kernel) {
    std::vector<std::optional<verify::CandidateText>> subjects;
    const kernel::KernelSpec& spec = kernel.kernel.spec;
    if (spec.baseline || !spec.source.empty()) subjects.emplace_back();
    for (const kernel::NamedBaseline& other : spec.moreBaselines)
        subjects.emplace_back(verify::CandidateText{other.name, other.ptx, kernel.kernel.files.at(other.ptx)});
    auto own = options.candidates.empty() ? ownCandidates(kernel) : Expected<std::vector<verify::CandidateText>>{};
    if (!own) return std::unexpected(std::move(own.error()));
    for (auto& candidate : *own) subjects.emplace_back(std::move(candidate));
    for (const std::string& word : options.candidates) {
        auto candidate = loadCandidate(word, kernel);
        if (!candidate) return std::unexpected(std::move(candidate.error()));
        subjects.emplace_back(std::move(*candidate));
    }
    if (subjects.empty())
        return failure(Cause::badRequest,
                       fmt::format("{} has no baseline and no candidates: there is nothing to verify", spec.name),
                       "name one: --candidate FILE.ptx");
    return subjects;
}

/// The line under the table while a candidate is judged; only on a terminal.
class StatusLine {
public:
    StatusLine() : m_shown(::isatty(STDERR_FILENO) != 0) {}
    ~StatusLine() { clear(); }
    void show(const std::string& candidate, const worker::Progress& p) {
        if (!m_shown) return;
        const std::scoped_lock lock(m_mutex);
        fmt::print(stderr, "\r\x1b[K{}: {} ({} of {})", candidate, p.what, p.done, p.of);
        m_dirty = true;
    }
    void clear() {
        const std::scoped_lock lock(m_mutex);
        if (m_dirty) fmt::print(stderr, "\r\x1b[K");
        m_dirty = false;
    }

private:
    std::mutex m_mutex; ///< workers of several devices report at once
    bool m_shown;
    bool m_dirty = false;
};

/// A worker that failed under a candidate: what was judged until then, and the failure where the rest would be.
CandidateResult brokenOff(const std::string& name, const std::string& text, std::vector<StageResult> stages,
                          const Diagnostic& error) {
    CandidateResult result;
    result.candidate = name;
    result.sha256 = sha256Hex(text);
    const auto next =
        stages.empty() ? verify::Stage::parse : static_cast<verify::Stage>(static_cast<int>(stages.back().stage) + 1);
    stages.push_back({next, verify::Status::inconclusive, {}, error.message, 0, {}, 0});
    result.stages = std::move(stages);
    result.verdict = foldVerdict(result.stages);
    result.checks = verify::foldChecks(result);
    return result;
}

/// A worker for each device that verifies; candidates go to whichever is free.
struct Worker {
    std::unique_ptr<worker::WorkerClient> client;
    int device = 0;
};

class Verification {
public:
    Verification(const Invocation& invocation, std::vector<Worker> workers, KernelArgument& kernel, verify::Plan plan,
                 const std::string& format)
        : m_workers(std::move(workers)), m_kernel(kernel), m_plan(std::move(plan)),
          m_format(invocation.json ? "json" : format), m_stopped(invocation.stop, [this] { m_stop.request_stop(); }) {
        m_report.kernel = kernel.kernel.spec.name;
        m_report.arch = !m_plan.architectures.empty()     ? m_plan.architectures.front()
                        : kernel.kernel.spec.arch.empty() ? "sm_90"
                                                          : kernel.kernel.spec.arch;
    }

    Expected<int> run(const std::vector<std::optional<verify::CandidateText>>& subjects) {
        std::size_t width = std::string_view("candidate").size();
        for (const auto& subject : subjects) width = std::max(width, nameOf(subject).size());
        if (m_format == "table") fmt::print("{}", tableHead(width));
        std::vector<std::promise<Answer>> answers(subjects.size());
        std::atomic<std::size_t> next = 0;
        std::vector<std::jthread> threads;
        for (const Worker& worker : m_workers)
            threads.emplace_back([&] {
                for (std::size_t i; (i = next++) < subjects.size();) answers[i].set_value(ask(worker, subjects[i]));
            });
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            const auto& subject = subjects[i];
            auto judged = take(subject, answers[i].get_future().get());
            if (!judged) {
                next = subjects.size();
                m_stop.request_stop();
                return std::unexpected(std::move(judged.error()));
            }
            for (const CandidateResult& earlier : m_report.results)
                if (!judged->textSha256.empty() && earlier.textSha256 == judged->textSha256 &&
                    judged->sameMachineCodeAs.empty())
                    judged->sameMachineCodeAs = earlier.candidate;
            m_status.clear();
            m_texts.push_back(subject ? *subject : baselineText());
            if (m_format == "table") {
                fmt::print("{}", tableRow(*judged, width));
                std::fflush(stdout);
                m_findings += findingsText(*judged, m_texts.back());
            }
            m_report.results.push_back(std::move(*judged));
        }
        if (m_format == "json")
            printJson(toJson(m_report));
        else if (m_format == "sarif")
            printJson(sarif(m_report, m_texts));
        else if (m_format == "markdown")
            fmt::print("{}", markdown(m_report, m_texts));
        else
            printRest();
        return exitStatusOfAll();
    }

    const verify::VerifyReport& report() const { return m_report; }
    const std::vector<verify::CandidateText>& texts() const { return m_texts; } ///< of the report's results

private:
    static std::string nameOf(const std::optional<verify::CandidateText>& subject) {
        return subject ? subject->name : "baseline";
    }

    verify::CandidateText baselineText() const {
        const auto& baseline = m_kernel.kernel.spec.baseline;
        if (!baseline || m_plan.rebuildBaseline) return {"baseline", m_kernel.kernel.spec.source, {}};
        const auto text = m_kernel.kernel.files.find(baseline->ptx);
        return {"baseline", baseline->ptx, text == m_kernel.kernel.files.end() ? std::string{} : text->second};
    }

    struct Answer {
        Expected<nlohmann::json> done;
        std::vector<StageResult> stages; ///< until then
    };

    /// On a worker's own thread.
    Answer ask(const Worker& worker, const std::optional<verify::CandidateText>& subject) {
        const std::string name = nameOf(subject);
        std::vector<StageResult> stages;
        const worker::Callbacks callbacks{[&](const StageResult& stage) { stages.push_back(stage); },
                                          [&](const worker::Progress& progress) { m_status.show(name, progress); }};
        verify::VerifyInput input{m_kernel.kernel, subject, m_plan};
        input.plan.device = worker.device;
        auto done = worker.client->call(worker::Job::verify, worker::toJson(input), callbacks, m_stop.get_token());
        return {std::move(done), std::move(stages)};
    }

    Expected<CandidateResult> take(const std::optional<verify::CandidateText>& subject, Answer answer) {
        if (!answer.done) {
            const Diagnostic& error = answer.done.error();
            if (error.cause != Cause::internal) return std::unexpected(error);
            // One bad candidate must not take the others with it.
            m_status.clear();
            printDiagnostic(error);
            m_internalError = true;
            return brokenOff(nameOf(subject), subject ? subject->text : baselineText().text, std::move(answer.stages),
                             error);
        }
        auto report = verify::verifyReportFromJson(*answer.done);
        if (!report || report->results.size() != 1)
            return failure(Cause::internal, report ? "the worker's answer holds no result" : report.error().message);
        m_report.kernel = report->kernel;
        m_report.arch = report->arch;
        m_report.seed = report->seed;
        if (m_report.toolkit.empty()) m_report.toolkit = report->toolkit;
        return std::move(report->results.front());
    }

    void printRest() const {
        const std::string times = timingText(m_report.results);
        if (!times.empty()) fmt::print("\n{}", times);
        if (const std::string work = workText(m_report.results); !work.empty()) fmt::print("\n{}", work);
        fmt::print("\nkernel {}, {}, seed {}, ptxas {}; judged on {}{}\n", m_report.kernel, m_report.arch,
                   m_report.seed, m_report.toolkit.empty() ? "not found" : m_report.toolkit,
                   judgesText(m_report.results), times.empty() ? ", time is not measured" : "");
        if (const std::string others = assemblersText(m_report); !others.empty()) fmt::print("\n{}", others);
        const auto known = std::ranges::count(m_report.results, true, &CandidateResult::fromCache);
        if (known > 0)
            fmt::print("{} of {} judged earlier, as they are; --no-cache judges anew\n", known,
                       m_report.results.size());
        if (!m_findings.empty()) fmt::print("\n{}", m_findings);
    }

    int exitStatusOfAll() const {
        if (m_internalError) return exitStatus(Cause::internal);
        const auto any = [&](Verdict verdict) {
            return std::ranges::find(m_report.results, verdict, &CandidateResult::verdict) != m_report.results.end();
        };
        return any(Verdict::fail) ? failed : any(Verdict::incomplete) ? incomplete : passed;
    }

    std::vector<Worker> m_workers;
    KernelArgument& m_kernel;
    verify::Plan m_plan;
    std::string m_format; ///< json, table, markdown or sarif
    StatusLine m_status;
    verify::VerifyReport m_report;
    std::vector<verify::CandidateText> m_texts; ///< of the report's results
    std::string m_findings;
    bool m_internalError = false;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_stopped; ///< last: it uses m_stop
};

/// The devices that `--device` names: numbers separated by commas, or "all" of the worker's machine.
Expected<std::vector<int>> devicesOf(const std::string& text, const std::string& workerOption, std::stop_token stop) {
    if (text == "all") {
        const auto client = makeClient(workerOption);
        if (!client) return std::unexpected(client.error());
        const auto hello = (*client)->hello(stop);
        if (!hello) return std::unexpected(hello.error());
        const auto listed = JsonReader(*hello).elementsOr("devices");
        std::vector<int> devices;
        for (std::size_t i = 0; listed && i < listed->size(); ++i) devices.push_back(static_cast<int>(i));
        return devices.empty() ? std::vector<int>{0} : devices;
    }
    std::vector<int> devices;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        int device = -1;
        const auto [stopped, error] = std::from_chars(text.data() + begin, text.data() + end, device);
        if (error != std::errc{} || stopped != text.data() + end || device < 0)
            return failure(Cause::badRequest,
                           fmt::format("--device {}: expected numbers separated by commas, or `all`", text),
                           "`ptxwb doctor` lists the devices");
        if (std::ranges::find(devices, device) != devices.end())
            return failure(Cause::badRequest, fmt::format("--device {}: {} is named twice", text, device),
                           "one worker uses a device at a time");
        devices.push_back(device);
        begin = end + 1;
    }
    return devices;
}

int listChecks(bool asJson) {
    if (asJson) {
        printJson(verify::checksToJson());
        return passed;
    }

    for (const verify::Way& each : verify::ways()) fmt::print("{:<21} {}\n", each.name, each.what);
    fmt::print("\n{:<20} {:<26} {:<13} {:<21} {}\n", "check", "stages", "on", "against", "what");
    for (const verify::Check& check : verify::checks()) {
        const auto way = check.row.empty() ? std::string_view("-") : check.row;
        fmt::print("{:<20} {:<26} {:<13} {:<21} {}\n", check.name, check.stages, check.backends, way, check.what);
    }
    return passed;
}

Expected<int> verifyCommand(const VerifyOptions& options, const Invocation& invocation) {
    if (options.listChecks) return listChecks(invocation.json);
    if (options.kernel.empty())
        return failure(Cause::badRequest, "KERNEL is missing",
                       "a spec file, a folder with one, or the name of an example: ptxwb verify saxpy");
    const std::vector<std::string> formats{"table", "markdown", "sarif"};
    if (std::ranges::find(formats, options.format) == formats.end())
        return std::unexpected(unknownWord("--format takes table, markdown or sarif, not", options.format, formats));
    auto plan = planOf(options);
    if (!plan) return std::unexpected(std::move(plan.error()));
    if (isBundle(options.kernel))
        return verifyBundleAgain(options.kernel, options.newSeeds, options.trust, std::move(*plan), options.worker,
                                 invocation);
    if (options.newSeeds)
        return failure(Cause::badRequest, "--new-seeds is for a bundle, whose seeds are known",
                       "for a kernel: --seed random");
    auto kernel = loadKernelArgument(options.kernel, invocation.json);
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    auto subjects = subjectsOf(options, *kernel);
    if (!subjects) return std::unexpected(std::move(subjects.error()));
    const auto devices = devicesOf(options.device, options.worker, invocation.stop);
    if (!devices) return std::unexpected(devices.error());
    std::vector<Worker> workers;
    for (const int device : *devices) {
        auto client = makeClient(options.worker);
        if (!client) return std::unexpected(std::move(client.error()));
        workers.push_back({std::move(*client), device});
    }
    plan->reference = referenceTrust(*kernel, options.trust);
    if (options.registerSweep) {
        auto swept = sweptBaselines(*kernel, *plan, *workers.front().client, invocation.stop);
        if (!swept) return std::unexpected(std::move(swept.error()));
        subjects->insert(subjects->begin() + 1, swept->begin(), swept->end()); // below the baseline
    }
    Verification verification(invocation, std::move(workers), *kernel, std::move(*plan), options.format);
    auto status = verification.run(*subjects);
    if (status && !options.session.empty())
        if (auto kept = recordInSession(options.session, *kernel, verification.report(), verification.texts()); !kept)
            return std::unexpected(std::move(kept.error()));
    return status;
}

} // namespace

void addVerify(Invocation& invocation) {
    const auto options = std::make_shared<VerifyOptions>();
    CLI::App* command = addCommand(
        invocation, "verify", "judge a kernel's candidates: does it assemble, is it right, is it right at the edges",
        "ptxwb verify saxpy --candidate vectorized",
        [options, &invocation] { return verifyCommand(*options, invocation); });
    command->add_option("KERNEL", options->kernel,
                        "a spec file, a folder with one, the name of an example, or a NAME.ptxbundle to judge again");
    command->add_flag("--list-checks", options->listChecks, "print every check of the funnel and end");
    command->add_option(
        "--candidate", options->candidates,
        "a PTX file or the name of one of the kernel's candidates; may be repeated (default: all of its own)");
    command->add_option("--arch", options->architectures, "a target for ptxas such as sm_90; may be repeated");
    command->add_option("--toolkit", options->toolkits,
                        "a folder with bin/ptxas, on the worker's machine: that one takes the texts too, and on a GPU "
                        "what it makes of them runs too; may be repeated");
    command->add_option("--stage", options->stages,
                        "only this stage (parse, assemble, function, stress, sanitize); may be repeated");
    command->add_option("--seed", options->seed, "a number, or `random`");
    command->add_option("--backend", options->backend, "auto, emulator or gpu");
    command->add_option("--device", options->device,
                        "numbers of the GPUs, as `ptxwb doctor` lists them, or `all`: candidates are spread over them");
    command->add_option("--benchmark-seconds", options->benchmarkSeconds, "budget of one measurement");
    command->add_option("--format", options->format, "table, markdown or sarif");
    command->add_flag("--new-seeds", options->newSeeds, "of a bundle: with inputs that its own verdicts did not have");
    command->add_option("--session", options->session, "a NAME.ptxwb that keeps the results, made where there is none");
    command->add_flag("--rebuild-baseline", options->rebuildBaseline,
                      "compile the baseline anew instead of using the recorded PTX");
    command->add_flag(
        "--register-sweep", options->registerSweep,
        "judge the baseline with fewer registers too (.maxnreg), at each step that lets one more block fit");
    command->add_flag("--no-cache", options->noCache, "judge everything anew, also what was judged before as it is");
    command->add_flag("--deep", options->deep, "compute-sanitizer's four tools too (needs an NVIDIA GPU)");
    command->add_flag("--trust", options->trust, "run the kernel's reference without asking (for scripts)");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace ptxwb::cli
