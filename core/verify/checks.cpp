#include "verify/checks.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::verify {

namespace {

constexpr auto wayTable = std::to_array<Way>({
    {"stale_output", "the output buffer still holds the reference or an earlier result"},
    {"changes_inputs", "it changes its inputs"},
    {"remembers_answers", "it remembers an answer by pointer or by content"},
    {"right_sometimes", "it is right N times, then wrong, or skips work on some launches"},
    {"hard_coded", "sizes or seed are hard-coded"},
    {"unmasked_tail", "the tail is not masked"},
    {"out_of_bounds", "it goes out of bounds, harmlessly here"},
    {"assumes_alignment", "it assumes more alignment than it is granted"},
    {"races", "shared-memory race, missing barrier"},
    {"reads_unwritten", "it reads memory that nobody wrote"},
    {"constant_answer", "it answers with a constant, or does nothing"},
    {"hidden_precision", "the tolerance hides lower precision"},
    {"nan_slips", "a NaN slips past a comparison"},
    {"hangs", "infinite loop, diverged barrier"},
    {"faster_than_hardware", "it is faster than the hardware can be"},
    {"cache_figures", "the benchmark is fooled by the L2 cache"},
    {"noisy_figures", "the benchmark is fooled by clocks, order or a neighbour"},
    {"straw_man", "it beats a straw man"},
    {"weak_tests", "the tests are too weak to notice"},
    {"same_program", "it is the same program as before"},
});

constexpr std::string_view host = "host", ptxas = "ptxas", emulator = "emulator", gpu = "gpu", both = "emulator gpu";
constexpr std::string_view run = "function stress", all = "function stress sanitize";

constexpr auto table = std::to_array<Check>({
    // parse
    {"parser", "", "parse", host, Told::byStage, "the text is PTX: syntax, names, types and forms as ptxas takes them"},
    {"header", "", "parse", host, Told::byStage, "the `//@` lines can be read"},
    {"entry", "", "parse", host, Told::byStage, "it has the entry that the spec means"},
    {"precision", "hidden_precision", "parse", host, Told::byItself,
     "no arithmetic of lower precision than the spec's types and the baseline have (f16, bf16, tf32 in an f32 kernel)"},
    {"environment", "right_sometimes", "parse", host, Told::byItself,
     "it reads no clock, no number of a multiprocessor or warp slot: what no input decides (unless the baseline does)"},
    {"baseline_flags", "straw_man", "parse", host, Told::byItself,
     "the baseline was made from the spec's source as it is, with the project's own flags"},
    // assemble
    {"ptxas", "", "assemble", ptxas, Told::byStage, "ptxas takes it for every target"},
    {"limits", "", "assemble", ptxas, Told::byStage, "registers and shared memory stay within the spec's limits"},
    {"other_assemblers", "", "assemble function stress", "ptxas gpu", Told::byItself,
     "the ptxas of every toolkit that is named takes it too, and on a GPU what it makes is right (--toolkit)"},
    {"same_machine_code", "same_program", "assemble", ptxas, Told::byItself,
     "its machine code is another than the baseline's; where it is the same, no timing is needed"},
    // function and stress: the launch
    {"spec", "", all, both, Told::byStage, "the spec asks for nothing that cannot be run here"},
    {"parameters", "", all, both, Told::byStage, "its parameters are the spec's and the baseline's"},
    {"block_size", "", all, both, Told::byStage, "`.maxntid` and the like allow the block"},
    {"launch", "", all, both, Told::byStage, "a GPU takes its launch"},
    {"require", "", all, both, Told::byStage, "its own requirements leave sizes to run"},
    {"driver", "", run, gpu, Told::byItself, "the driver's own compiler takes it too (`ships_as: ptx`)"},
    // function and stress: what a launch does
    {"bounds", "out_of_bounds", all, both, Told::byStage,
     "every access lies inside a buffer: exact sizes, checked one by one on the emulator, unmapped pages on a GPU"},
    {"guards", "out_of_bounds", run, gpu, Told::byStage, "the pattern around every buffer is whole afterwards"},
    {"padding", "out_of_bounds", run, both, Told::byStage, "the padding between rows is whole afterwards"},
    {"alignment", "assumes_alignment", all, both, Told::byStage,
     "buffers are aligned to what the spec grants and to nothing more"},
    {"inputs", "changes_inputs", all, both, Told::byStage, "inputs are the same afterwards; a store into one is seen"},
    {"deadline", "hangs", all, both, Told::byStage, "a launch ends within its deadline"},
    {"progress", "hangs", all, emulator, Told::byStage, "no set of threads waits for what cannot come"},
    {"barrier", "hangs", all, emulator, Told::byStage, "threads of a warp meet at one barrier, not at several"},
    {"member_mask", "hangs", all, emulator, Told::byStage, "warp-wide instructions are executed by all that they name"},
    {"mbarrier", "hangs", all, emulator, Told::byStage, "mbarrier objects are used as they may be"},
    {"warpgroup", "hangs", all, emulator, Told::byStage,
     "the four warps of a warpgroup come to its instructions together"},
    {"tensor_map", "", all, emulator, Told::byStage, "tensor maps can be encoded, and copies through them fit"},
    {"texture", "", all, emulator, Told::byStage,
     "handles name textures and surfaces that fit the instruction, and coordinates are numbers"},
    {"assert", "", all, emulator, Told::byStage, "the kernel's own assertions hold"},
    {"printf", "", all, emulator, Told::byStage, "printf's conversions fit its arguments"},
    {"cluster", "hangs", all, emulator, Told::byStage,
     "blocks of a cluster reach each other's memory and mbarriers only while these are there"},
    {"trap", "", all, emulator, Told::byStage, "it does not trap"},
    {"fault", "", run, gpu, Told::byStage, "the GPU reports no other fault"},
    {"stack", "", all, emulator, Told::byStage, "calls do not go deeper than the stack"},
    {"branch_index", "", all, emulator, Told::byStage, "an index of a branch table is inside it"},
    {"call_target", "", all, emulator, Told::byStage, "a call through a register reaches a function"},
    {"emulator", "", all, emulator, Told::byStage, "the emulator knows every instruction that is reached"},
    // function and stress: the answer
    {"written", "stale_output", run, both, Told::byItself,
     "every element of an output is written: outputs are poisoned with a NaN pattern, then with a second one"},
    {"finite", "nan_slips", run, both, Told::byItself, "no NaN and no infinity where the reference has a number"},
    {"elements", "hidden_precision", run, both, Told::byItself,
     "every element is right, within what the baseline's own error allows"},
    {"compare", "", run, both, Told::byItself, "the spec's own `compare` takes the outputs"},
    {"globals", "", run, both, Told::byItself, "the module variables that the spec names hold what they must"},
    {"sizes", "unmasked_tail", run, both, Told::byItself, "right at the spec's own sizes"},
    {"edge_sizes", "unmasked_tail", "stress", both, Told::byItself,
     "right at 0, 1, tile - 1, tile, tile + 1, primes and no multiples of vector widths, inside `require`"},
    {"placements", "weak_tests", "stress", both, Told::byItself,
     "right where buffers begin at multiples of 256 bytes too, as a program's do, beyond what the spec grants"},
    {"unseen_sizes", "hard_coded", "stress", both, Told::byItself, "right at sizes that no list and no prompt shows"},
    {"large_sizes", "hard_coded", "stress", both, Told::byItself,
     "right at a size over 65,536, where an index of 16 bits starts anew, if the benchmark's sizes go beyond"},
    {"other_scalars", "hard_coded", "stress", both, Told::byItself,
     "right with other numbers for the floating-point scalars (but those that the spec calls `fixed`)"},
    {"second_seed", "hard_coded", "stress", both, Told::byItself, "right with inputs of a second seed"},
    {"fills", "constant_answer", "stress", both, Told::byItself,
     "right with other distributions: uniform, zeros, ones, cancelling, sparse, negative"},
    {"magnitudes", "hard_coded", "stress", both, Told::byItself,
     "right with values of very different magnitudes, where the baseline is"},
    {"subnormals", "hidden_precision", "stress", both, Told::byItself,
     "right with numbers so small that flushing makes zeros of them, where the baseline is"},
    {"input_dependence", "constant_answer", "stress", both, Told::byItself,
     "the output changes when the input does as far as the reference says so"},
    {"special_values", "nan_slips", "stress", both, Told::byItself,
     "NaN and infinities come out where the reference has them"},
    {"aliasing", "", "stress", both, Told::byItself, "right with buffers in one place where the spec allows it"},
    {"repeat", "races", "stress", both, Told::byItself,
     "a second launch over the same inputs, with other warp orders, gives the same bits"},
    {"module_state", "remembers_answers", run, both, Told::byItself,
     "a launch leaves nothing behind in module variables that a later one could read"},
    {"fresh_inputs", "remembers_answers", "stress", both, Told::byItself,
     "right in a row of launches with new values at the same addresses and the same values at new ones"},
    {"every_launch", "right_sometimes", "stress", both, Told::byItself,
     "right at each of a row of launches over one loaded module"},
    // sanitize
    {"shared_race", "races", "sanitize", emulator, Told::byStage, "no two threads race for shared memory"},
    {"global_race", "races", "sanitize", emulator, Told::byStage,
     "no two threads race for global memory, within blocks and between them"},
    {"read_only_path", "races", "sanitize", emulator, Told::byStage,
     "what ld.global.nc reads is not written in the same launch"},
    {"async_copy", "races", "sanitize", emulator, Told::byStage, "asynchronous copies are waited for"},
    {"async_proxy", "races", "sanitize", emulator, Told::byStage,
     "a fence.proxy.async stands between ordinary stores and the bulk copies and wgmma that read them"},
    {"wgmma", "races", "sanitize", emulator, Told::byStage,
     "registers of a wgmma are left alone until it is waited for, and fenced before it"},
    {"memory", "reads_unwritten", "sanitize", emulator, Told::byStage, "no memory is read that nothing has written"},
    {"swizzle", "", "sanitize", emulator, Told::byStage,
     "matrix descriptors of wgmma have the swizzle under which their tiles were copied"},
    {"registers", "reads_unwritten", "sanitize", emulator, Told::byStage, "no register is read that nothing has set"},
    {"sanitizer_memcheck", "out_of_bounds", "sanitize", gpu, Told::byItself, "compute-sanitizer memcheck (--deep)"},
    {"sanitizer_racecheck", "races", "sanitize", gpu, Told::byItself, "compute-sanitizer racecheck (--deep)"},
    {"sanitizer_initcheck", "reads_unwritten", "sanitize", gpu, Told::byItself, "compute-sanitizer initcheck (--deep)"},
    {"sanitizer_synccheck", "hangs", "sanitize", gpu, Told::byItself, "compute-sanitizer synccheck (--deep)"},
    {"coverage", "weak_tests", "sanitize", emulator, Told::byItself,
     "every instruction was reached and every branch went both ways in some run; what was not is listed"},
    {"mutants", "weak_tests", "sanitize", emulator, Told::byItself,
     "mutants of the candidate (barrier dropped, comparison flipped, index off by one) are noticed (--deep)"},
    // benchmark
    {"benchmark", "", "benchmark", gpu, Told::byStage, "it runs at the benchmark's size"},
    {"timed_outputs", "right_sometimes", "benchmark", gpu, Told::byStage,
     "the outputs of timed launches, each with inputs of its own, agree with the baseline's"},
    {"memory_floor", "faster_than_hardware", "benchmark", gpu, Told::byItself,
     "it takes no less time than moving the spec's bytes at the memory's peak needs"},
    {"arithmetic_floor", "faster_than_hardware", "benchmark", gpu, Told::byItself,
     "it takes no less time than the spec's operations at 1.1 times the measured peak need"},
    {"cold_cache", "cache_figures", "benchmark", gpu, Told::byStage,
     "the L2 is flushed before each timed launch; hot and graph figures are told apart"},
    {"interleaved", "noisy_figures", "benchmark", gpu, Told::byStage,
     "baseline and candidate take turns in random order; samples under throttling are discarded"},
    {"device_alone", "noisy_figures", "benchmark", gpu, Told::byStage, "nobody else uses the device meanwhile"},
});

CheckOutcome outcome(const Check& check, CheckStatus status, std::string reason = {}) {
    return {std::string(check.name), status, std::move(reason)};
}

/// What was found or said about one check, whatever its stage's status.
std::optional<CheckOutcome> told(const Check& check, const std::vector<StageResult>& stages) {
    std::optional<CheckOutcome> best;
    for (const StageResult& stage : stages) {
        for (const Finding& finding : stage.findings)
            if (finding.check == check.name && finding.kind != FindingKind::unsupported)
                return outcome(check, CheckStatus::failed, finding.message);
        for (const CheckOutcome& each : stage.checks) {
            if (each.check != check.name) continue;
            if (each.status == CheckStatus::failed) return each;
            if (!best || best->status == CheckStatus::notRun) best = each;
        }
    }
    return best;
}

CheckOutcome byStage(const Check& check, const std::vector<StageResult>& stages) {
    std::string why;
    for (const StageResult& stage : stages) {
        if (!names(check.stages, name(stage.stage))) continue;
        const bool ran = stage.status == Status::pass || stage.status == Status::fail;
        if (ran && check.told == Told::byStage && names(check.backends, stage.backend))
            return outcome(check, CheckStatus::passed);
        if (!why.empty()) continue;
        if (!ran)
            why = fmt::format("{} {}{}{}", name(stage.stage), name(stage.status), stage.reason.empty() ? "" : ": ",
                              stage.reason);
        else if (!names(check.backends, stage.backend))
            why = check.backends == gpu ? "only a GPU can tell, and none judged" : "only the emulator can tell";
    }
    return outcome(check, CheckStatus::notRun, why.empty() ? "no stage came to it" : why);
}

} // namespace

std::span<const Check> checks() {
    return table;
}

const Check* findCheck(std::string_view name) {
    const auto hit = std::ranges::find(table, name, &Check::name);
    return hit == table.end() ? nullptr : &*hit;
}

std::span<const Way> ways() {
    return wayTable;
}

bool names(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const auto end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == word) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

std::vector<CheckOutcome> foldChecks(const CandidateResult& result) {
    std::vector<CheckOutcome> outcomes;
    for (const Check& check : table) {
        auto known = told(check, result.stages);
        outcomes.push_back(known ? std::move(*known) : byStage(check, result.stages));
    }
    return outcomes;
}

nlohmann::json checksToJson() {
    const auto words = [](std::string_view list) {
        nlohmann::json result = nlohmann::json::array();
        while (!list.empty()) {
            const auto end = std::min(list.find(' '), list.size());
            result.push_back(list.substr(0, end));
            list.remove_prefix(std::min(end + 1, list.size()));
        }
        return result;
    };
    nlohmann::json waysJson = nlohmann::json::array(), checksJson = nlohmann::json::array();
    for (const Way& way : wayTable) waysJson.push_back({{"way", way.name}, {"what", way.what}});
    for (const Check& check : table)
        checksJson.push_back({{"check", check.name},
                              {"way", check.row.empty() ? nlohmann::json(nullptr) : nlohmann::json(check.row)},
                              {"stages", words(check.stages)},
                              {"backends", words(check.backends)},
                              {"what", check.what}});
    return {{"schema", 1}, {"ways", std::move(waysJson)}, {"checks", std::move(checksJson)}};
}

} // namespace ptxwb::verify
