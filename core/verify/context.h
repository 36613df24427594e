// What the stages share while one candidate is judged, and what is kept from one candidate to the next.
// Made by the funnel; used by the stages only.
#pragma once

#include "emulator/emulator.h"
#include "kernel/candidate_header.h"
#include "ptx/module.h"
#include "toolchain/discover.h"
#include "verify/plan.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace ptxwb::verify {

class GpuHolder;
struct OracleCache;

/// What this machine has. Found once by the worker.
struct Machine {
    toolchain::Discovery tools;
    std::string cacheFolder;        ///< for compiled references; empty: the user's cache folder
    std::shared_ptr<GpuHolder> gpu; ///< null: this process uses no GPU

    /// The command line that launches an input's candidate in a process of its own, for tools; files go into the
    /// folder. Empty: this process starts no others.
    std::function<Expected<std::vector<std::string>>(const VerifyInput&, const std::filesystem::path& folder)>
        launchCommand;

    /// The first toolkit with a ptxas; nullptr where none has one.
    const toolchain::Toolkit* assembler() const {
        for (const auto& toolkit : tools.toolkits)
            if (toolkit.ptxas) return &toolkit;
        return nullptr;
    }

    /// libcupti of the first toolkit that has one; empty where none has.
    std::filesystem::path cupti() const {
        for (const auto& toolkit : tools.toolkits)
            if (toolkit.cupti) return *toolkit.cupti;
        return {};
    }
};

/// A further entry of a kernel of several launches.
struct FollowingEntry {
    const ptx::Function* entry = nullptr;
    std::shared_ptr<const emulator::Program> program;
};

/// A PTX text with the entry that the spec means; of several launches the first one's.
struct PtxKernel {
    std::string name; ///< "baseline", "vectorized"
    std::shared_ptr<const ptx::Module> module;
    const ptx::Function* entry = nullptr;             ///< inside `module`; nullptr where it was not found
    std::shared_ptr<const emulator::Program> program; ///< decoded `entry`, made by the first stage that runs it
    std::vector<FollowingEntry> following;            ///< of the second launch and those behind it
    kernel::CandidateHeader header;                   ///< the `//@` lines; empty for the baseline
    std::optional<Diagnostic> headerProblem;          ///< a `//@` line that cannot be read: fails the parse stage
};

/// What the kernel launches in a way of its own, or null.
inline const kernel::LaunchOverride* launchOf(const PtxKernel& kernel) {
    return kernel.header.launch ? &*kernel.header.launch : nullptr;
}

struct Context {
    const VerifyInput& input;
    const Machine& machine;
    OracleCache& cache;
    std::uint64_t seed = 0;
    std::function<void(Stage, std::uint32_t done, std::uint32_t of, const std::string& what)> progress;
    std::stop_token stop;
    std::vector<toolchain::Toolkit> otherToolkits = {}; ///< of the plan's folders; found when the funnel begins

    const kernel::KernelSpec& spec() const { return input.kernel.spec; }
};

} // namespace ptxwb::verify
