// What the funnel answers: stage by stage, then the verdict. Carried by the worker protocol, printed by the command
// line, shown by the window.
#pragma once

#include "support/diagnostic.h"
#include "verify/run_case.h"
#include "verify/work_report.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::verify {

/// In the order of the funnel. Source: verification.md.
enum class Stage : std::uint8_t { parse, assemble, function, stress, sanitize, benchmark };
enum class Status : std::uint8_t { pass, fail, skipped, inconclusive };
enum class Verdict : std::uint8_t { pass, fail, incomplete };

std::string_view name(Stage stage);
std::string_view name(Status status);
std::string_view name(Verdict verdict);
std::optional<Stage> stage(std::string_view name);
std::optional<Status> status(std::string_view name);

enum class CheckStatus : std::uint8_t { passed, failed, notRun };
std::string_view name(CheckStatus status); ///< "passed", "failed", "not_run"
std::optional<CheckStatus> checkStatus(std::string_view name);

/// What became of one of the funnel's named checks. Source: checks.h.
struct CheckOutcome {
    std::string check;
    CheckStatus status = CheckStatus::notRun;
    std::string reason; ///< what was found, or why it was not run; empty where it passed
};

struct StageResult {
    Stage stage = Stage::parse;
    Status status = Status::skipped;
    std::string backend; ///< "host", "ptxas", "emulator", "gpu"
    std::string reason;  ///< why skipped or inconclusive, or what the pass rests on ("reference: baseline")
    double seconds = 0;
    std::vector<Finding> findings;
    std::uint32_t runs = 0;              ///< launches that were judged
    std::optional<WorkReport> work = {}; ///< of sanitize: goes to the candidate's result, not with the stage
    /// What findings and status alone do not tell of single checks; folded into CandidateResult::checks by the funnel,
    /// and not carried further.
    std::vector<CheckOutcome> checks = {};
    std::vector<RunCase> cases = {}; ///< of stages that run the kernel: each launch, in their order
};

/// Code of the candidate that no run reached, or a branch that always went one way.
struct Unreached {
    std::uint32_t line = 0; ///< PTX line, from 1
    std::string what;       ///< "never reached", "the branch is always taken", "the branch is never taken"
    std::optional<CudaPlace> cuda;
};

/// A change of the candidate that the funnel did not notice.
struct Survivor {
    std::uint32_t line = 0;
    std::string what; ///< "bar.sync dropped"
};

/// How much the tests would have noticed. Source: verification.md.
struct Strength {
    std::uint32_t instructions = 0, reached = 0; ///< of the entry and what it calls
    std::uint32_t branchWays = 0, waysTaken = 0; ///< two for each conditional branch
    std::vector<Unreached> unreached;            ///< in order of the text, neighbours as one
    std::uint32_t mutants = 0, killed = 0;       ///< 0 where none were made: only deep checks make them
    std::vector<Survivor> survivors;
};

struct EntryResources {
    std::string arch, entry;
    std::uint32_t registers = 0, stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0, staticSharedBytes = 0,
                  barriers = 0, constantBytes = 0;
};

struct OccupancyFigure {
    std::string arch;
    std::uint32_t block = 0, blocksPerSm = 0, warpsPerSm = 0;
    double percent = 0;
    std::string limiter;
};

/// An assembler beside the one that the figures are of, and what became of the text under it.
struct OtherAssembler {
    std::string name;    ///< "ptxas", or "driver": its own compiler
    std::string version; ///< "12.8.93"; of a driver its release
    bool assembled = false;
    std::string textSha256;                 ///< of its machine code for the first target; empty where it is not known
    std::optional<std::uint32_t> registers; ///< of the entry
    std::optional<Status> function, stress; ///< of its machine code, on a GPU; absent: not run
    std::string reason;                     ///< why it was not run
};

/// The work that the spec states, done in the median time, in percent of what the device was measured to reach.
struct Roofline {
    double memoryPercent = 0;     ///< 0: the spec states no bytes
    double arithmeticPercent = 0; ///< 0: the spec states no operations, or no peak is known for the instructions
    std::string rate;             ///< the arithmetic that counts: "f32", "mma.f16"

    double percent() const { return memoryPercent > arithmeticPercent ? memoryPercent : arithmeticPercent; }
};

/// Of one kernel at the benchmark's size; times in microseconds. Only from a GPU.
struct Timing {
    double medianUs = 0, p10Us = 0, p90Us = 0; ///< cold: the L2 was flushed before each launch
    double hotUs = 0, graphUs = 0;             ///< launched again at once; inside a graph; 0: not measured
    std::string method;                        ///< "CUPTI kernel records", "events (why)"
    double clockMhz = 0;                       ///< of the SMs; 0: not known
    std::uint32_t discarded = 0;               ///< rounds under throttling
    std::string size;                          ///< "n = 67108864"
    std::vector<double> samplesUs;             ///< cold, in the order of the rounds
    std::optional<Roofline> roofline;
};

/// The baseline's time over the candidate's, with its 95 % interval.
struct Speedup {
    double ratio = 1, low = 1, high = 1;
    std::string call, against;             ///< faster, slower, same, unclear; the baseline's name
    double baselineUs = 0;                 ///< its median in the same rounds
    std::vector<double> baselineSamplesUs; ///< paired with Timing::samplesUs
};

struct CandidateResult {
    std::string candidate; ///< "baseline", or the candidate's file without folder and ending
    Verdict verdict = Verdict::incomplete;
    std::string sha256;            ///< of the PTX text
    std::string textSha256;        ///< of the machine code, empty where there is none
    std::string sameMachineCodeAs; ///< another candidate's name, empty where none
    std::string device;            ///< the GPU that judged, empty where none did
    std::string deviceArch;        ///< its own target, "sm_90"; empty: none, or judged before this was kept
    std::string driver;            ///< its driver's release; empty where no GPU judged or it is not known
    std::string program;           ///< version of the program that judged; empty where it is not known
    bool fromCache = false;        ///< judged earlier: all but the benchmark
    std::vector<StageResult> stages;
    std::vector<CheckOutcome> checks; ///< every check of the funnel, in its order
    std::optional<Strength> strength; ///< only where the emulator ran it with a pass
    std::vector<EntryResources> resources;
    std::vector<OccupancyFigure> occupancy;
    std::vector<OtherAssembler>
        assemblers;                 ///< beside the report's toolkit: those that were asked for, and the driver's
    std::optional<WorkReport> work; ///< counted by the emulator at the spec's last function size
    std::optional<Timing> timing;
    std::optional<Speedup> speedup;
};

struct VerifyReport {
    std::string kernel, arch, toolkit; ///< toolkit: ptxas version, empty where there is none
    std::uint64_t seed = 0;
    std::vector<CandidateResult> results;
};

/// parse, assemble, function, stress and sanitize are required: any fail makes fail, all pass makes pass, otherwise
/// incomplete; a required stage that is absent counts as not run. The benchmark can only fail.
Verdict foldVerdict(const std::vector<StageResult>& stages);

nlohmann::json toJson(const StageResult& result);
nlohmann::json toJson(const std::optional<Timing>& timing); ///< null for nothing
nlohmann::json toJson(const CandidateResult& result);
/// The answer of `ptxwb verify --json`.
nlohmann::json toJson(const VerifyReport& report);

/// The other way, for what a worker or a saved session says. Errors name the key (`stages[2].status`) and what it may
/// hold. Keys that are worked out from others (`evidence`, and `verdict`) are not taken over: the verdict is folded
/// anew.
Expected<StageResult> stageResultFromJson(const nlohmann::json& value);
Expected<Timing> timingFromJson(const nlohmann::json& value);
Expected<CandidateResult> candidateResultFromJson(const nlohmann::json& value);
Expected<VerifyReport> verifyReportFromJson(const nlohmann::json& value);

/// For a stage in a candidate's list; nullptr where it has no such stage.
const StageResult* find(const std::vector<StageResult>& stages, Stage stage);

} // namespace ptxwb::verify
