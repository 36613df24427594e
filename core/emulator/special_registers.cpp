#include "emulator/emitter.h"
#include "emulator/state.h"

namespace ptxwb::emulator {

/// Source: PTX ISA 9.0, 10 Special Registers. The emulated device has one multiprocessor.
void fillSpecials(const Engine& engine, const Block& block, Warp& warp) {
    constexpr std::size_t words = specialSlotBytes / 8;
    warp.specials.resize(static_cast<std::size_t>(Special::count_) * words + 8);
    auto* base = reinterpret_cast<std::uint32_t*>(warp.specials.data());
    const Launch& launch = engine.launch;
    auto set = [&](Special s, auto value) {
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            base[static_cast<std::size_t>(s) * 32 + lane] = static_cast<std::uint32_t>(value(lane));
    };
    auto same = [&](Special s, std::uint32_t value) { set(s, [value](std::uint32_t) { return value; }); };
    set(Special::tidX, [&](std::uint32_t lane) { return threadIndex(launch, warp.index, lane)[0]; });
    set(Special::tidY, [&](std::uint32_t lane) { return threadIndex(launch, warp.index, lane)[1]; });
    set(Special::tidZ, [&](std::uint32_t lane) { return threadIndex(launch, warp.index, lane)[2]; });
    const std::uint32_t dynamic = launch.dynamicSharedBytes;
    const std::pair<Special, std::uint32_t> uniform[] = {
        {Special::ntidX, launch.block[0]},
        {Special::ntidY, launch.block[1]},
        {Special::ntidZ, launch.block[2]},
        {Special::ctaidX, block.index[0]},
        {Special::ctaidY, block.index[1]},
        {Special::ctaidZ, block.index[2]},
        {Special::nctaidX, launch.grid[0]},
        {Special::nctaidY, launch.grid[1]},
        {Special::nctaidZ, launch.grid[2]},
        {Special::warpid, warp.index},
        {Special::nwarpid, (block.threads + 31) / 32},
        {Special::smid, 0},
        {Special::nsmid, 1},
        {Special::gridid, 1},
        {Special::dynamicSmemSize, dynamic},
        {Special::totalSmemSize, dynamic + engine.program.staticSharedBytes},
        {Special::zero, 0}};
    for (const auto& [special, value] : uniform) same(special, value);
    set(Special::laneid, [](std::uint32_t lane) { return lane; });
    set(Special::lanemaskEq, [](std::uint32_t lane) { return 1U << lane; });
    set(Special::lanemaskLt, [](std::uint32_t lane) { return (1U << lane) - 1; });
    set(Special::lanemaskLe, [](std::uint32_t lane) { return ((1U << lane) - 1) | 1U << lane; });
    set(Special::lanemaskGe, [](std::uint32_t lane) { return ~((1U << lane) - 1); });
    set(Special::lanemaskGt, [](std::uint32_t lane) { return ~(((1U << lane) - 1) | 1U << lane); });
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
                                                              {"%total_smem_size", Special::totalSmemSize}};
    for (const auto& [text, special] : names)
        if (text == name) return special;
    return std::nullopt;
}

} // namespace ptxwb::emulator
