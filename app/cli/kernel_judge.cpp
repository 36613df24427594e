#include "kernel_judge.h"

#include "command.h"
#include "gpu/architectures.h"
#include "ptx/parse.h"
#include "verify/entry.h"
#include "worker/requests.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

using nlohmann::json;

namespace {

void note(const std::string& message) {
    Diagnostic diagnostic = failure(Cause::badRequest, message).error();
    diagnostic.severity = Severity::note;
    printDiagnostic(diagnostic);
}

} // namespace

std::string KernelJudge::arch() const {
    if (!m_plan.architectures.empty()) return m_plan.architectures.front();
    return m_kernel.kernel.spec.arch.empty() ? "sm_90" : m_kernel.kernel.spec.arch;
}

Expected<std::string> KernelJudge::baseline(std::stop_token stop) {
    if (!m_baseline.empty()) return m_baseline;
    const kernel::KernelSpec& spec = m_kernel.kernel.spec;
    if (spec.baseline)
        if (const auto text = m_kernel.kernel.files.find(spec.baseline->ptx); text != m_kernel.kernel.files.end())
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
    worker::CompileRequest request{m_kernel.kernel, {arch()}};
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
    verify::VerifyInput input{m_kernel.kernel, std::nullopt, m_plan};
    if (text) input.candidate = verify::CandidateText{name, name + ".ptx", *text};
    input.plan.stages = std::move(stages);
    auto done = m_worker->call(worker::Job::verify, worker::toJson(input), {}, stop);
    if (!done) return std::unexpected(std::move(done.error()));
    if (!done->contains("results") || done->at("results").size() != 1)
        return failure(Cause::internal, "the worker's answer holds no result");
    json result = done->at("results").at(0);
    const auto ptx = text ? Expected<std::string>(*text) : baseline(stop);
    result["counters"] = ptx ? counters(name, *ptx, stop) : json::object();
    return result;
}

/// At the largest of the function sizes: what a version does for few elements is mostly its beginning and its end.
json KernelJudge::counters(const std::string& name, const std::string& text, std::stop_token stop) {
    worker::RunRequest request;
    request.kernel = m_kernel.kernel;
    request.candidate = {name, name + ".ptx", text};
    for (const kernel::SymbolSizes& symbol : m_kernel.kernel.spec.symbols)
        if (!symbol.function.empty()) request.sizes[symbol.name] = *std::ranges::max_element(symbol.function);
    const auto answer = m_worker->call(worker::Job::run, worker::toJson(request), {}, stop);
    if (!answer || !answer->value("completed", false)) return json::object();
    return answer->value("counters", json::object());
}

Expected<llm::PromptInput> KernelJudge::promptInput(std::stop_token stop) {
    llm::PromptInput input;
    input.kernel = &m_kernel.kernel;
    auto base = baseline(stop);
    if (!base) return std::unexpected(std::move(base.error()));
    input.base = std::move(*base);
    if (m_kernel.kernel.spec.baseline && m_kernel.kernel.spec.source.empty())
        input.baseName = m_kernel.kernel.spec.baseline->ptx;
    const auto architecture = gpu::architecture(arch());
    if (!architecture) return std::unexpected(architecture.error());
    const gpu::Architecture& a = *architecture;
    input.target = {arch(),           a.name,
                    a.warpSize,       a.maxThreadsPerBlock,
                    a.maxWarpsPerSm,  a.maxBlocksPerSm,
                    a.registersPerSm, a.maxRegistersPerThread,
                    a.sharedPerBlock, a.sharedPerBlockOptIn,
                    a.sharedPerSm,    a.maxPortableCluster};
    const auto judged = judge("baseline", std::nullopt, {verify::Stage::parse, verify::Stage::assemble}, stop);
    if (judged) {
        auto outcome = outcomeOf(*judged);
        if (!outcome) return std::unexpected(std::move(outcome.error()));
        input.baseOutcome = std::move(*outcome);
        // It is what candidates are measured against, not itself a candidate.
        input.baseOutcome->verdict = "pass";
        if (input.baseOutcome->resources.empty())
            note("the prompt has no figures of ptxas: it was not found, or refused the baseline");
    } else if (judged.error().cause == Cause::cancelled) {
        return std::unexpected(judged.error());
    } else {
        note(fmt::format("the prompt has no figures of the baseline: {}", judged.error().message));
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

Expected<llm::RegionRequest> regionOf(const std::string& text, const std::string& base, const std::string& entry) {
    if (text == "hot") {
        const auto module = ptx::parse(base);
        const auto function = verify::findEntry(*module, entry);
        if (!function) return std::unexpected(function.error());
        const auto lines = llm::hottestLoop(*module, **function);
        if (!lines)
            return failure(Cause::badRequest, "--region hot: the kernel has no loop",
                           "name the lines: --region 120:184");
        return *lines;
    }
    llm::RegionRequest region;
    const auto colon = text.find(':');
    const auto number = [&](std::string_view part, std::uint32_t& value) {
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        return error == std::errc{} && end == part.data() + part.size() && value > 0;
    };
    if (colon == std::string::npos || !number(std::string_view(text).substr(0, colon), region.firstLine) ||
        !number(std::string_view(text).substr(colon + 1), region.lastLine))
        return failure(Cause::badRequest,
                       fmt::format("--region {}: expected FIRST:LAST, lines of the baseline's PTX, or `hot`", text),
                       "for instance --region 120:184");
    return region;
}

} // namespace ptxwb::cli
