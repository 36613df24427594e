// The PTX emulator: decode an entry once, then run grids of it on the host's cores with every checker watching.
// Called by the funnel (function, stress, sanitize), by `ptxwb run` and by the tests that compare with golden vectors.
#pragma once

#include "emulator/memory.h"
#include "ptx/module.h"
#include "support/finding.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::emulator {

struct Program; // decoded entry with everything it calls; immutable

/// Decodes `entry` (the exact symbol) of `module` and the functions it reaches. An instruction that the emulator lacks
/// is no error here: it becomes a finding `unsupported` when a thread reaches it. Errors: no such entry (badRequest), a
/// module with errors (rejected), a global variable that cannot be laid out.
Expected<std::shared_ptr<const Program>> decode(std::shared_ptr<const ptx::Module> module, std::string_view entry);

/// One parameter of the entry as the driver's API sees it. Offsets follow size and alignment (PTX ISA 9.0, 5.1.6.2).
struct ParameterLayout {
    std::string_view name;
    std::uint32_t offset = 0, size = 0; ///< bytes
};
std::vector<ParameterLayout> parameterLayout(const Program& program);
/// Bytes of the whole parameter block.
std::uint32_t parameterBytes(const Program& program);
/// Bytes of statically declared shared memory.
std::uint32_t staticSharedBytes(const Program& program);

struct Launch {
    Index3 grid{1, 1, 1};
    Index3 block{1, 1, 1};
    std::uint32_t dynamicSharedBytes = 0;
    std::vector<std::uint8_t> parameters; ///< parameterBytes() of them
};

/// Bounds, alignment, stores to read-only buffers, barriers and deadlock are always checked.
struct Options {
    bool initialisation = true; ///< report reads of memory and registers that nobody wrote
    bool races = true;          ///< report shared-memory races
    std::uint64_t seed = 0;     ///< 0: warps in order; otherwise their order and their slices are drawn from it
    unsigned hostThreads = 0;   ///< 0: one a core. Never changes a result.
    std::uint64_t instructionLimit = std::uint64_t{1} << 36; ///< thread instructions of the whole launch
    std::size_t findingLimit = 64;
};

struct Counters {
    std::uint64_t warpInstructions = 0;
    std::uint64_t threadInstructions = 0; ///< of active lanes whose guard held
    std::uint64_t globalLoadBytes = 0, globalStoreBytes = 0;
    std::uint64_t sharedAccesses = 0;                  ///< warp-level requests
    std::uint64_t barriers = 0;                        ///< barriers completed by a whole block
    std::uint64_t branches = 0, divergentBranches = 0; ///< warp-level

    Counters& operator+=(const Counters& other);
};

enum class Ended : std::uint8_t {
    completed, ///< every thread reached its end
    stopped,   ///< a finding ended it: unsupported instruction, deadlock, trap
    outOfTime, ///< instructionLimit
    cancelled,
};

struct RunResult {
    Ended ended = Ended::completed;
    std::vector<Finding> findings; ///< one a kind and line (and other line), first occurrence by block, then thread
    Counters counters;
    std::string printed; ///< what the kernel printed with vprintf, in order of blocks
};

/// Runs the grid. The same program, memory, launch and seed give the same result whatever the number of host threads
/// (where a finding or a limit stopped the run early, counters and occurrences tell what had run by then). A finding
/// does not end the run where it can go on: a bad load gives 0, a bad store is dropped. Errors: a launch that no GPU
/// would take (block over 1,024 threads, zero block, parameters of another size, shared memory over 227 KiB),
/// Cause::rejected.
Expected<RunResult> run(const Program& program, Memory& memory, const Launch& launch, const Options& options,
                        std::stop_token stop = {});

} // namespace ptxwb::emulator
