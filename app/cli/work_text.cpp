#include "work_text.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace ptxwb::cli {

namespace {

using emulator::WorkCounts;
using verify::CandidateResult;

constexpr std::uint32_t stepsShown = 200;

std::string sizesText(const kernel::Symbols& sizes) {
    std::vector<std::string> parts;
    for (const auto& [symbol, value] : sizes) parts.push_back(fmt::format("{} = {}", symbol, value));
    return fmt::format("{}", fmt::join(parts, ", "));
}

double percent(std::uint64_t part, std::uint64_t all) {
    return all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 100.0;
}

/// Line `number` of the text without its indentation.
std::string_view sourceLine(std::string_view text, std::uint32_t number) {
    for (std::uint32_t i = 1; i < number; ++i) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text;
}

/// What of a line's counts a person looks for.
std::string remarks(const WorkCounts& c) {
    std::vector<std::string> parts;
    if (c.globalRequests) parts.push_back(fmt::format("{} sectors, ideal {}", c.globalSectors, c.globalIdealSectors));
    if (c.sharedRequests)
        parts.push_back(fmt::format("{} wavefronts, ideal {}, up to {} ways", c.sharedWavefronts,
                                    c.sharedIdealWavefronts, c.sharedWays));
    if (c.localRequests) parts.push_back(fmt::format("{} bytes of local memory", c.localBytes));
    if (c.atomicCollisions) parts.push_back(fmt::format("{} lanes meet in an address", c.atomicCollisions));
    if (c.tensorInstructions) parts.push_back(fmt::format("{} tensor operations", c.tensorOperations));
    if (c.barrierWaits) parts.push_back(fmt::format("{} waits", c.barrierWaits));
    if (c.divergentBranches) parts.push_back(fmt::format("{} of {} branches diverge", c.divergentBranches, c.branches));
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string valueText(const std::string& type, std::uint64_t value) {
    if (type == "f32") return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    if (type == "f64") return fmt::format("{}", std::bit_cast<double>(value));
    return value < 65536 ? fmt::format("{}", value) : fmt::format("0x{:x}", value);
}

} // namespace

std::string workText(const std::vector<CandidateResult>& results) {
    const auto counted = std::ranges::find_if(results, [](const auto& r) { return r.work.has_value(); });
    if (counted == results.end()) return {};
    std::size_t width = 9;
    for (const CandidateResult& result : results) width = std::max(width, result.candidate.size());
    const std::string sizes = sizesText(counted->work->sizes);
    std::string text = fmt::format("counted by the emulator at {} (PTX instructions, no time)\n{:<{}}  {:>13}  {:>9}  "
                                   "{:>13}  {:>9}  {:>17}  {:>9}\n",
                                   sizes, "candidate", width, "thread instr.", "lanes", "sectors", "of ideal",
                                   "shared wavefronts", "conflicts");
    for (const CandidateResult& result : results) {
        if (!result.work) continue;
        const WorkCounts& c = result.work->total;
        text += fmt::format("{:<{}}  {:>13}  {:>7.1f} %  {:>13}  {:>7.0f} %  {:>17}  {:>9}", result.candidate, width,
                            c.threadInstructions, percent(c.threadInstructions, 32 * c.warpInstructions),
                            c.globalSectors, percent(c.globalSectors, c.globalIdealSectors), c.sharedWavefronts,
                            c.sharedWavefronts - c.sharedIdealWavefronts);
        if (sizesText(result.work->sizes) != sizes) text += fmt::format("  at {}", sizesText(result.work->sizes));
        text += '\n';
    }
    return text;
}

std::string workText(const verify::WorkReport& report, const std::string& text) {
    std::string out;
    emulator::eachWorkCount(report.total, [&](const char* name, std::uint64_t value) {
        if (value) out += fmt::format("  {:<22} {}\n", name, value);
    });
    out += "  instructions by kind, warps and threads:\n";
    for (std::size_t i = 0; i < report.mix.size(); ++i)
        if (report.mix[i].warpInstructions)
            out += fmt::format("    {:<15} {:>12} {:>14}\n", name(static_cast<emulator::InstructionClass>(i)),
                               report.mix[i].warpInstructions, report.mix[i].threadInstructions);
    out += "  lines that access memory, wait or diverge (times, lanes of 32):\n";
    for (const verify::WorkLine& line : report.lines) {
        const std::string what = remarks(line.counts);
        if (what.empty()) continue;
        const double lanes = percent(line.counts.threadInstructions, 32 * line.counts.warpInstructions) * 0.32;
        out += fmt::format("  {:>6} {:>9} {:>5.1f}  {:<50}  {}\n", line.line, line.counts.warpInstructions, lanes, what,
                           sourceLine(text, line.line));
    }
    return out;
}

std::string stepsText(const emulator::Recording& recording, const std::string& text) {
    std::string out = fmt::format("warp {} of block ({}, {}, {}): {} steps{}{}\n", recording.warp, recording.block[0],
                                  recording.block[1], recording.block[2], recording.steps.size(),
                                  recording.stoppedEarly.empty() ? "" : "; ", recording.stoppedEarly);
    emulator::WarpStepper stepper(
        std::shared_ptr<const emulator::Recording>(&recording, [](const emulator::Recording*) {}));
    for (const emulator::RecordedStep* step = stepper.step(); step && stepper.position() < stepsShown;
         stepper.forward(), step = stepper.step()) {
        const std::uint32_t line = recording.places[step->place].line;
        const auto lane = static_cast<unsigned>(std::countr_zero(step->lanes));
        out += fmt::format("  {:>5}  line {:>5}  lanes {:08x}  {}\n", stepper.position(), line, step->lanes,
                           sourceLine(text, line));
        const auto& registers = recording.functions[recording.regions[step->frame].function].registers;
        for (const emulator::RegisterChange& change : stepper.registerChanges()) {
            if (lane > 31 || !(change.lanes >> lane & 1)) continue;
            const auto& r = registers[change.number];
            out +=
                fmt::format("         lane {}: {} {} -> {}\n", lane, r.name,
                            valueText(r.type, change.before.lanes[lane]), valueText(r.type, change.after.lanes[lane]));
        }
        for (const Finding* finding : stepper.findings())
            out += fmt::format("         {}: {}\n", name(finding->kind), finding->message);
    }
    if (recording.steps.size() > stepsShown)
        out += fmt::format("  and {} more steps; `--json` has all of them\n", recording.steps.size() - stepsShown);
    return out;
}

} // namespace ptxwb::cli
