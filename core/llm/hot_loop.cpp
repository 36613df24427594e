// Which loop of a kernel is worth rewriting first.
#include "llm/region.h"

#include "ptx/analysis/dominators.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace ptxwb::llm {

namespace {

struct Weighed {
    const ptx::Loop* loop = nullptr;
    std::uint32_t instructions = 0;
    std::uint64_t weight = 0;
};

std::uint64_t weightOf(const std::set<std::uint32_t>& lines, const LineWeights& weights) {
    std::uint64_t sum = 0;
    for (const std::uint32_t line : lines)
        if (const auto found = weights.lines.find(line); found != weights.lines.end()) sum += found->second;
    return sum;
}

} // namespace

std::optional<HotLoop> hottestLoop(const ptx::Module& module, const ptx::Function& entry, const LineWeights* weights) {
    const ptx::ControlFlow flow = ptx::controlFlow(module, entry);
    const auto all = ptx::loops(flow, ptx::immediateDominators(flow));
    std::vector<Weighed> innermost;
    std::set<std::uint32_t> lines;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (std::ranges::any_of(all, [&](const ptx::Loop& other) { return other.parent == i; })) continue;
        Weighed one{&all[i]};
        lines.clear(); // two instructions on a line are counted as one
        for (const ptx::Index block : all[i].blocks)
            for (std::uint32_t at = flow.blocks[block].first; at < flow.blocks[block].end; ++at) {
                lines.insert(module.lineOf(entry.instructions[at].span.offset));
                ++one.instructions;
            }
        if (weights) one.weight = weightOf(lines, *weights);
        innermost.push_back(one);
    }
    if (innermost.empty()) return std::nullopt;
    const auto best = std::ranges::max_element(
        innermost, {}, [](const Weighed& one) { return std::tuple(one.weight, one.loop->depth, one.instructions); });
    HotLoop hot{{~0U, 0}};
    for (const ptx::Index block : best->loop->blocks) {
        const auto& [first, end] = std::pair(flow.blocks[block].first, flow.blocks[block].end);
        hot.lines.firstLine = std::min(hot.lines.firstLine, module.lineOf(entry.instructions[first].span.offset));
        hot.lines.lastLine = std::max(hot.lines.lastLine, module.lineOf(entry.instructions[end - 1].span.end()));
    }
    if (best->weight == 0) return hot;
    hot.basis = weights->basis;
    lines.clear();
    for (const ptx::Instruction& instruction : entry.instructions) lines.insert(module.lineOf(instruction.span.offset));
    hot.percent = 100.0 * static_cast<double>(best->weight) / static_cast<double>(weightOf(lines, *weights));
    return hot;
}

std::string describe(const HotLoop& loop) {
    std::string text = fmt::format("lines {} to {}, ", loop.lines.firstLine, loop.lines.lastLine);
    switch (loop.basis) {
    case HotBasis::structure: return text + "the deepest loop with most instructions: nothing was counted of any loop";
    case HotBasis::executed:
        return text + fmt::format("{:.0f} % of the warp instructions that the emulator counted", loop.percent);
    case HotBasis::samples: return text + fmt::format("{:.0f} % of the GPU's samples", loop.percent);
    }
    return text;
}

} // namespace ptxwb::llm
