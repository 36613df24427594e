#include "report/edit_effect.h"

#include "ptx/parse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ptxwb::report {

namespace {

using emulator::WorkCounts;

std::map<std::uint32_t, const WorkCounts*> byLine(const verify::WorkReport& work) {
    std::map<std::uint32_t, const WorkCounts*> lines;
    for (const verify::WorkLine& line : work.lines) lines[line.line] = &line.counts;
    return lines;
}

WorkCounts countsAt(const std::map<std::uint32_t, const WorkCounts*>& lines, std::uint32_t line) {
    const auto found = lines.find(line);
    return line == 0 || found == lines.end() ? WorkCounts{} : *found->second;
}

double difference(std::uint64_t a, std::uint64_t b) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b));
}

/// How much a row moved: instructions, sectors and wavefronts weigh alike.
double weight(const LineEffect& line) {
    return difference(line.before.warpInstructions, line.after.warpInstructions) +
           difference(line.before.globalSectors, line.after.globalSectors) +
           difference(line.before.sharedWavefronts, line.after.sharedWavefronts);
}

std::string whyNoLines(const Version& before, const Version& after) {
    for (const Version* version : {&before, &after}) {
        if (!version->result) return version->name + " was not verified";
        if (!version->result->work)
            return version->name + " was not counted: its run on the emulator did not complete, or was not made";
    }
    if (before.result->work->sizes != after.result->work->sizes) return "both were counted at other sizes";
    return {};
}

void extend(std::uint32_t line, std::uint32_t& first, std::uint32_t& last) {
    if (line == 0) return;
    if (first == 0) first = line;
    last = line;
}

} // namespace

std::string_view name(Figure figure) {
    switch (figure) {
    case Figure::registers: return "registers";
    case Figure::spills: return "spilled bytes";
    case Figure::shared: return "static shared bytes";
    case Figure::stack: return "stack bytes";
    case Figure::instructions: return "warp instructions";
    case Figure::threadInstructions: return "thread instructions";
    case Figure::sectors: return "global sectors";
    case Figure::wavefronts: return "shared wavefronts";
    case Figure::conflicts: return "bank conflicts";
    case Figure::divergentBranches: return "divergent branches";
    case Figure::barrierWaits: return "waits at barriers";
    case Figure::occupancy: return "occupancy, percent";
    case Figure::time:
    case Figure::count_: break;
    }
    return "time, us";
}

bool lessIsBetter(Figure figure) {
    return figure != Figure::occupancy;
}

Figures figuresOf(const verify::CandidateResult& result, const std::string& arch) {
    Figures figures;
    const auto set = [&](Figure figure, double value) { figures[static_cast<std::size_t>(figure)] = value; };
    const verify::EntryResources* resources = nullptr;
    for (const verify::EntryResources& one : result.resources)
        if (one.arch == arch || !resources) resources = &one;
    if (resources) {
        set(Figure::registers, resources->registers);
        set(Figure::spills, double{0} + resources->spillStoreBytes + resources->spillLoadBytes);
        set(Figure::shared, resources->staticSharedBytes);
        set(Figure::stack, resources->stackBytes);
    }
    const verify::OccupancyFigure* occupancy = nullptr;
    for (const verify::OccupancyFigure& one : result.occupancy)
        if (one.arch == arch || !occupancy) occupancy = &one;
    if (occupancy) set(Figure::occupancy, occupancy->percent);
    if (result.work) {
        const WorkCounts& total = result.work->total;
        set(Figure::instructions, static_cast<double>(total.warpInstructions));
        set(Figure::threadInstructions, static_cast<double>(total.threadInstructions));
        set(Figure::sectors, static_cast<double>(total.globalSectors));
        set(Figure::wavefronts, static_cast<double>(total.sharedWavefronts));
        set(Figure::conflicts, static_cast<double>(total.sharedWavefronts - total.sharedIdealWavefronts));
        set(Figure::divergentBranches, static_cast<double>(total.divergentBranches));
        set(Figure::barrierWaits, static_cast<double>(total.barrierWaits));
    }
    if (result.timing) set(Figure::time, result.timing->medianUs);
    return figures;
}

EditEffect editEffect(const Version& before, const Version& after, const std::string& arch, std::stop_token stop) {
    EditEffect effect;
    effect.sameText = before.text == after.text;
    if (before.result) effect.before = figuresOf(*before.result, arch);
    if (after.result) effect.after = figuresOf(*after.result, arch);
    effect.noLines = whyNoLines(before, after);
    const bool counted = effect.noLines.empty();
    const auto left = counted ? byLine(*before.result->work) : std::map<std::uint32_t, const WorkCounts*>{};
    const auto right = counted ? byLine(*after.result->work) : std::map<std::uint32_t, const WorkCounts*>{};
    const auto leftModule = ptx::parse(before.text, "before.ptx"), rightModule = ptx::parse(after.text, "after.ptx");
    compare::CompareOptions options;
    options.lineInformation = compare::LineInformation::ignore;
    const compare::Comparison comparison = compare::compare(*leftModule, *rightModule, options, stop);
    for (const compare::Hunk& hunk : comparison.hunks) {
        HunkEffect& one = effect.hunks.emplace_back();
        one.kernel = hunk.kernel;
        for (std::uint32_t r = hunk.firstRow; r < hunk.firstRow + hunk.rowCount; ++r) {
            const compare::Row& row = comparison.rows[r];
            extend(row.leftLine, one.leftFirst, one.leftLast);
            extend(row.rightLine, one.rightFirst, one.rightLast);
            one.before += countsAt(left, row.leftLine);
            one.after += countsAt(right, row.rightLine);
        }
    }
    if (!counted) return effect;
    for (const compare::Row& row : comparison.rows) {
        LineEffect line{row.leftLine, row.rightLine, row.cls, countsAt(left, row.leftLine),
                        countsAt(right, row.rightLine)};
        if (line.before != line.after) effect.lines.push_back(std::move(line));
    }
    std::ranges::stable_sort(effect.lines, std::ranges::greater{}, weight);
    return effect;
}

} // namespace ptxwb::report
