// Assembles PTX with ptxas: cubin, resources of each entry, messages at their lines.
// Called by the funnel's assemble stage, by `ptxwb assemble`, and by the candidate editor.
#pragma once

#include "support/diagnostic.h"
#include "toolchain/ptxas_log.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::toolchain {

struct Toolkit;

struct PtxasRequest {
    std::string text;
    std::string file = "kernel.ptx"; ///< only for the places of diagnostics
    std::string arch = "sm_90";
    std::vector<std::string> flags; ///< from the allow-list of flags.h
    std::chrono::milliseconds deadline{60000};
    std::uint64_t memoryLimitBytes = 0; ///< address space; 0: none
};

struct PtxasResult {
    bool ok = false;
    std::string cubin;                     ///< bytes, empty unless `ok`
    std::vector<EntryResources> resources; ///< kept where ptxas got that far, also without `ok`
    std::vector<FunctionResources> functions;
    std::uint32_t globalBytes = 0;
    std::vector<Diagnostic> diagnostics;
    std::string log;                    ///< what ptxas wrote, untouched
    std::vector<std::string> arguments; ///< exactly as run; the input and output are in a temporary folder
    std::vector<std::string> flags;     ///< what decides the result besides the text: for cache keys and reports
    std::string program, version;       ///< the ptxas used, absolute, and its version
    double seconds = 0;
    bool timedOut = false;
};

/// Runs ptxas with `-v`. PTX that is refused, a timeout and a crash of ptxas are a result with `ok` false and at least
/// one error among the diagnostics. An error instead of a result: a flag or architecture that is not allowed, no ptxas
/// in the toolkit, no place for temporary files, cancellation.
Expected<PtxasResult> assemble(const PtxasRequest& request, const Toolkit& toolkit, std::stop_token stop = {});

/// The newest `.version` that this ptxas takes ("9.0"), asked of itself once; empty where it does not tell.
std::string newestPtxVersion(const Toolkit& toolkit, std::stop_token stop = {});

} // namespace ptxwb::toolchain
