#include "verify/stage_findings.h"

#include <algorithm>

namespace ptxwb::verify {

void StageFindings::add(Finding finding, const kernel::KernelSpec& spec, const PlannedRun& run) {
    m_anyFault = m_anyFault || finding.kind != FindingKind::unsupported;
    m_faults += finding.kind != FindingKind::unsupported;
    const Key key{finding.kind, finding.check, finding.line, finding.argument};
    if (const auto known = m_known.find(key); known != m_known.end()) {
        if (known->second < m_findings.size()) m_findings[known->second].occurrences += finding.occurrences;
        return;
    }
    m_known[key] = m_findings.size();
    if (m_findings.size() >= m_limit) return;
    for (const kernel::SymbolSizes& symbol : spec.symbols)
        if (const auto size = run.sizes.find(symbol.name); size != run.sizes.end())
            finding.set.insert_or_assign(symbol.name, size->second);
    if (finding.fill.empty()) finding.fill = fillName(spec, run);
    if (!finding.seed) finding.seed = run.seed;
    finding.asAllocated = run.placement == Placement::asAllocated;
    m_findings.push_back(std::move(finding));
}

void StageFindings::add(std::vector<Finding> findings, const kernel::KernelSpec& spec, const PlannedRun& run) {
    for (Finding& finding : findings) add(std::move(finding), spec, run);
}

bool StageFindings::has(FindingKind kind) const {
    return std::ranges::find(m_findings, kind, &Finding::kind) != m_findings.end();
}

bool StageFindings::anyFault() const {
    return m_anyFault;
}

} // namespace ptxwb::verify
