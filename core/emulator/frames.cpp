#include "emulator/state.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

void dropFrame(Warp& warp, Frame* frame) {
    auto it = std::ranges::find(warp.frames, frame, [](const auto& f) { return f.get(); });
    warp.spareFrames.push_back(std::move(*it));
    warp.frames.erase(it);
}

} // namespace

Frame* newFrame(Engine& engine, Warp& warp, const DecodedFunction& function, Frame* parent, std::uint32_t lanes) {
    std::unique_ptr<Frame> frame;
    if (!warp.spareFrames.empty()) {
        frame = std::move(warp.spareFrames.back());
        warp.spareFrames.pop_back();
    } else {
        frame = std::make_unique<Frame>();
    }
    frame->function = &function;
    frame->parent = parent;
    frame->lanes = lanes;
    frame->depth = parent ? parent->depth + 1 : 0;
    frame->localBase = parent ? parent->localBase + parent->function->localBytes : 0;
    const std::size_t words = function.registerBytes / 8 + 8;
    if (frame->registerStorage.size() < words) {
        engine.frameBytes += (words - frame->registerStorage.size()) * 8;
        frame->registerStorage.resize(words);
    }
    const auto start = reinterpret_cast<std::uintptr_t>(frame->registerStorage.data());
    frame->registers = reinterpret_cast<std::uint8_t*>((start + 63) & ~std::uintptr_t{63});
    // A register that some path leaves unwritten reads as 0, so that a wrong kernel is wrong in the same way each time.
    frame->written.assign(function.tracked.size(), 0);
    for (const SlotRef& slot : function.trackedSlots) {
        const std::size_t bytes = slot.bytes == 0 ? 4 : slot.bytes * std::size_t{32};
        std::fill_n(frame->registers + (slot.slot & slotOffsetMask), bytes, std::uint8_t{0});
    }
    if (engine.options.initialisation && function.localBytes)
        forLanes(lanes, [&](unsigned lane) {
            std::fill_n(warp.localWritten.begin() +
                            static_cast<std::ptrdiff_t>(lane * engine.localCapacity + frame->localBase),
                        function.localBytes, std::uint8_t{0});
        });
    warp.frames.push_back(std::move(frame));
    return warp.frames.back().get();
}

void leaveFrame(Warp& warp, Frame* frame, std::uint32_t lanes, Leaving leaving) {
    while (frame) {
        Frame* parent = frame->parent;
        frame->lanes &= ~lanes;
        if (!frame->lanes) dropFrame(warp, frame);
        if (leaving == Leaving::byReturn) break;
        frame = parent;
    }
}

void copyArguments(const Step& step, const Frame& from, const Frame& to, const std::vector<ArgumentCopy>& copies,
                   std::uint32_t mask) {
    forLanes(mask, [&](unsigned lane) {
        const std::size_t base = std::size_t{lane} * step.engine.localCapacity;
        auto& local = step.warp.local;
        auto& written = step.warp.localWritten;
        for (const ArgumentCopy& copy : copies) {
            const std::size_t a = base + from.localBase + copy.from;
            const std::size_t b = base + to.localBase + copy.to;
            std::copy_n(local.data() + a, copy.bytes, local.data() + b);
            std::copy_n(written.data() + a, copy.bytes, written.data() + b);
        }
    });
}

void startWarp(Engine& engine, Block& block, Warp& warp) {
    for (auto& frame : warp.frames) warp.spareFrames.push_back(std::move(frame));
    warp.frames.clear();
    warp.splits.clear();
    warp.executed = 0;
    warp.overtaken = 0;
    warp.copies.clear();
    warp.copiesKept = 0;
    warp.copyGroups = {};
    warp.clusterArrived = warp.clusterDone = 0;
    const std::uint32_t first = warp.index * 32;
    const std::uint32_t lanes = std::min(block.threads - first, 32U);
    warp.live = lanes == 32 ? ~0U : (1U << lanes) - 1;
    const std::size_t localBytes = std::size_t{engine.localCapacity} * 32;
    if (warp.local.size() < localBytes) {
        warp.local.resize(localBytes);
        warp.localWritten.resize(localBytes);
    }
    fillSpecials(engine, block, warp);
    Frame* frame = newFrame(engine, warp, engine.program.functions.front(), nullptr, warp.live);
    warp.splits.push_back({warp.live, 0, frame, SplitState::ready, 0});
}

void exitLanes(Block& block, Warp& warp, std::uint32_t mask) {
    warp.live &= ~mask;
    block.liveThreads -= static_cast<std::uint32_t>(std::popcount(mask));
}

} // namespace ptxwb::emulator
