// Finds shared-memory races: two accesses of different threads to the same bytes, at least one a write, that nothing
// orders. One per running block, told of every access to shared memory and of every barrier.
//
// Time is counted per warp: a warp's clock advances when it passes a barrier, and every access is stamped with it. A
// warp knows, for each other warp, up to which stamp that warp's accesses happened before its own; a barrier makes
// those who took part know each other. An access races with an earlier one whose stamp lies behind what its warp knows.
// Within a warp, `bar.warp.sync` orders the lanes. So the cost of an access is a compare and two stores a cell, and no
// vector clock per thread is needed. Stamps grow from block to block, so nothing is cleared between blocks.
#pragma once

#include "emulator/lanes.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ptxwb::emulator {

/// The earlier access of a race.
struct EarlierAccess {
    bool isRace = false;
    bool wasWrite = false, wasAtomic = false;
    std::uint32_t warp = 0, lane = 0;
    std::uint32_t place = 0; ///< as given to the access
};

class RaceShadow {
public:
    static constexpr std::uint32_t maxWarps = 32;
    /// By warp: up to which stamp its accesses are known.
    struct alignas(64) Clocks : std::array<std::uint32_t, maxWarps> {};
    enum class Kind : std::uint8_t { plain, strong };

    /// Room for a block of `warps` warps and `bytes` of shared memory in cells of `granule` bytes. Ordered after all
    /// that an earlier block did.
    void startBlock(std::uint32_t warps, std::uint32_t bytes, std::uint32_t granule);

    /// One lane's access to [offset, offset + bytes). `place` names the instruction. Answers the first conflict.
    EarlierAccess read(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes,
                       std::uint32_t place, Kind kind);
    EarlierAccess write(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes,
                        std::uint32_t place, Kind kind);

    // All lanes of one plain access in one go. What may need a finding (a conflict, a read of a cell that nothing
    // wrote) is left alone: the caller goes through it lane by lane.

    /// The cells of the lanes in `mask`: `perLane` from cells[lane] on. Other lanes hold the cell of one that takes
    /// part. Two lanes have the same cells or none in common.
    struct LaneCells {
        std::uint32_t mask, perLane;
        std::uint32_t cells[32];
        std::uint32_t lowest, highest; ///< of `cells`
    };
    /// False where nothing was recorded.
    bool readAll(std::uint32_t warp, const LaneCells& lanes, std::uint32_t place);
    bool writeAll(std::uint32_t warp, const LaneCells& lanes, std::uint32_t place);
    /// Where readAll did not: answers the lanes that were not (or not in full) recorded.
    std::uint32_t readLanes(std::uint32_t warp, const LaneCells& lanes, std::uint32_t place);

    /// For an atomic of one cell a lane: `synchronise` and a strong write, lane by lane. Answers the lanes before the
    /// first that may need a finding. `needsWritten`: a cell that nothing wrote needs one.
    std::uint32_t atomics(std::uint32_t warp, std::uint32_t mask, const std::uint32_t (&cells)[32], std::uint32_t place,
                          bool needsWritten);

    /// A thread of another block of the cluster writes: nothing conflicts with that.
    void writeFromOutside(std::uint32_t offset, std::uint32_t bytes);

    /// Whether every byte was written since the block began (or is counted as written).
    bool wasWritten(std::uint32_t offset, std::uint32_t bytes) const;

    /// The warps of the mask pass a barrier together.
    void barrier(std::uint32_t warpMask);
    /// The lanes of a warp pass bar.warp.sync.
    void warpBarrier(std::uint32_t warp);
    /// A strong access (atomic, volatile, acquire, release) to a place: all before it in one warp happens before all
    /// after it in the next that touches the place. Hides races of code that relies on relaxed atomics alone, and
    /// raises no false alarm.
    void synchronise(std::uint32_t warp, std::uint32_t offset);

    /// All that the warp has done or knows so far happens before whoever acquires `clocks`; and the other half.
    void release(std::uint32_t warp, Clocks& clocks);
    void acquire(std::uint32_t warp, const Clocks& clocks);

    std::uint32_t now(std::uint32_t warp) const { return m_now[warp]; }
    /// Whether what `other` did at the stamp happens before the next access of `warp`.
    bool isKnown(std::uint32_t warp, std::uint32_t other, std::uint32_t stamp) const {
        return stamp <= m_knows[warp][other];
    }

    std::uint32_t granule() const { return m_granule; }

    struct LastWrite {
        bool isThere = false; ///< since the block began
        std::uint32_t warp = 0, lane = 0, clock = 0, place = 0;
    };
    LastWrite lastWrite(std::uint32_t offset) const {
        const std::uint32_t cell = offset / m_granule, thread = m_writeThread[cell] & 0x7FFFU;
        return {m_writeClock[cell] > m_start, thread / 32, thread % 32, m_writeClock[cell], m_writePlace[cell]};
    }

private:
    static constexpr std::uint32_t laneBits = 6; ///< lane 0 to 31, or `manyLanes`
    static constexpr std::uint32_t manyLanes = CellPattern::many;
    static constexpr std::uint32_t strongPlace = 1U << 31;
    /// Vectors reach so far behind the last cell.
    static constexpr std::uint32_t padding = 16;

    /// The last write to a cell, where it races with an access of this lane.
    EarlierAccess withLastWrite(std::uint32_t warp, std::uint32_t lane, std::uint32_t cell, Kind kind) const;
    const CellPattern* patternOf(const LaneCells& lanes);
    CellRun runOf(const CellPattern* pattern, std::uint32_t warp, std::uint32_t first, std::uint32_t place);
    void learned(std::uint32_t warp);
    std::uint32_t leastOf(const Clocks& clocks) const;
    std::uint32_t* released(std::uint32_t cell);

    std::uint32_t m_granule = 4, m_warps = 0, m_cells = 0;
    std::uint32_t m_start = 0; ///< clocks of this block are greater
    std::uint32_t m_highest = 0;
    std::array<Clocks, maxWarps> m_knows{}; ///< [w][v]: stamps of v up to this happened before w's next access
    Clocks m_now{};
    Clocks m_leastKnown{}; ///< least of m_knows[w]: a write stamped with it or less is ordered before w's accesses
    // Of each cell: the last write.
    std::vector<std::uint32_t> m_writeClock, m_writePlace;
    std::vector<std::uint16_t> m_writeThread; ///< warp * 32 + lane, bit 15: strong
    // [warp * cells + cell]: the warp's last read, clock << laneBits | lane.
    std::vector<std::uint32_t> m_readTag;
    std::vector<std::uint32_t> m_readPlace;   ///< top bit: strong
    std::array<CellPattern, 16> m_patterns{}; ///< by a hash
    std::vector<std::uint32_t> m_lastRead;    ///< [cell]: greatest clock of any warp's reads
    /// [cell * m_width + warp]: what the next strong access to the cell comes to know. Empty until there is one. What
    /// earlier blocks left is behind m_start, so it says nothing.
    std::vector<std::uint32_t> m_released;
    std::uint32_t m_width = 16; ///< m_warps, rounded up for vectors
};

} // namespace ptxwb::emulator
