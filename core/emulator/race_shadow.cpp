#include "emulator/race_shadow.h"

#include <algorithm>
#include <bit>

namespace ptxwb::emulator {

void RaceShadow::startBlock(std::uint32_t warps, std::uint32_t bytes, std::uint32_t granule) {
    const std::uint32_t cells = (bytes + granule - 1) / granule;
    // Clocks share a word with the lane: start afresh long before they run out of bits.
    const bool fresh = warps != m_warps || cells != m_cells || granule != m_granule || m_highest > (1U << 25);
    if (fresh) {
        m_warps = warps;
        m_cells = cells;
        m_granule = granule;
        m_highest = 0;
        m_writeClock.assign(cells + padding, 0);
        m_writePlace.assign(cells + padding, 0);
        m_writeThread.assign(cells + padding, 0);
        m_readTag.assign(std::size_t{cells} * warps + padding, 0);
        m_readPlace.assign(std::size_t{cells} * warps + padding, 0);
        m_lastRead.assign(cells + padding, 0);
        m_released.clear();
        m_width = (warps + 15) / 16 * 16;
    }
    m_start = m_highest;
    // The first stamp is of what other blocks do there, which is not followed: everybody knows it.
    for (auto& known : m_knows) known.fill(m_start + 1);
    m_now.fill(m_start + 2);
    m_leastKnown.fill(m_start + 1);
    m_highest = m_start + 2;
}

EarlierAccess RaceShadow::withLastWrite(std::uint32_t warp, std::uint32_t lane, std::uint32_t cell, Kind kind) const {
    const std::uint32_t writer = m_writeThread[cell] & 0x7FFF;
    const bool strongWriter = m_writeThread[cell] >> 15;
    if (m_writeClock[cell] <= m_knows[warp][writer / 32] || writer == warp * 32 + lane ||
        (strongWriter && kind == Kind::strong))
        return {};
    return {true, true, strongWriter, writer / 32, writer % 32, m_writePlace[cell]};
}

EarlierAccess RaceShadow::read(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes,
                               std::uint32_t place, Kind kind) {
    EarlierAccess conflict;
    const std::uint32_t now = m_now[warp];
    for (std::uint32_t cell = offset / m_granule; cell <= (offset + bytes - 1) / m_granule; ++cell) {
        if (!conflict.isRace) conflict = withLastWrite(warp, lane, cell, kind);
        const std::size_t at = std::size_t{warp} * m_cells + cell;
        std::uint32_t& tag = m_readTag[at];
        // A read of another lane that nothing has ordered yet must not be forgotten.
        const bool pending = tag >> laneBits > m_knows[warp][warp];
        const bool weakBefore = pending && !(m_readPlace[at] & strongPlace);
        tag = now << laneBits | (pending && (tag & 63) != lane ? manyLanes : lane);
        m_lastRead[cell] = std::max(m_lastRead[cell], now);
        m_readPlace[at] = place | (kind == Kind::strong && !weakBefore ? strongPlace : 0);
    }
    return conflict;
}

EarlierAccess RaceShadow::write(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes,
                                std::uint32_t place, Kind kind) {
    EarlierAccess conflict;
    const std::uint32_t now = m_now[warp];
    for (std::uint32_t cell = offset / m_granule; cell <= (offset + bytes - 1) / m_granule; ++cell) {
        if (!conflict.isRace) conflict = withLastWrite(warp, lane, cell, kind);
        const bool wasRead = m_lastRead[cell] > m_leastKnown[warp];
        for (std::uint32_t reader = 0; reader < m_warps && wasRead && !conflict.isRace; ++reader) {
            const std::size_t at = std::size_t{reader} * m_cells + cell;
            const std::uint32_t tag = m_readTag[at];
            if (tag >> laneBits <= m_knows[warp][reader] || ((m_readPlace[at] & strongPlace) && kind == Kind::strong))
                continue;
            const std::uint32_t readLane = tag & 63;
            if (reader == warp && readLane == lane) continue;
            // Of several lanes that read the cell only the fact is kept: name another lane than the writer.
            const std::uint32_t named = readLane != manyLanes ? readLane : reader == warp && lane == 0 ? 1 : 0;
            conflict = {true, false, false, reader, named, m_readPlace[at] & ~strongPlace};
        }
        m_writeClock[cell] = now;
        m_writePlace[cell] = place;
        m_writeThread[cell] = static_cast<std::uint16_t>(warp * 32 + lane + (kind == Kind::strong ? 0x8000 : 0));
    }
    return conflict;
}

const CellPattern* RaceShadow::patternOf(const LaneCells& lanes) {
    const std::uint32_t cells = lanes.highest + lanes.perLane - lanes.lowest;
    if (cells > CellPattern::maxCells) return nullptr;
    const auto index = [&](unsigned lane) { return lanes.cells[lane] - lanes.lowest; };
    const std::uint32_t hash = index(0) + 3 * index(1) + 5 * index(5) + 7 * index(16) + lanes.perLane + lanes.mask;
    CellPattern& p = m_patterns[hash * 0x9E3779B1U >> 28];
    static_assert(std::tuple_size_v<decltype(m_patterns)> == 16);
    std::uint32_t differs = (p.mask ^ lanes.mask) | (p.cellsPerLane ^ lanes.perLane);
    for (unsigned lane = 0; lane < 32; ++lane) differs |= p.index[lane] ^ (lanes.cells[lane] - lanes.lowest);
    if (!differs) return &p;
    p.mask = lanes.mask;
    p.cellsPerLane = lanes.perLane;
    p.cells = cells;
    p.shared = false;
    std::fill_n(p.who, cells + padding, CellPattern::nobody);
    for (unsigned lane = 0; lane < 32; ++lane) {
        p.index[lane] = lanes.cells[lane] - lanes.lowest;
        if (!(lanes.mask >> lane & 1)) continue;
        for (std::uint32_t cell = p.index[lane]; cell < p.index[lane] + lanes.perLane; ++cell) {
            p.shared |= p.who[cell] != CellPattern::nobody;
            p.who[cell] = p.who[cell] == CellPattern::nobody ? static_cast<std::uint8_t>(lane) : CellPattern::many;
        }
    }
    return &p;
}

CellRun RaceShadow::runOf(const CellPattern* pattern, std::uint32_t warp, std::uint32_t first, std::uint32_t place) {
    CellRun run{};
    run.pattern = pattern;
    run.writeClock = m_writeClock.data() + first;
    run.writePlace = m_writePlace.data() + first;
    run.writeThread = m_writeThread.data() + first;
    run.readTag = m_readTag.data() + first;
    run.readPlace = m_readPlace.data() + first;
    run.stride = m_cells;
    run.warps = m_warps;
    run.warp = warp;
    run.lastRead = m_lastRead.data() + first;
    run.knows = m_knows[warp].data();
    run.leastKnown = m_leastKnown[warp];
    run.start = m_start;
    run.now = m_now[warp];
    run.place = place;
    return run;
}

bool RaceShadow::readAll(std::uint32_t warp, const LaneCells& lanes, std::uint32_t place) {
    static const CellFunction readCells = readCellsFunction();
    // Rows of a matrix lie far apart: vectors of all cells between them would be mostly idle.
    if (lanes.perLane == 4 && lanes.highest - lanes.lowest > 8 * static_cast<std::uint32_t>(std::popcount(lanes.mask)))
        return false;
    const CellPattern* pattern = patternOf(lanes);
    return pattern && readCells(runOf(pattern, warp, lanes.lowest, place));
}

bool RaceShadow::writeAll(std::uint32_t warp, const LaneCells& lanes, std::uint32_t place) {
    static const CellFunction writeCells = writeCellsFunction();
    const CellPattern* pattern = patternOf(lanes);
    return pattern && !pattern->shared && writeCells(runOf(pattern, warp, lanes.lowest, place));
}

std::uint32_t RaceShadow::readLanes(std::uint32_t warp, const LaneCells& all, std::uint32_t place) {
    static const QuadFunction readQuads = readQuadsFunction();
    LaneCells lanes = all;
    if (lanes.perLane == 4) lanes.mask = readQuads(runOf(nullptr, warp, 0, place), lanes.cells, lanes.mask);
    const Clocks& knows = m_knows[warp];
    const std::uint32_t now = m_now[warp] << laneBits, own = knows[warp];
    std::uint32_t* tags = &m_readTag[std::size_t{warp} * m_cells];
    std::uint32_t* places = &m_readPlace[std::size_t{warp} * m_cells];
    std::uint32_t left = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (!(lanes.mask >> lane & 1)) continue;
        for (std::uint32_t cell = lanes.cells[lane]; cell < lanes.cells[lane] + lanes.perLane; ++cell) {
            const std::uint32_t clock = m_writeClock[cell], writer = m_writeThread[cell] & 0x7FFF;
            if (clock <= m_start || (clock > knows[writer / 32] && writer != warp * 32 + lane)) {
                left |= 1U << lane;
                break;
            }
            const bool other = tags[cell] >> laneBits > own && (tags[cell] & 63) != lane;
            tags[cell] = now | (other ? manyLanes : lane);
            places[cell] = place;
            m_lastRead[cell] = std::max(m_lastRead[cell], m_now[warp]);
        }
    }
    return left;
}

void RaceShadow::writeFromOutside(std::uint32_t offset, std::uint32_t bytes) {
    for (std::uint32_t cell = offset / m_granule; cell <= (offset + bytes - 1) / m_granule; ++cell) {
        m_writeClock[cell] = m_start + 1;
        m_writeThread[cell] = 0;
    }
}

bool RaceShadow::wasWritten(std::uint32_t offset, std::uint32_t bytes) const {
    for (std::uint32_t cell = offset / m_granule; cell <= (offset + bytes - 1) / m_granule; ++cell)
        if (m_writeClock[cell] <= m_start) return false;
    return true;
}

std::uint32_t RaceShadow::leastOf(const Clocks& clocks) const {
    return *std::min_element(clocks.begin(), clocks.begin() + m_warps);
}

/// m_knows[warp] has changed: its next accesses are later than all before.
void RaceShadow::learned(std::uint32_t warp) {
    m_leastKnown[warp] = leastOf(m_knows[warp]);
    if (m_now[warp] < AtomicRun::lastClock) ++m_now[warp];
    m_highest = std::max(m_highest, m_now[warp]);
}

void RaceShadow::barrier(std::uint32_t warpMask) {
    Clocks joined = {};
    for (std::uint32_t w = 0; w < m_warps; ++w)
        if (warpMask >> w & 1)
            for (std::uint32_t v = 0; v < m_warps; ++v)
                joined[v] = std::max({joined[v], m_knows[w][v], v == w ? m_now[w] : 0});
    for (std::uint32_t w = 0; w < m_warps; ++w)
        if (warpMask >> w & 1) {
            m_knows[w] = joined;
            learned(w);
        }
}

void RaceShadow::warpBarrier(std::uint32_t warp) {
    m_knows[warp][warp] = m_now[warp];
    learned(warp);
}

/// The clocks that a strong access to the cell takes up and leaves.
std::uint32_t* RaceShadow::released(std::uint32_t cell) {
    if (m_released.empty()) m_released.assign(std::size_t{m_cells} * m_width, 0);
    return m_released.data() + std::size_t{cell} * m_width;
}

void RaceShadow::synchronise(std::uint32_t warp, std::uint32_t offset) {
    std::uint32_t* clocks = released(offset / m_granule);
    for (std::uint32_t v = 0; v < m_warps; ++v) clocks[v] = m_knows[warp][v] = std::max(m_knows[warp][v], clocks[v]);
    clocks[warp] = m_now[warp];
    learned(warp);
}

void RaceShadow::release(std::uint32_t warp, Clocks& clocks) {
    for (std::uint32_t v = 0; v < m_warps; ++v) clocks[v] = std::max(clocks[v], m_knows[warp][v]);
    clocks[warp] = m_now[warp];
    learned(warp);
}

void RaceShadow::acquire(std::uint32_t warp, const Clocks& clocks) {
    for (std::uint32_t v = 0; v < m_warps; ++v) m_knows[warp][v] = std::max(m_knows[warp][v], clocks[v]);
    m_leastKnown[warp] = leastOf(m_knows[warp]);
}

std::uint32_t RaceShadow::atomics(std::uint32_t warp, std::uint32_t mask, const std::uint32_t (&cells)[32],
                                  std::uint32_t place, bool needsWritten) {
    static const AtomicFunction atomicCells = atomicCellsFunction();
    AtomicRun run{};
    run.cells = cells;
    run.mask = mask;
    run.needsWritten = needsWritten;
    run.writeClock = m_writeClock.data();
    run.writePlace = m_writePlace.data();
    run.writeThread = m_writeThread.data();
    run.readTag = m_readTag.data();
    run.readPlace = m_readPlace.data();
    run.lastRead = m_lastRead.data();
    run.stride = m_cells;
    run.warps = m_warps;
    run.warp = warp;
    run.released = released(0);
    run.knows = m_knows[warp].data();
    run.width = m_width;
    run.leastKnown = m_leastKnown[warp];
    run.start = m_start;
    run.now = m_now[warp];
    run.place = place;
    const std::uint32_t done = atomicCells(run);
    m_now[warp] = run.now;
    m_leastKnown[warp] = leastOf(m_knows[warp]);
    m_highest = std::max(m_highest, run.now);
    return done;
}

} // namespace ptxwb::emulator
