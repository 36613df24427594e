#include "emulator/block_order.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

using Releases = std::vector<std::pair<std::uint64_t, RaceShadow::Clocks>>;

void joinInto(RaceShadow::Clocks& to, const RaceShadow::Clocks& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], from[i]);
}

/// The last one numbered `number` or less; nullptr where there is none.
const RaceShadow::Clocks* upTo(const Releases& releases, std::uint64_t number) {
    const auto after = std::ranges::upper_bound(releases, number, {}, [](const auto& r) { return r.first; });
    return after == releases.begin() ? nullptr : &std::prev(after)->second;
}

void append(Releases& releases, std::uint64_t number, const RaceShadow::Clocks& clocks) {
    releases.emplace_back(number, clocks);
    if (releases.size() > 1) joinInto(releases.back().second, releases[releases.size() - 2].second);
}

} // namespace

void BlockOrder::startBlock(bool speaks) {
    eras.fill({});
    if (!speaks) return;
    warps.fill({});
    here.clear();
}

std::optional<std::uint32_t> BlockOrder::lastFence(std::uint32_t warp) const {
    const Warp& w = warps[warp];
    if (!w.block.passed) return std::nullopt;
    return (w.device.passed ? w.device : w.block).clocks[warp];
}

void BlockOrder::barrier(std::uint32_t warpMask) {
    Warp joined;
    bool news = false;
    const auto each = [&](auto f) {
        for (std::uint32_t w = 0; w < warps.size(); ++w)
            if (warpMask >> w & 1) f(warps[w]);
    };
    each([&](const Warp& w) { news |= w.acquired || w.device.passed || w.block.passed; });
    if (!news) return;
    each([&](const Warp& w) {
        joined.acquired = std::max(joined.acquired, w.acquired);
        // A thread that passed a fence before the barrier has done so for whoever stores a flag behind the barrier.
        for (const auto& [from, to] : {std::pair{&w.device, &joined.device}, std::pair{&w.block, &joined.block}}) {
            if (!from->passed) continue;
            to->passed = true;
            joinInto(to->clocks, from->clocks);
        }
    });
    each([&](Warp& w) {
        w.acquired = joined.acquired;
        w.device = joined.device;
        w.block = joined.block;
        w.released = 0;
    });
}

void BlockOrder::learnFromAll(std::uint32_t warp) {
    Warp& own = warps[warp];
    std::uint64_t most = own.acquired;
    for (const Warp& w : warps) most = std::max(most, w.acquired);
    if (most == own.acquired) return;
    own.acquired = most;
    own.released = 0;
}

void ReleaseHistory::renew(BlockOrder& order) const {
    if (order.generation == m_generation) return;
    order.generation = m_generation;
    order.here.clear();
    order.eras.fill({});
    for (BlockOrder::Warp& w : order.warps) w.released = w.seenHere = 0;
}

void ReleaseHistory::acquire(const WarpPlace& who, std::uint64_t number, std::uint64_t here) {
    BlockOrder::Warp& w = who.order.warps[who.warp];
    if (number > w.acquired) {
        w.acquired = number;
        w.released = 0;
    }
    if (!here) return;
    if (const RaceShadow::Clocks* clocks = upTo(who.order.here, here)) {
        who.clocks.acquire(who.warp, *clocks);
        w.released = 0;
    }
}

void ReleaseHistory::fence(const WarpPlace& who, Scope scope) {
    renew(who.order);
    BlockOrder::Warp& w = who.order.warps[who.warp];
    acquire(who, w.seen, w.seenHere);
    w.seen = w.seenHere = 0;
    w.block.passed = true;
    who.clocks.release(who.warp, w.block.clocks);
    w.released = 0;
    if (scope == Scope::block) return;
    w.device.passed = true;
    joinInto(w.device.clocks, w.block.clocks);
}

void ReleaseHistory::strongRead(const WarpPlace& who, std::uint64_t cell, bool acquires) {
    if (m_cells.empty()) return;
    const auto it = m_cells.find(cell);
    if (it == m_cells.end()) return;
    renew(who.order);
    const std::uint64_t here = it->second.block == who.block ? it->second.releasedHere : 0;
    if (acquires) return acquire(who, it->second.released, here);
    BlockOrder::Warp& w = who.order.warps[who.warp];
    w.seen = std::max(w.seen, it->second.released);
    w.seenHere = std::max(w.seenHere, here);
}

void ReleaseHistory::strongWrite(const WarpPlace& who, std::uint64_t cell, bool releases, Scope scope) {
    renew(who.order);
    if (releases) fence(who, scope);
    BlockOrder::Warp& w = who.order.warps[who.warp];
    if (!w.block.passed) return; // no fence before: it tells nothing
    if (!w.released) {
        w.released = ++m_last;
        append(who.order.here, w.released, w.block.clocks);
        ++m_size;
        if (w.device.passed) {
            append(m_releases[who.block], w.released, w.device.clocks);
            ++m_size;
        }
    }
    Cell& to = m_cells[cell];
    if (w.device.passed) to.released = w.released;
    to.releasedHere = w.released;
    to.block = who.block;
}

void ReleaseHistory::strongUpdate(const WarpPlace& who, std::uint64_t cell, bool acquires, bool releases, Scope scope) {
    const auto found = m_cells.find(cell);
    const std::uint64_t before = found == m_cells.end() ? 0 : found->second.released;
    strongRead(who, cell, acquires);
    strongWrite(who, cell, releases, scope);
    if (!before) return;
    std::uint64_t& released = m_cells[cell].released;
    released = std::max(released, before);
}

bool ReleaseHistory::isKnown(const WarpPlace& who, std::uint32_t block, std::uint32_t warp, std::uint32_t clock) const {
    const std::uint64_t acquired = who.order.warps[who.warp].acquired;
    if (!acquired) return false;
    const auto it = m_releases.find(block);
    if (it == m_releases.end()) return false;
    const RaceShadow::Clocks* clocks = upTo(it->second, acquired);
    return clocks && (*clocks)[warp] >= clock;
}

void ReleaseHistory::forget() {
    m_cells.clear();
    m_releases.clear();
    m_size = 0;
    ++m_generation;
}

} // namespace ptxwb::emulator
