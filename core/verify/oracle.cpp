#include "verify/oracle.h"

#include "kernel/sizes.h"
#include "kernel/spec_save.h"
#include "support/sha256.h"
#include "verify/funnel.h"
#include "verify/planned_launch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::verify {

namespace {

constexpr std::uint64_t cacheLimitBytes = std::uint64_t{1} << 30;

std::uint64_t sizeOf(const OracleRun& run) {
    std::uint64_t bytes = 0;
    for (const auto& output : run.reference) bytes += output.reals.size() * sizeof(double) + output.bits.size();
    if (run.baseline)
        for (const BufferAfter& buffer : run.baseline->buffers)
            bytes += buffer.bytes.size() + buffer.written.size() + buffer.writtenBytes.size();
    return bytes;
}

std::string noReference(const kernel::KernelSpec& spec, ReferenceTrust trust) {
    switch (spec.reference.kind) {
    case kernel::ReferenceKind::none: return "the spec names no reference";
    case kernel::ReferenceKind::baseline: return "the spec names the baseline as its reference";
    case kernel::ReferenceKind::expected: return {};
    case kernel::ReferenceKind::python:
    case kernel::ReferenceKind::host: break;
    }
    return trust == ReferenceTrust::refused ? fmt::format("{} was not trusted to run", spec.reference.file)
                                            : std::string{};
}

/// The first finding or the way it ended, for a baseline that did not complete.
std::string troubleOf(const LaunchOutcome& outcome) {
    return outcome.findings.empty() ? std::string("it did not complete") : outcome.findings.front().message;
}

} // namespace

std::optional<std::string> OracleCache::text(const std::string& key) {
    const std::scoped_lock lock(m_mutex);
    const auto known = m_texts.find(key);
    return known == m_texts.end() ? std::nullopt : std::optional(known->second);
}

void OracleCache::store(const std::string& key, std::string text) {
    const std::scoped_lock lock(m_mutex);
    m_texts[key] = std::move(text);
}

std::shared_ptr<const OracleRun> OracleCache::run(const std::string& key) {
    const std::scoped_lock lock(m_mutex);
    const auto known = m_runs.find(key);
    return known == m_runs.end() ? nullptr : known->second;
}

void OracleCache::store(const std::string& key, std::shared_ptr<const OracleRun> run) {
    const std::scoped_lock lock(m_mutex);
    const std::uint64_t bytes = sizeOf(*run);
    if (m_bytes + bytes > cacheLimitBytes) {
        m_runs.clear();
        m_bytes = 0;
    }
    m_bytes += bytes;
    m_runs[key] = std::move(run);
}

Expected<std::shared_ptr<const std::vector<kernel::Buffer>>>
OracleCache::benchmarkInputs(const std::string& key,
                             const std::function<Expected<std::vector<kernel::Buffer>>()>& make) {
    const std::scoped_lock lock(m_mutex);
    if (m_inputs && m_inputsKey == key) return m_inputs;
    m_inputs.reset(); // two of them may be too much
    auto made = make();
    if (!made) return std::unexpected(std::move(made.error()));
    m_inputsKey = key;
    m_inputs = std::make_shared<const std::vector<kernel::Buffer>>(std::move(*made));
    return m_inputs;
}

std::shared_ptr<OracleCache> makeOracleCache() {
    return std::make_shared<OracleCache>();
}

std::string cacheKey(const Context& context) {
    std::string text = kernel::toJson(context.spec()).dump();
    for (const auto& [name, content] : context.input.kernel.files)
        text += fmt::format("\n{} {}", name, sha256Hex(content));
    const Plan& plan = context.input.plan;
    text += fmt::format("\n{} {} {}", static_cast<int>(plan.reference), plan.rebuildBaseline, plan.instructionLimit);
    return sha256Hex(text);
}

Expected<Oracle> Oracle::make(const Context& context, PtxKernel* baseline, Executor& executor) {
    Oracle oracle(context, baseline, executor);
    oracle.m_key = cacheKey(context) + std::string(executor.backend());
    oracle.m_why = noReference(context.spec(), context.input.plan.reference);
    if (oracle.m_why.empty() && context.spec().reference.kind == kernel::ReferenceKind::expected) {
        oracle.m_kind = Kind::reference;
        return oracle;
    }
    if (oracle.m_why.empty()) {
        auto compiled = kernel::compileReference(context.input.kernel, referenceOptions(context), context.stop);
        if (compiled) {
            oracle.m_kind = Kind::reference;
            oracle.m_reference = std::move(*compiled);
            return oracle;
        }
        Diagnostic error = std::move(compiled.error());
        if (error.cause != Cause::missing) {
            // The reference is a part of the spec: it is the request that is wrong, not the candidate.
            if (error.cause == Cause::rejected) error.cause = Cause::badRequest;
            return std::unexpected(std::move(error));
        }
        oracle.m_why = error.message;
    }
    if (baseline) oracle.m_kind = Kind::baseline;
    return oracle;
}

Expected<std::shared_ptr<const OracleRun>> Oracle::at(const PlannedRun& run) {
    const std::string key = fmt::format("{} {} {} {} {} {}", m_key, kernel::describe(run.sizes), run.seed,
                                        run.fill ? static_cast<int>(*run.fill) : -1, run.scalarFactor,
                                        run.alias ? run.alias->buffer + "=" + run.alias->of : "");
    if (auto known = m_context->cache.run(key)) return known;
    auto computed = compute(run);
    if (!computed) return std::unexpected(std::move(computed.error()));
    auto shared = std::make_shared<const OracleRun>(std::move(*computed));
    m_context->cache.store(key, shared);
    return shared;
}

Expected<OracleRun> Oracle::compute(const PlannedRun& run) {
    OracleRun result;
    PlannedRun apart = run; // the right answer is that of separate buffers
    if (apart.alias) apart.alias->share = false;
    const auto data = plannedLaunch(*m_context, apart, nullptr);
    if (!data) return std::unexpected(data.error());
    if (data->isEmpty()) return result;
    if (m_baseline)
        if (auto ran = runBaseline(*data, limitOf(run), result); !ran) return std::unexpected(std::move(ran.error()));
    if (result.tooLarge) return result;
    if (m_kind == Kind::reference) {
        auto outputs = m_reference ? kernel::runReference(*m_reference, m_context->input.kernel, *data,
                                                          referenceOptions(*m_context), m_context->stop)
                                   : kernel::expectedOutputs(m_context->input.kernel, *data);
        if (outputs) {
            result.reference = std::move(*outputs);
            result.problem.clear(); // the reference stands without the baseline
            return result;
        }
        if (outputs.error().cause == Cause::cancelled) return std::unexpected(std::move(outputs.error()));
        result.problem = "the reference: " + outputs.error().message;
    }
    return result;
}

std::uint64_t Oracle::limitOf(const PlannedRun& run) const {
    constexpr std::uint64_t ofLargeSizes = std::uint64_t{1} << 26; // some tenths of a second
    const std::uint64_t limit = m_context->input.plan.instructionLimit;
    return run.purpose == "large_sizes" ? std::min(limit, ofLargeSizes) : limit;
}

Expected<void> Oracle::runBaseline(const kernel::LaunchData& data, std::uint64_t instructionLimit, OracleRun& to) {
    const auto trouble = [&to](const std::string& what) {
        to.baselineProblem = to.problem = "the baseline cannot serve: " + what;
    };
    if (!m_baseline->entry) return trouble("it does not parse"), Expected<void>{};
    if (auto ready = m_executor->prepare(*m_baseline); !ready) return trouble(ready.error().message), Expected<void>{};
    if (const auto finding = checkLaunch(*m_baseline, data)) return trouble(finding->message), Expected<void>{};
    ExecuteOptions options;
    options.emulator.initialisation = false;
    options.emulator.races = false;
    options.emulator.instructionLimit = instructionLimit;
    auto outcome = m_executor->run(*m_baseline, data, options, m_context->stop);
    if (!outcome) {
        if (outcome.error().cause == Cause::cancelled) return std::unexpected(std::move(outcome.error()));
        return trouble(outcome.error().message), Expected<void>{};
    }
    if (outcome->ended == emulator::Ended::cancelled) return failure(Cause::cancelled, "cancelled");
    to.tooLarge = outcome->ended == emulator::Ended::outOfTime;
    to.baselineInstructions = outcome->counters.threadInstructions;
    if (outcome->completed())
        to.baseline = std::move(*outcome);
    else
        trouble(troubleOf(*outcome));
    return {};
}

} // namespace ptxwb::verify
