#include "verify/earlier_results.h"

#include "kernel/reference.h"
#include "support/environment.h"
#include "verify/checks.h"

namespace ptxwb::verify {

std::filesystem::path resultFolder(const Plan& plan, const Machine& machine) {
    if (!plan.useCache || environmentVariable("PTXWB_RESULT_CACHE") == "off") return {};
    return machine.cacheFolder.empty() ? kernel::defaultCacheFolder() : std::filesystem::path(machine.cacheFolder);
}

void foldAgain(CandidateResult& result, const std::vector<CheckOutcome>& earlier) {
    result.verdict = foldVerdict(result.stages);
    result.checks = foldChecks(result);
    for (CheckOutcome& outcome : result.checks) {
        const Check* const check = findCheck(outcome.check);
        if (check && names(check->stages, name(Stage::benchmark))) continue;
        for (const CheckOutcome& before : earlier)
            if (before.check == outcome.check) outcome = before;
    }
}

} // namespace ptxwb::verify
