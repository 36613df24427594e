// The stages that run nothing: parse (our checker) and assemble (ptxas).
// Called by the funnel.
#pragma once

#include "verify/context.h"

namespace ptxwb::verify {

/// Fails with the checker's errors; its warnings and notes are kept as findings of a passing stage only where they name
/// one of the kinds of a finding. Also finds the entry, whose absence is a failure.
/// `baseline`: for what it computes with, itself where it is what is judged; null where there is none.
StageResult parseStage(const Context& context, PtxKernel& candidate, const PtxKernel* baseline);

/// The hash of a kernel's machine code for the plan's first target, as the assemble stage of another job would have it;
/// kept in the context's cache. Empty where ptxas is missing or refuses.
std::string machineCodeHash(const Context& context, const PtxKernel& kernel);

struct Assembled {
    StageResult stage;
    std::vector<EntryResources> resources; ///< of every target
    std::string textSha256;                ///< for the first target
    std::string toolkit;                   ///< version of ptxas, empty where there is none
};

/// ptxas for each target of the plan. No ptxas: skipped with how to get one. Over the spec's limits:
/// `out_of_specification`.
Assembled assembleStage(const Context& context, const PtxKernel& candidate);

/// The same with the ptxas of one toolkit.
Assembled assembleWith(const Context& context, const PtxKernel& candidate, const toolchain::Toolkit& toolkit);

/// The plan's targets, else the spec's, else the module's own.
std::vector<std::string> architectures(const Context& context, const ptx::Module& module);

} // namespace ptxwb::verify
