// Gathers a stage's findings over all its runs: one a fault, the first time it shows, with a count of the rest.
// Called by the stages that run kernels.
#pragma once

#include "kernel/spec.h"
#include "support/finding.h"
#include "verify/run_plan.h"

#include <map>
#include <tuple>
#include <vector>

namespace ptxwb::verify {

class StageFindings {
public:
    /// `limit`: findings kept; more are counted only.
    explicit StageFindings(std::size_t limit) : m_limit(limit) {}

    /// Adds what one run found; sizes, fill and seed of the run go into each finding that is new.
    void add(std::vector<Finding> findings, const kernel::KernelSpec& spec, const PlannedRun& run);
    void add(Finding finding, const kernel::KernelSpec& spec, const PlannedRun& run);

    bool has(FindingKind kind) const;
    /// Whether anything but `unsupported` was found: that is what fails a stage.
    bool anyFault() const;
    /// Faults so far, those that repeat an earlier one included.
    std::uint64_t faults() const { return m_faults; }
    std::vector<Finding> take() { return std::move(m_findings); }

private:
    using Key = std::tuple<FindingKind, std::string, std::uint32_t, std::string>; ///< kind, check, line, argument
    std::size_t m_limit;
    std::map<Key, std::size_t> m_known; ///< to the place in m_findings
    std::vector<Finding> m_findings;
    bool m_anyFault = false;
    std::uint64_t m_faults = 0;
};

} // namespace ptxwb::verify
