#include "emulator/cluster.h"
#include "emulator/emitter.h"

namespace ptxwb::emulator {

namespace {

template <class F>
void setSpecial(Warp& warp, Special special, F value) {
    auto* words = reinterpret_cast<std::uint32_t*>(warp.specials.data()) + static_cast<std::size_t>(special) * 32;
    for (std::uint32_t lane = 0; lane < 32; ++lane) words[lane] = value(lane);
}

/// What is the same for this warp of every block.
void fillFixed(const Engine& engine, const Block& block, Warp& warp) {
    const Launch& launch = engine.launch;
    for (unsigned axis = 0; axis < 3; ++axis) {
        const auto at = [axis](Special x) { return static_cast<Special>(static_cast<unsigned>(x) + axis); };
        setSpecial(warp, at(Special::tidX),
                   [&](std::uint32_t lane) { return threadIndex(launch, warp.index, lane)[axis]; });
        setSpecial(warp, at(Special::ntidX), [&](std::uint32_t) { return launch.block[axis]; });
        setSpecial(warp, at(Special::nctaidX), [&](std::uint32_t) { return launch.grid[axis]; });
    }
    const std::uint32_t dynamic = launch.dynamicSharedBytes;
    const std::pair<Special, std::uint32_t> uniform[] = {
        {Special::warpid, warp.index},
        {Special::nwarpid, (block.threads + 31) / 32},
        {Special::smid, 0},
        {Special::nsmid, 1},
        {Special::gridid, 1},
        {Special::dynamicSmemSize, dynamic},
        {Special::totalSmemSize, dynamic + engine.program.staticSharedBytes}};
    for (const auto& [special, value] : uniform) setSpecial(warp, special, [v = value](std::uint32_t) { return v; });
    setSpecial(warp, Special::laneid, [](std::uint32_t lane) { return lane; });
    setSpecial(warp, Special::lanemaskEq, [](std::uint32_t lane) { return 1U << lane; });
    setSpecial(warp, Special::lanemaskLt, [](std::uint32_t lane) { return (1U << lane) - 1; });
    setSpecial(warp, Special::lanemaskLe, [](std::uint32_t lane) { return ((1U << lane) - 1) | 1U << lane; });
    setSpecial(warp, Special::lanemaskGe, [](std::uint32_t lane) { return ~((1U << lane) - 1); });
    setSpecial(warp, Special::lanemaskGt, [](std::uint32_t lane) { return ~(((1U << lane) - 1) | 1U << lane); });
}

} // namespace

/// Source: PTX ISA 9.0, 10 Special Registers. The emulated device has one multiprocessor.
void fillSpecials(const Engine& engine, const Block& block, Warp& warp) {
    if (warp.specials.empty()) {
        warp.specials.resize(static_cast<std::size_t>(Special::count_) * specialSlotBytes / 8);
        fillFixed(engine, block, warp);
    }
    for (unsigned axis = 0; axis < 3; ++axis)
        setSpecial(warp, static_cast<Special>(static_cast<unsigned>(Special::ctaidX) + axis),
                   [&](std::uint32_t) { return block.index[axis]; });
    const Cluster& cluster = *block.cluster;
    if (cluster.blocks.size() == 1 && !engine.program.usesClusters) return;
    for (unsigned axis = 0; axis < 3; ++axis) {
        const std::uint32_t inGrid = engine.launch.grid[axis] / cluster.size[axis];
        const std::pair<Special, std::uint32_t> values[] = {
            {Special::clusteridX, cluster.index[axis]},
            {Special::nclusteridX, inGrid},
            {Special::clusterCtaidX, block.index[axis] - cluster.index[axis] * cluster.size[axis]},
            {Special::clusterNctaidX, cluster.size[axis]}};
        for (const auto& [special, value] : values)
            setSpecial(warp, static_cast<Special>(static_cast<unsigned>(special) + axis),
                       [v = value](std::uint32_t) { return v; });
    }
    const bool isExplicit = cluster.blocks.size() > 1;
    const std::pair<Special, std::uint32_t> uniform[] = {
        {Special::clusterCtarank, block.rank},
        {Special::clusterNctarank, static_cast<std::uint32_t>(cluster.blocks.size())},
        {Special::isExplicitCluster, isExplicit ? ~0U : 0}};
    for (const auto& [special, value] : uniform) setSpecial(warp, special, [v = value](std::uint32_t) { return v; });
}

std::optional<Special> specialNamed(std::string_view name) {
    constexpr std::pair<std::string_view, Special> names[] = {{"%tid.x", Special::tidX},
                                                              {"%tid.y", Special::tidY},
                                                              {"%tid.z", Special::tidZ},
                                                              {"%ntid.x", Special::ntidX},
                                                              {"%ntid.y", Special::ntidY},
                                                              {"%ntid.z", Special::ntidZ},
                                                              {"%ctaid.x", Special::ctaidX},
                                                              {"%ctaid.y", Special::ctaidY},
                                                              {"%ctaid.z", Special::ctaidZ},
                                                              {"%nctaid.x", Special::nctaidX},
                                                              {"%nctaid.y", Special::nctaidY},
                                                              {"%nctaid.z", Special::nctaidZ},
                                                              {"%laneid", Special::laneid},
                                                              {"%warpid", Special::warpid},
                                                              {"%nwarpid", Special::nwarpid},
                                                              {"%smid", Special::smid},
                                                              {"%nsmid", Special::nsmid},
                                                              {"%gridid", Special::gridid},
                                                              {"%lanemask_eq", Special::lanemaskEq},
                                                              {"%lanemask_le", Special::lanemaskLe},
                                                              {"%lanemask_lt", Special::lanemaskLt},
                                                              {"%lanemask_ge", Special::lanemaskGe},
                                                              {"%lanemask_gt", Special::lanemaskGt},
                                                              {"%dynamic_smem_size", Special::dynamicSmemSize},
                                                              {"%total_smem_size", Special::totalSmemSize},
                                                              {"%clusterid.x", Special::clusteridX},
                                                              {"%clusterid.y", Special::clusteridY},
                                                              {"%clusterid.z", Special::clusteridZ},
                                                              {"%nclusterid.x", Special::nclusteridX},
                                                              {"%nclusterid.y", Special::nclusteridY},
                                                              {"%nclusterid.z", Special::nclusteridZ},
                                                              {"%cluster_ctaid.x", Special::clusterCtaidX},
                                                              {"%cluster_ctaid.y", Special::clusterCtaidY},
                                                              {"%cluster_ctaid.z", Special::clusterCtaidZ},
                                                              {"%cluster_nctaid.x", Special::clusterNctaidX},
                                                              {"%cluster_nctaid.y", Special::clusterNctaidY},
                                                              {"%cluster_nctaid.z", Special::clusterNctaidZ},
                                                              {"%cluster_ctarank", Special::clusterCtarank},
                                                              {"%cluster_nctarank", Special::clusterNctarank}};
    for (const auto& [text, special] : names)
        if (text == name) return special;
    return std::nullopt;
}

} // namespace ptxwb::emulator
