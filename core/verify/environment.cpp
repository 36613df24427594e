#include "verify/environment.h"

#include "verify/findings.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace ptxwb::verify {

namespace {

struct Undecided {
    std::string_view name, what, hint;
};

constexpr std::string_view clockHint = "an answer must follow from the inputs; a kernel that waits can count turns",
                           placeHint = "an answer must follow from the inputs: use %ctaid and %tid";
constexpr auto undecided = std::to_array<Undecided>({
    {"%clock", "the clock", clockHint},
    {"%clock_hi", "the clock", clockHint},
    {"%clock64", "the clock", clockHint},
    {"%globaltimer", "the time of day", clockHint},
    {"%globaltimer_lo", "the time of day", clockHint},
    {"%globaltimer_hi", "the time of day", clockHint},
    {"%smid", "the multiprocessor that a block happens to run on", placeHint},
    {"%nsmid", "the number of multiprocessor identifiers", placeHint},
    {"%warpid", "a warp's slot, which may change", "a warp's number in its block is the thread's number divided by 32"},
    {"%nwarpid", "the number of warp slots", placeHint},
    {"%gridid", "the number of the launch", placeHint},
});

using Uses = std::map<std::string_view, ptx::Span>;

Uses usesOf(const ptx::Module& module) {
    Uses uses;
    for (const ptx::Function& function : module.functions)
        for (const ptx::Operand& operand : function.operands) {
            if (operand.kind != ptx::OperandKind::special) continue;
            const std::string_view text = module.textOf(operand.span);
            const auto hit = std::ranges::find(undecided, text, &Undecided::name);
            if (hit != undecided.end()) uses.try_emplace(hit->name, operand.span);
        }
    return uses;
}

} // namespace

std::vector<Finding> readsEnvironment(const kernel::KernelSpec& spec, const ptx::Module& candidate,
                                      const ptx::Module* baseline) {
    std::vector<Finding> findings;
    if (!spec.deterministic) return findings;
    const Uses theirs = baseline ? usesOf(*baseline) : Uses{};
    for (const auto& [name, span] : usesOf(candidate)) {
        if (theirs.contains(name)) continue;
        const auto& what = *std::ranges::find(undecided, name, &Undecided::name);
        Finding& finding = findings.emplace_back();
        finding.kind = FindingKind::nondeterministic;
        finding.check = "environment";
        finding.message =
            fmt::format("reads {}, {}: no input decides it, and the baseline does without", name, what.what);
        finding.hint = what.hint;
        place(finding, candidate, span);
    }
    return findings;
}

} // namespace ptxwb::verify
