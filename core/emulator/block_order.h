// What happened before what between warps, where global memory is concerned: releases and acquires through atomics,
// strong accesses and fences, within a block and from block to block.
// Used by the shadow of global memory (global_shadow.h), told by the interpreter.
//
// Within a block the race shadow's clocks order warps. Between blocks a vector clock would have an entry for every
// block; here releases are numbered in the order in which they happen, and a warp only keeps the greatest number that
// it acquired: it counts as knowing all releases up to that one. What truly happened before is among these (whoever
// learns of a release acquires a later number), so there is no false alarm; a race can be missed where a warp acquired
// something newer from elsewhere.
//
// A release is `.release`, or a fence and then a strong write; an acquire is `.acquire`, or a strong read and then a
// fence. Source: PTX ISA 9.0, 8.8 and 8.10.
#pragma once

#include "emulator/race_shadow.h"

#include <optional>
#include <unordered_map>

namespace ptxwb::emulator {

enum class Scope : std::uint8_t { block, device };

/// What one running block's warps know. Kept beside the block's clocks.
struct BlockOrder {
    struct Fence {
        bool passed = false;
        RaceShadow::Clocks clocks{}; ///< what happened before it
    };
    struct Warp {
        std::uint64_t acquired = 0;           ///< number of the last release of another block that it knows
        std::uint64_t seen = 0, seenHere = 0; ///< read by strong loads with no fence behind yet
        std::uint64_t released = 0;           ///< by the last fence's release, while nothing has changed since
        Fence device, block;
    };
    std::uint32_t generation = 0; ///< of the histories below
    std::array<Warp, RaceShadow::maxWarps> warps{};
    /// What global_shadow.h calls the warp's accesses at its clock, and those that its last fence covers.
    struct Era {
        std::uint32_t era = 0, clock = 0, fence = 0, fenceClock = 0;
    };
    std::array<Era, RaceShadow::maxWarps> eras{};
    /// Releases of the block that its own warps acquire: the number, and what happened before (growing).
    std::vector<std::pair<std::uint64_t, RaceShadow::Clocks>> here;

    /// `speaks`: the program has atomics or strong accesses to global memory.
    void startBlock(bool speaks);
    /// The warp's clock at its last fence; for the device where there was one.
    std::optional<std::uint32_t> lastFence(std::uint32_t warp) const;
    /// The warps of the mask pass a barrier together.
    void barrier(std::uint32_t warpMask);
    /// The warp has learned from some other warp of the block, by a way that is not followed in detail.
    void learnFromAll(std::uint32_t warp);
};

/// A warp of a running block.
struct WarpPlace {
    std::uint32_t block, warp;
    RaceShadow& clocks;
    BlockOrder& order;
};

/// The releases of one host thread's run.
class ReleaseHistory {
public:
    void fence(const WarpPlace& who, Scope scope);
    /// A strong read of the cell.
    void strongRead(const WarpPlace& who, std::uint64_t cell, bool acquires);
    /// A strong write to the cell.
    void strongWrite(const WarpPlace& who, std::uint64_t cell, bool releases, Scope scope);
    /// Both halves of an atomic. It goes on with what was released to the cell before, whoever did that. Source: PTX
    /// ISA 9.0, 8.8, release patterns.
    void strongUpdate(const WarpPlace& who, std::uint64_t cell, bool acquires, bool releases, Scope scope);
    /// Whether what a warp of another block did at the clock happened before the next access of `who`.
    bool isKnown(const WarpPlace& who, std::uint32_t block, std::uint32_t warp, std::uint32_t clock) const;

    /// Bytes of what is kept.
    std::size_t bytes() const { return m_size * sizeof(Releases::value_type) + m_cells.size() * 64; }
    /// Forgets all releases. Sound only together with all accesses before them.
    void forget();
    /// Takes out of the block's state what was forgotten.
    void renew(BlockOrder& order) const;

private:
    struct Cell {
        std::uint64_t released = 0;     ///< number of the last release to it
        std::uint64_t releasedHere = 0; ///< likewise, by `block` and perhaps for that one only
        std::uint32_t block = 0;
    };
    using Releases = std::vector<std::pair<std::uint64_t, RaceShadow::Clocks>>;
    void acquire(const WarpPlace& who, std::uint64_t number, std::uint64_t here);

    std::unordered_map<std::uint64_t, Cell> m_cells;
    std::unordered_map<std::uint32_t, Releases> m_releases; ///< by block, in order; what happened before grows
    std::uint64_t m_last = 0;
    std::size_t m_size = 0;
    std::uint32_t m_generation = 1;
};

} // namespace ptxwb::emulator
