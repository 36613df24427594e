// One launch of a verification made again, with every checker on, and which elements of its outputs are wrong.
// Called by the worker for "replay this case".
#pragma once

#include "verify/plan.h"
#include "verify/run_case.h"

#include <stop_token>
#include <vector>

namespace ptxwb::verify {

struct Machine;
struct OracleCache;

/// Wrong elements of one output, counted in cells: a picture of where they lie.
struct OutputMap {
    std::string argument;
    std::vector<std::uint64_t> shape; ///< elements in each dimension
    std::uint64_t elements = 0, wrong = 0;
    /// The elements lie row by row: `width` a row. The last dimension of the shape, or a width of our own where there
    /// is one dimension only.
    std::uint64_t width = 1;
    std::uint64_t cellWidth = 1, cellHeight = 1; ///< elements of a cell
    std::uint32_t columns = 0, rows = 0;         ///< cells
    std::vector<std::uint32_t> cells;            ///< wrong elements of each, row by row
};

inline constexpr std::uint32_t mostCells = 128; ///< in a row and in a column

/// `wrong`: one byte an element, 1 where it is wrong.
OutputMap mapOf(std::string argument, std::vector<std::uint64_t> shape, const std::vector<std::uint8_t>& wrong);

struct ReplayReport {
    RunCase run;                    ///< that was made
    bool completed = false;         ///< the launch came to its end
    std::vector<Finding> findings;  ///< of all checkers, and of the comparison
    std::vector<OutputMap> outputs; ///< in the order of the arguments; only where something was compared
    std::string reference;          ///< what they were compared with: "reference", "baseline (why)"
    std::string notCompared;        ///< why there is no map, empty where there is one
};

/// On the emulator, whatever machine judged before. The launch is the stages' own with that size, fill and seed, its
/// poison and order of warps included; where none of them fits (another machine drew its sizes), one is made from the
/// case. Errors: a candidate that does not parse or fit (rejected), those of `verifyCandidate`.
Expected<ReplayReport> replay(const VerifyInput& input, const RunCase& wanted, const Machine& machine,
                              OracleCache& cache, std::stop_token stop = {});

nlohmann::json toJson(const ReplayReport& report);
Expected<ReplayReport> replayReportFromJson(const nlohmann::json& value);

} // namespace ptxwb::verify
