// One launch on the emulator: memory laid out exactly as the spec grants, run, and what came back.
// Called by the stages that run kernels and by `ptxwb run`.
#pragma once

#include "emulator/emulator.h"
#include "kernel/layout.h"
#include "verify/context.h"
#include "verify/module_variables.h"
#include "verify/placement.h"

namespace ptxwb::verify {

/// A buffer after the launch.
struct BufferAfter {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t>
        written; ///< of `out` buffers, one for each element: 1 where all its bytes were written; else empty
    std::vector<std::uint8_t> writtenBytes; ///< one for each byte of `bytes`: written by somebody, the host included
};

struct LaunchOutcome {
    emulator::Ended ended = emulator::Ended::completed;
    std::vector<Finding> findings; ///< with CUDA places
    emulator::Counters counters;
    std::optional<emulator::Work> work;                   ///< with emulator::Options::counting
    std::shared_ptr<const emulator::Recording> recording; ///< with emulator::Options::record
    std::string printed;
    std::vector<BufferAfter> buffers;                         ///< as in LaunchData
    std::vector<std::optional<emulator::Writer>> lastWriters; ///< of each of ExecuteOptions::watched, then
                                                              ///< of each of ExecuteOptions::watchedVariables
    VariableContents variablesBefore, variables; ///< of the module's `.global` ones, before and after the launch

    bool completed() const { return ended == emulator::Ended::completed; }
};

/// An element of a buffer of the launch, both by number.
struct BufferElement {
    std::size_t buffer = 0;
    std::uint64_t element = 0;
};

/// A byte of a module variable.
struct VariableByte {
    std::string variable;
    std::uint64_t offset = 0;
};

struct ExecuteOptions {
    kernel::Poison poison = kernel::Poison::first;
    emulator::Options emulator;
    std::vector<BufferElement> watched = {}; ///< whose last writers are asked for
    std::vector<VariableByte> watchedVariables = {};
    VariableContents variables = {}; ///< of module variables, in place of their initialisers
    bool otherAddresses = false;     ///< buffers lie elsewhere than in a launch without it
    Placement placement = Placement::leastAligned;
};

/// Finds the entries of all launches, the kernel's own or the spec's, in the kernel's module. Errors: as `findEntry`.
Expected<void> resolveEntries(PtxKernel& kernel, const kernel::KernelSpec& spec);

/// Decodes the kernel's entries once and keeps them. Errors as `emulator::decode`.
Expected<void> decodeEntry(PtxKernel& kernel);

/// Nothing where `data` fits the entries and the module: parameters, block sizes, variables that the spec's `globals`
/// set. Otherwise a finding `launch`.
std::optional<Finding> checkLaunch(const PtxKernel& kernel, const kernel::LaunchData& data);

/// Runs one launch of a decoded kernel. Outputs are poisoned and count as unwritten, inputs are read-only. An empty
/// launch changes nothing and completes. Errors: no memory, or a launch that no GPU takes (Cause::rejected).
Expected<LaunchOutcome> execute(const PtxKernel& kernel, const kernel::LaunchData& data, const ExecuteOptions& options,
                                std::stop_token stop);

/// What the launch does, counted in a run of its own: no checker is on, and buffers begin where a GPU's would, so that
/// sectors are those of the GPU. Nothing where the run does not complete. Errors as `execute`.
Expected<std::optional<emulator::Work>> countWork(const PtxKernel& kernel, const kernel::LaunchData& data,
                                                  std::uint64_t instructionLimit, std::stop_token stop);

} // namespace ptxwb::verify
