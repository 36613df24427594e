// The PTX emulator: decode an entry once, then run grids of it on the host's cores with every checker watching.
// Called by the funnel (function, stress, sanitize), by `ptxwb run` and by the tests that compare with golden vectors.
#pragma once

#include "emulator/counters.h"
#include "emulator/memory.h"
#include "emulator/tensor_map.h"
#include "emulator/texture.h"
#include "ptx/module.h"
#include "support/finding.h"

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::emulator {

struct Program;   // decoded entry with everything it calls; immutable
struct Recording; // what one warp did, step by step

/// Decodes `entry` (the exact symbol) of `module` and the functions it reaches. An instruction that the emulator lacks
/// is no error here: it becomes a finding `unsupported` when a thread reaches it. Errors: no such entry (badRequest), a
/// module with errors, a variable whose initialiser takes the address of a function or of an external variable
/// (rejected).
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
    std::vector<std::uint8_t> parameters;   ///< parameterBytes() of them
    std::vector<TensorMap> tensorMaps = {}; ///< a parameter names one of them by its number: tensor_map.h
    Index3 cluster{1, 1, 1};                ///< blocks; 1: what the entry asks for
    std::vector<Texture> textures = {};     ///< and surfaces; a handle names one of them by its number: texture.h
};

/// Bytes of global memory of which the last writer is asked for.
struct Watch {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
};

/// A store or an atomic: its place in the PTX and the thread.
struct Writer {
    std::uint32_t line = 0, column = 0, length = 0;
    Index3 block{}, thread{};
};

/// A warp whose steps are wanted: recording.h.
struct RecordRequest {
    Index3 block{};
    std::uint32_t warp = 0;
    std::size_t byteLimit = std::size_t{32} << 20; ///< of what is kept; the recording ends there and says so
};

/// The checkers come first. One that is off changes no result: an access out of bounds is not made in either case. What
/// ends a run (deadlock, trap, the limit) is always reported.
struct Options {
    bool bounds = true;         ///< accesses outside of every buffer
    bool alignment = true;      ///< addresses that are no multiple of the access's size
    bool readOnly = true;       ///< stores to buffers that may only be read
    bool initialisation = true; ///< reads of memory and registers that nobody wrote
    bool races = true;          ///< of shared memory; off: `globalRaces` and `asyncCopies` too
    bool globalRaces = true;    ///< of global memory, within blocks and between them; loads by ld.global.nc of what is
                                ///< written in the same launch
    bool asyncCopies = true;    ///< shared memory that a cp.async in flight writes
    bool barriers = true;       ///< divergence at barriers, lanes outside of member masks
    bool printing = true;       ///< conversions of printf that its arguments do not match
    std::uint64_t seed = 0;     ///< 0: warps in order; otherwise their order and their slices are drawn from it
    unsigned hostThreads = 0;   ///< at most this many; 0: one a core. See `run`.
    /// Thread instructions of the whole launch: one that needs more ends out of time, whatever the host threads do.
    std::uint64_t instructionLimit = std::uint64_t{1} << 36;
    /// Where set: the run ends as at its limit when this time has come.
    std::optional<std::chrono::steady_clock::time_point> deadline = {};
    /// Bytes beside the launch's buffers, in equal parts for the check of global memory (which forgets where that is
    /// full), for the registers of calls that have not returned, and for the memory of blocks that wait for each other
    /// (so many run at once as have room, at least one a host thread).
    std::uint64_t memoryLimit = std::uint64_t{3} << 30;
    std::size_t findingLimit = 64;
    /// With any, all blocks share one host thread, so that "last" means the same in every run.
    std::vector<Watch> watched = {};
    bool counting = false; ///< RunResult::work
    /// RunResult::recording. All blocks share one host thread then.
    std::optional<RecordRequest> record = {};
};

enum class Ended : std::uint8_t {
    completed, ///< every thread reached its end
    stopped,   ///< a finding ended it: unsupported instruction, deadlock, trap
    outOfTime, ///< instructionLimit, deadline
    cancelled, ///< the stop token asked for it
};

struct RunResult {
    Ended ended = Ended::completed;
    /// One a kind and instruction (and other instruction): what the first block in which it shows found first. In order
    /// of block, then of the place in the text.
    std::vector<Finding> findings;
    Counters counters;
    std::vector<std::optional<Writer>> lastWriters; ///< of each of Options::watched; empty where no thread wrote there
    /// What vprintf printed, in the order of blocks. At most 1 MiB a host thread: a line says where more was dropped.
    std::string printed;
    std::optional<Work> work;                   ///< with Options::counting
    std::shared_ptr<const Recording> recording; ///< with Options::record, where the warp executed anything
    /// The most warp instructions that a host thread executed between two looks at the stop token and the deadline.
    std::uint64_t longestUnwatched = 0;
};

/// Runs the grid, blocks spread over host threads. A program with atomics, volatile or other strong accesses outside of
/// shared memory can make blocks wait for each other: its blocks share one host thread, in turns of a fixed number of
/// instructions.
///
/// The same program, memory, launch and seed give the same result whatever the number of host threads, except
/// - where blocks race and `globalRaces` is off: one stores what another loads or stores, with nothing that orders the
///   two. On a GPU that is undefined. With it on, such a launch runs again on one host thread from the memory that it
///   found, so that its findings and its memory are the same each time; with a seed in an order of blocks that is
///   drawn;
/// - where the run ended early. A finding that stops it: blocks before the one that stopped are finished, those behind
///   it may have begun, so findings are the same, while memory, counters and occurrences tell what had run by then. The
///   limit and the stop token: which blocks had run depends on the host's timing, and with it all the rest.
///
/// A finding does not end the run where it can go on: a bad load gives 0, a bad store is dropped. Errors: a launch that
/// no GPU would take (clusters that do not divide the grid, a block without threads or over 1,024, a grid without
/// blocks or over the limits, parameters of another size, shared memory over 227 KiB) or of more than 2^32 blocks,
/// Cause::rejected; a warp to record that the grid does not have, Cause::badRequest. A launch of more threads than
/// `instructionLimit` does not begin and ends outOfTime.
Expected<RunResult> run(const Program& program, Memory& memory, const Launch& launch, const Options& options,
                        std::stop_token stop = {});

} // namespace ptxwb::emulator
