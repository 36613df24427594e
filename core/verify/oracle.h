// What a launch must answer: the trusted reference's outputs, or the baseline's where there is no reference, and how
// far the baseline itself is off. Kept from one candidate to the next. Called by the stages that compare outputs.
#pragma once

#include "kernel/reference.h"
#include "verify/executor.h"
#include "verify/run_plan.h"

#include <map>
#include <mutex>

namespace ptxwb::verify {

/// The answers for one set of sizes and inputs.
struct OracleRun {
    std::vector<kernel::ReferenceOutput> reference; ///< empty where the baseline is the oracle
    std::optional<LaunchOutcome> baseline;          ///< only a completed one
    std::uint64_t baselineInstructions = 0;         ///< thread instructions, 0 where it was not run
    bool tooLarge = false; ///< the baseline needs more than the plan's instruction limit: nothing can be said here
    std::string problem;   ///< why there is no answer, empty where there is one
    std::string baselineProblem; ///< why there is no baseline's answer although there is a baseline
};

struct OracleCache {
    std::optional<std::string> text(const std::string& key);
    void store(const std::string& key, std::string text);
    std::shared_ptr<const OracleRun> run(const std::string& key);
    void store(const std::string& key, std::shared_ptr<const OracleRun> run);
    /// The buffers of the benchmark that ran last, which take seconds to fill: made by `make` where `key` is another.
    Expected<std::shared_ptr<const std::vector<kernel::Buffer>>>
    benchmarkInputs(const std::string& key, const std::function<Expected<std::vector<kernel::Buffer>>()>& make);

private:
    std::mutex m_mutex;
    std::map<std::string, std::string> m_texts;
    std::map<std::string, std::shared_ptr<const OracleRun>> m_runs;
    std::string m_inputsKey;
    std::shared_ptr<const std::vector<kernel::Buffer>> m_inputs;
    std::uint64_t m_bytes = 0; ///< of the runs; when there are too many, all are forgotten
};

/// A hash of everything that the answers depend on: spec, files, trust, rebuilt or recorded baseline.
std::string cacheKey(const Context& context);

class Oracle {
public:
    enum class Kind : std::uint8_t { reference, baseline, none };

    /// Compiles the reference if it is trusted; otherwise the baseline is the oracle, and `why` says so. `baseline` may
    /// be null; it runs on `executor`. Errors: a reference that does not compile (badRequest), cancellation.
    static Expected<Oracle> make(const Context& context, PtxKernel* baseline, Executor& executor);

    Kind kind() const { return m_kind; }
    /// Why the oracle is not the reference; empty where it is.
    const std::string& why() const { return m_why; }

    /// The answer for a run: at most one call of the reference and one launch of the baseline, ever. Errors:
    /// expressions of the spec, sizes (badRequest), cancellation. What goes wrong in the reference or baseline is a
    /// `problem`.
    Expected<std::shared_ptr<const OracleRun>> at(const PlannedRun& run);

private:
    Oracle(const Context& context, PtxKernel* baseline, Executor& executor)
        : m_context(&context), m_baseline(baseline), m_executor(&executor) {}
    Expected<OracleRun> compute(const PlannedRun& run);
    Expected<void> runBaseline(const kernel::LaunchData& data, std::uint64_t instructionLimit, OracleRun& to);
    /// Thread instructions that the baseline may take.
    std::uint64_t limitOf(const PlannedRun& run) const;

    const Context* m_context;
    PtxKernel* m_baseline;
    Executor* m_executor; ///< where the baseline runs: where the candidate does
    Kind m_kind = Kind::none;
    std::string m_why, m_key;
    std::optional<kernel::CompiledReference> m_reference;
};

} // namespace ptxwb::verify
