// The baseline as it would be with fewer registers: a candidate shall beat the best that the compiler can do, not only
// what its own choice of a limit happened to give. Called by `ptxwb verify --register-sweep`.
#pragma once

#include "gpu/architectures.h"
#include "verify/plan.h"
#include "verify/result.h"

#include <cstdint>
#include <vector>

namespace ptxwb::ptx {
struct Module;
}

namespace ptxwb::verify {

/// The most registers a thread at which each further block fits on a multiprocessor, falling; at most eight of them.
/// Empty where fewer registers than `resources` has let no more blocks in. `block`: threads; `sharedDynamic`: bytes.
std::vector<std::uint32_t> registerSteps(const gpu::Architecture& arch, const EntryResources& resources,
                                         std::uint32_t block, std::uint32_t sharedDynamic);

/// The text of a module with `.maxnreg` for each of its entries, in place of their own: what `-maxrregcount` does, as a
/// text that every tool takes. Source: PTX ISA 9.0, 11.4.1.
std::string withMostRegisters(const ptx::Module& module, std::uint32_t registers);

/// `baseline` at each of `steps`, named "baseline_maxnreg_32".
std::vector<CandidateText> registerSweep(const CandidateText& baseline, const std::vector<std::uint32_t>& steps);

} // namespace ptxwb::verify
