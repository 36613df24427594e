#include "emulator/race_shadow.h"

#include <algorithm>

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
        m_writeClock.assign(cells, 0);
        m_writePlace.assign(cells, 0);
        m_writeThread.assign(cells, 0);
        m_readTag.assign(std::size_t{cells} * warps, 0);
        m_readPlace.assign(std::size_t{cells} * warps, 0);
        m_readStrong.assign(std::size_t{cells} * warps, 0);
    }
    m_start = m_highest;
    for (auto& known : m_knows) known.fill(m_start);
    m_now.fill(m_start + 1);
    m_highest = m_start + 1;
    m_synchronised.clear();
}

EarlierAccess RaceShadow::withLastWrite(std::uint32_t warp, std::uint32_t lane, std::uint32_t cell, Kind kind) const {
    const std::uint32_t writer = m_writeThread[cell] & 0x7FFF;
    const bool strongWriter = m_writeThread[cell] >> 15;
    if (m_writeClock[cell] <= m_knows[warp][writer / 32] || writer == warp * 32 + lane ||
        (strongWriter && kind == Kind::strong))
        return {};
    return {true, true, strongWriter, writer / 32, writer % 32, m_writePlace[cell]};
}

/// Whether lane i of the warp races with the last write to cell first + i, for any i; no branch, so that it is done
/// with vectors.
inline std::uint32_t RaceShadow::rowRacesWithWrites(std::uint32_t warp, std::uint32_t first) const {
    const Clocks& knows = m_knows[warp];
    std::uint32_t bad = 0;
    for (std::uint32_t i = 0; i < 32; ++i) {
        const std::uint32_t writer = m_writeThread[first + i] & 0x7FFF;
        bad |= static_cast<std::uint32_t>(m_writeClock[first + i] > knows[writer / 32]) &
               static_cast<std::uint32_t>(writer != warp * 32 + i);
    }
    return bad;
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
        const bool weakBefore = pending && !m_readStrong[at];
        tag = now << laneBits | (pending && (tag & 63) != lane ? manyLanes : lane);
        m_readPlace[at] = place;
        m_readStrong[at] = kind == Kind::strong && !weakBefore;
    }
    return conflict;
}

EarlierAccess RaceShadow::write(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes,
                                std::uint32_t place, Kind kind) {
    EarlierAccess conflict;
    const std::uint32_t now = m_now[warp];
    for (std::uint32_t cell = offset / m_granule; cell <= (offset + bytes - 1) / m_granule; ++cell) {
        if (!conflict.isRace) conflict = withLastWrite(warp, lane, cell, kind);
        for (std::uint32_t reader = 0; reader < m_warps && !conflict.isRace; ++reader) {
            const std::size_t at = std::size_t{reader} * m_cells + cell;
            const std::uint32_t tag = m_readTag[at];
            if (tag >> laneBits <= m_knows[warp][reader] || (m_readStrong[at] && kind == Kind::strong)) continue;
            const std::uint32_t readLane = tag & 63;
            if (reader == warp && readLane == lane) continue;
            // Of several lanes that read the cell only the fact is kept: name another lane than the writer.
            const std::uint32_t named = readLane != manyLanes ? readLane : reader == warp && lane == 0 ? 1 : 0;
            conflict = {true, false, false, reader, named, m_readPlace[at]};
        }
        m_writeClock[cell] = now;
        m_writePlace[cell] = place;
        m_writeThread[cell] = static_cast<std::uint16_t>(warp * 32 + lane + (kind == Kind::strong ? 0x8000 : 0));
    }
    return conflict;
}

bool RaceShadow::readRow(std::uint32_t warp, std::uint32_t first, std::uint32_t place) {
    const Clocks& knows = m_knows[warp];
    std::uint32_t bad = rowRacesWithWrites(warp, first);
    for (std::uint32_t i = 0; i < 32; ++i) bad |= static_cast<std::uint32_t>(m_writeClock[first + i] <= m_start);
    if (bad) return false;
    const std::uint32_t now = m_now[warp] << laneBits;
    std::uint32_t* tag = &m_readTag[std::size_t{warp} * m_cells + first];
    std::uint32_t* places = &m_readPlace[std::size_t{warp} * m_cells + first];
    std::uint8_t* strong = &m_readStrong[std::size_t{warp} * m_cells + first];
    for (std::uint32_t i = 0; i < 32; ++i) {
        const bool other = tag[i] >> laneBits > knows[warp] && (tag[i] & 63) != i;
        tag[i] = now | (other ? manyLanes : i);
        places[i] = place;
    }
    std::fill_n(strong, 32, std::uint8_t{0});
    return true;
}

std::uint32_t RaceShadow::readLanes(std::uint32_t warp, std::uint32_t mask, const std::uint32_t (&cells)[32],
                                    std::uint32_t place) {
    const Clocks& knows = m_knows[warp];
    const std::uint32_t now = m_now[warp] << laneBits, own = knows[warp];
    std::uint32_t* tags = &m_readTag[std::size_t{warp} * m_cells];
    std::uint32_t* places = &m_readPlace[std::size_t{warp} * m_cells];
    std::uint8_t* strong = &m_readStrong[std::size_t{warp} * m_cells];
    std::uint32_t left = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1)) continue;
        const std::uint32_t cell = cells[lane];
        const std::uint32_t clock = m_writeClock[cell], writer = m_writeThread[cell] & 0x7FFF;
        if (clock <= m_start || (clock > knows[writer / 32] && writer != warp * 32 + lane)) {
            left |= 1U << lane;
            continue;
        }
        const bool other = tags[cell] >> laneBits > own && (tags[cell] & 63) != lane;
        tags[cell] = now | (other ? manyLanes : lane);
        places[cell] = place;
        strong[cell] = 0;
    }
    return left;
}

bool RaceShadow::writeRow(std::uint32_t warp, std::uint32_t first, std::uint32_t place) {
    const Clocks& knows = m_knows[warp];
    std::uint32_t bad = rowRacesWithWrites(warp, first);
    for (std::uint32_t reader = 0; reader < m_warps; ++reader) {
        const std::uint32_t* tag = &m_readTag[std::size_t{reader} * m_cells + first];
        const std::uint32_t known = knows[reader];
        if (reader == warp)
            for (std::uint32_t i = 0; i < 32; ++i)
                bad |= static_cast<std::uint32_t>(tag[i] >> laneBits > known) &
                       static_cast<std::uint32_t>((tag[i] & 63) != i);
        else
            for (std::uint32_t i = 0; i < 32; ++i) bad |= static_cast<std::uint32_t>(tag[i] >> laneBits > known);
    }
    if (bad) return false;
    const std::uint32_t now = m_now[warp];
    for (std::uint32_t i = 0; i < 32; ++i) {
        m_writeClock[first + i] = now;
        m_writePlace[first + i] = place;
        m_writeThread[first + i] = static_cast<std::uint16_t>(warp * 32 + i);
    }
    return true;
}

bool RaceShadow::wasWritten(std::uint32_t offset, std::uint32_t bytes) const {
    for (std::uint32_t cell = offset / m_granule; cell <= (offset + bytes - 1) / m_granule; ++cell)
        if (m_writeClock[cell] <= m_start) return false;
    return true;
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
            m_highest = std::max(m_highest, ++m_now[w]);
        }
}

void RaceShadow::warpBarrier(std::uint32_t warp) {
    m_knows[warp][warp] = m_now[warp];
    m_highest = std::max(m_highest, ++m_now[warp]);
}

void RaceShadow::synchronise(std::uint32_t warp, std::uint32_t offset) {
    auto [it, isNew] = m_synchronised.try_emplace(offset / m_granule);
    Clocks& clocks = it->second;
    if (isNew) clocks.fill(m_start);
    for (std::uint32_t v = 0; v < m_warps; ++v) m_knows[warp][v] = std::max(m_knows[warp][v], clocks[v]);
    clocks = m_knows[warp];
    clocks[warp] = m_now[warp];
    m_highest = std::max(m_highest, ++m_now[warp]);
}

void RaceShadow::release(std::uint32_t warp, Clocks& clocks) {
    for (std::uint32_t v = 0; v < m_warps; ++v) clocks[v] = std::max(clocks[v], m_knows[warp][v]);
    clocks[warp] = m_now[warp];
    m_highest = std::max(m_highest, ++m_now[warp]);
}

void RaceShadow::acquire(std::uint32_t warp, const Clocks& clocks) {
    for (std::uint32_t v = 0; v < m_warps; ++v) m_knows[warp][v] = std::max(m_knows[warp][v], clocks[v]);
}

} // namespace ptxwb::emulator
