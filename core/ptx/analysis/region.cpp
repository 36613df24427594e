#include "ptx/analysis/liveness.h"

#include <algorithm>

namespace ptxwb::ptx {

RegionLiveness regionLiveness(const Module& module, const Function& function, const ControlFlow& flow,
                              const Liveness& live, std::uint32_t firstLine, std::uint32_t lastLine) {
    RegionLiveness region;
    const auto& all = function.instructions;
    const auto onOrAfter = [&](std::uint32_t line) {
        return static_cast<std::uint32_t>(
            std::partition_point(all.begin(), all.end(),
                                 [&](const Instruction& i) { return module.lineOf(i.span.offset) < line; }) -
            all.begin());
    };
    region.first = onOrAfter(firstLine);
    region.end = std::max(region.first, onOrAfter(lastLine + 1));
    if (region.first == region.end) return region;

    const auto inside = [&](std::uint32_t i) { return i >= region.first && i < region.end; };
    std::vector<std::uint32_t> entries{region.first}, after;
    for (std::uint32_t i = region.first; i < region.end; ++i) {
        const Block& block = flow.blocks[flow.blockOf[i]];
        if (i == block.first)
            for (const Index from : block.predecessors)
                if (!inside(flow.blocks[from].end - 1)) entries.push_back(i);
        if (i + 1 != block.end) {
            if (!inside(i + 1)) after.push_back(i + 1);
            continue;
        }
        for (const Index to : block.successors)
            if (!inside(flow.blocks[to].first)) after.push_back(flow.blocks[to].first);
    }
    const auto united = [&](std::vector<std::uint32_t>& places) {
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end()), places.end());
        std::vector<Index> ids;
        for (const std::uint32_t place : places) {
            const auto more = live.liveBefore(flow, place);
            ids.insert(ids.end(), more.begin(), more.end());
        }
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        return ids;
    };
    std::vector<Index> mentioned, written;
    for (std::uint32_t i = region.first; i < region.end; ++i)
        for (const RegisterAccess& access : live.accesses.of(i)) {
            mentioned.push_back(access.reg);
            if (access.kind != Access::read) written.push_back(access.reg);
        }
    const auto keep = [](const std::vector<Index>& ids, std::vector<Index>& wanted) {
        std::sort(wanted.begin(), wanted.end());
        std::vector<Index> kept;
        for (const Index id : ids)
            if (std::binary_search(wanted.begin(), wanted.end(), id)) kept.push_back(id);
        return kept;
    };
    region.liveIn = keep(united(entries), mentioned);
    region.liveOut = keep(united(after), written);
    return region;
}

} // namespace ptxwb::ptx
