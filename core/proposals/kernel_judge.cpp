#include "proposals/kernel_judge.h"

#include "gpu/architectures.h"
#include "ptx/parse.h"
#include "support/json.h"
#include "verify/entry.h"
#include "verify/work_report.h"
#include "worker/requests.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::proposals {

using nlohmann::json;

KernelJudge::KernelJudge(kernel::Kernel kernel, std::unique_ptr<worker::WorkerClient> worker, verify::Plan plan,
                         JudgeCallbacks callbacks)
    : m_kernel(std::move(kernel)), m_worker(std::move(worker)), m_plan(std::move(plan)),
      m_callbacks(std::move(callbacks)) {}

void KernelJudge::note(const std::string& message) const {
    if (m_callbacks.onNote) m_callbacks.onNote(message);
}

std::string KernelJudge::arch() const {
    if (!m_plan.architectures.empty()) return m_plan.architectures.front();
    return m_kernel.spec.arch.empty() ? "sm_90" : m_kernel.spec.arch;
}

Expected<std::string> KernelJudge::baseline(std::stop_token stop) {
    if (!m_baseline.empty()) return m_baseline;
    const kernel::KernelSpec& spec = m_kernel.spec;
    if (spec.baseline)
        if (const auto text = m_kernel.files.find(spec.baseline->ptx); text != m_kernel.files.end())
            return m_baseline = text->second;
    if (spec.source.empty())
        return failure(Cause::badRequest,
                       fmt::format("{} has neither a baseline nor a CUDA source to begin with", spec.name),
                       "give the spec a `baseline` or a `source`");
    auto compiled = compile({}, stop);
    if (compiled) m_baseline = *compiled;
    return compiled;
}

Expected<std::string> KernelJudge::compile(const std::string& cuda, std::stop_token stop) {
    worker::CompileRequest request{m_kernel, {arch()}};
    if (!cuda.empty()) request.kernel.files[request.kernel.spec.source] = cuda;
    const auto answer = m_worker->call(worker::Job::compile, worker::toJson(request), {}, stop);
    if (!answer) return std::unexpected(answer.error());
    const json& result = answer->at("results").at(0);
    if (result.at("ok").get<bool>()) return result.at("ptx").get<std::string>();
    const json& diagnostics = result.at("diagnostics");
    return failure(Cause::rejected, diagnostics.empty()
                                        ? "nvcc refused the source"
                                        : fmt::format("nvcc: {}", diagnostics.at(0).at("message").get<std::string>()));
}

Expected<json> KernelJudge::judge(const std::string& name, const std::optional<std::string>& text,
                                  std::vector<verify::Stage> stages, std::stop_token stop) {
    verify::VerifyInput input{m_kernel, std::nullopt, m_plan};
    if (text) input.candidate = verify::CandidateText{name, name + ".ptx", *text};
    input.plan.stages = std::move(stages);
    worker::Callbacks callbacks;
    if (m_callbacks.onStage)
        callbacks.onStage = [&](const verify::StageResult& stage) { m_callbacks.onStage(name, stage); };
    auto done = m_worker->call(worker::Job::verify, worker::toJson(input), callbacks, stop);
    if (!done) return std::unexpected(std::move(done.error()));
    if (!done->contains("results") || done->at("results").size() != 1)
        return failure(Cause::internal, "the worker's answer holds no result");
    if (m_callbacks.onReport) m_callbacks.onReport(name, *done);
    json result = done->at("results").at(0);
    const auto ptx = text ? Expected<std::string>(*text) : baseline(stop);
    const auto run = ptx ? countingRun(name, *ptx, stop) : std::unexpected(ptx.error());
    result["counters"] = run ? run->value("counters", json::object()) : json::object();
    return result;
}

/// At the largest of the function sizes: what a version does for few elements is mostly its beginning and its end.
Expected<json> KernelJudge::countingRun(const std::string& name, const std::string& text, std::stop_token stop) {
    worker::RunRequest request;
    request.kernel = m_kernel;
    request.candidate = {name, name + ".ptx", text};
    request.reference = m_plan.reference;
    for (const kernel::SymbolSizes& symbol : m_kernel.spec.symbols)
        if (!symbol.function.empty()) request.sizes[symbol.name] = *std::ranges::max_element(symbol.function);
    auto answer = m_worker->call(worker::Job::run, worker::toJson(request), {}, stop);
    if (answer && !answer->value("completed", false))
        return failure(Cause::rejected, "the run did not come to its end");
    return answer;
}

Expected<llm::PromptInput> KernelJudge::promptInput(std::stop_token stop, const std::optional<BaseText>& other) {
    llm::PromptInput input;
    input.kernel = &m_kernel;
    if (other) {
        input.base = other->text;
        input.baseName = other->name;
    } else {
        auto base = baseline(stop);
        if (!base) return std::unexpected(std::move(base.error()));
        input.base = std::move(*base);
        if (m_kernel.spec.baseline && m_kernel.spec.source.empty()) input.baseName = m_kernel.spec.baseline->ptx;
    }
    const auto architecture = gpu::architecture(arch());
    if (!architecture) return std::unexpected(architecture.error());
    const gpu::Architecture& a = *architecture;
    input.target = {arch(),           a.name,
                    a.warpSize,       a.maxThreadsPerBlock,
                    a.maxWarpsPerSm,  a.maxBlocksPerSm,
                    a.registersPerSm, a.maxRegistersPerThread,
                    a.sharedPerBlock, a.sharedPerBlockOptIn,
                    a.sharedPerSm,    a.maxPortableCluster};
    const auto judged = judge("base", other ? std::optional(other->text) : std::nullopt,
                              {verify::Stage::parse, verify::Stage::assemble}, stop);
    if (judged) {
        auto outcome = outcomeOf(*judged);
        if (!outcome) return std::unexpected(std::move(outcome.error()));
        input.baseOutcome = std::move(*outcome);
        // It is what candidates are measured against, not itself a candidate.
        input.baseOutcome->verdict = "pass";
        if (input.baseOutcome->resources.empty())
            note("the prompt has no figures of ptxas: it was not found, or refused the base");
    } else if (judged.error().cause == Cause::cancelled) {
        return std::unexpected(judged.error());
    } else {
        note(fmt::format("the prompt has no figures of the base: {}", judged.error().message));
    }
    return input;
}

Expected<llm::Outcome> outcomeOf(const json& judged) {
    auto outcome = llm::outcomeFromJson(judged);
    if (!outcome) return outcome;
    if (const auto counters = judged.find("counters"); counters != judged.end())
        for (const auto& [name, value] : counters->items())
            if (value.is_number_unsigned()) outcome->counters.emplace_back(name, value.get<std::uint64_t>());
    return outcome;
}

Expected<llm::HotLoop> KernelJudge::hottestLoop(const std::string& text, std::stop_token stop,
                                                const llm::LineWeights* weights) {
    const auto module = ptx::parse(text);
    const auto entry = verify::findEntry(*module, m_kernel.spec.entry);
    if (!entry) return std::unexpected(entry.error());
    llm::LineWeights counted;
    if (!weights) {
        const auto run = countingRun("base", text, stop);
        if (!run && run.error().cause == Cause::cancelled) return std::unexpected(run.error());
        const auto work = run && run->contains("work") ? run->at("work") : json(nullptr);
        if (const auto report =
                work.is_object() ? verify::workReportFrom(JsonReader(work, "work")) : Expected<verify::WorkReport>{})
            for (const verify::WorkLine& line : report->lines) counted.lines[line.line] += line.counts.warpInstructions;
        weights = &counted;
    }
    const auto hot = llm::hottestLoop(*module, **entry, weights);
    if (!hot)
        return failure(Cause::badRequest, fmt::format("{} has no loop, so none is the hottest", (*entry)->name),
                       "name the lines");
    return *hot;
}

} // namespace ptxwb::proposals
