// A paired benchmark of two kernels over the same inputs: random order, fresh inputs, cold L2, one record a launch.
// Called by verify's benchmark stage inside the worker. Source: verification.md, "Benchmark".
#pragma once

#include "gpu/gpu.h"
#include "gpu/monitor.h"
#include "gpu/statistics.h"

#include <functional>

namespace ptxwb::gpu {

enum class Role : std::uint8_t {
    input,
    output,
    inout,
    scratch, ///< brought into its first state before each launch as an inout, and never compared
};

struct BenchBuffer {
    std::span<const std::uint8_t> bytes; ///< first content
    Role role = Role::input;
    std::uint32_t elementBytes = 4;
    /// The other inputs of the pool hold these elements turned round by some places: new values, of the same kind.
    /// False for indices and the like, which only make sense as they are.
    bool mayRotate = false;
    std::vector<Patch> pointers = {}; ///< of an input: addresses of other buffers in its content
    std::string variable = {};        ///< it lies in the module's variable of this name, and has no memory of its own
};

struct BenchSubject {
    const Kernel* kernel = nullptr;
    LaunchRequest shape; ///< without buffers and variables; `patches` refer to the BenchBuffers
};

/// How many launches of it are not empty.
std::size_t launchesOf(const BenchSubject& subject);

struct BenchOptions {
    double budgetSeconds = 3;
    unsigned leastRounds = 20;
    double goodEnough = 0.005; ///< width of the ratio's interval
    std::uint64_t seed = 1;
    std::chrono::milliseconds deadline{10'000}; ///< of one launch
};

/// One kernel's samples, in the order of the rounds.
struct BenchSeries {
    std::vector<double> cold; ///< seconds; the L2 was flushed before each
    std::vector<double> hot;  ///< seconds; launched again at once over the same data
    double graph = 0;         ///< seconds of one launch inside a graph of many; 0 where it was not measured
};

/// Outputs of the two after the same inputs. Returns what is wrong; empty where they agree.
using Compare = std::function<std::string(std::size_t buffer, std::span<const std::uint8_t> baseline,
                                          std::span<const std::uint8_t> candidate)>;

struct BenchResult {
    BenchSeries baseline, candidate; ///< `candidate` is empty where only one was measured
    std::string method;              ///< "CUPTI kernel records", or "events" with the reason
    unsigned rounds = 0, discarded = 0, checkedOutputs = 0;
    unsigned uncheckedOutputs = 0; ///< large ones with new bits each time, after many had been compared
    unsigned smClockMHz = 0, memoryClockMHz = 0, temperatureC = 0;
    std::string throttled;        ///< reasons under which samples were discarded
    std::string mismatch;         ///< of outputs after timed launches; empty where all agreed
    std::string problem;          ///< a fault or hang of one of them, or why nothing could be measured
    bool candidateFailed = false; ///< `problem` is the candidate's
};

/// `candidate` may have no kernel: then the baseline alone is measured. Errors: no memory for the inputs, cancellation.
Expected<BenchResult> benchmark(Gpu& gpu, const BenchSubject& baseline, const BenchSubject& candidate,
                                const std::vector<BenchBuffer>& buffers, const Compare& compare,
                                const BenchOptions& options, std::stop_token stop);

} // namespace ptxwb::gpu
