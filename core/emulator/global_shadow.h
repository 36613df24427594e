// Finds races in global memory, within a block and between blocks: two accesses of different threads to the same bytes,
// at least one a write, that nothing orders. One per host thread of a run, told of every access to memory that the
// kernel may write.
//
// Each cell (as many bytes as the program's smallest access) remembers its last write and two reads of different
// threads that no later access has made known: whoever writes without being ordered after all reads conflicts with one
// of two. An access is named by its era, a number for a warp of a block between two moves of its clock, and by its
// place in the code and its lane. What is ordered is told by the block's clocks and by block_order.h.
//
// Memory is bounded: when it is full, all accesses so far are forgotten. That hides races and invents none.
#pragma once

#include "emulator/block_order.h"
#include "emulator/memory.h"

#include <memory>
#include <span>

namespace ptxwb::emulator {

/// What one instruction does to an allocation.
struct GlobalAccess {
    const Allocation* allocation = nullptr;
    const std::uint64_t* at = nullptr; ///< device address by lane; aligned to `bytes`, inside of the allocation
    std::uint32_t bytes = 4;
    std::uint32_t place = 0;
    bool strong = false, blockScope = false;
    bool speaks = false;       ///< a write that other warps may learn from: see ReleaseHistory::strongWrite
    bool readOnlyPath = false; ///< ld.global.nc: nobody may write there during the launch, in whatever order
    bool inRow = false;        ///< 32 lanes, lane i at at[0] + i * bytes
};

/// The earlier access of a race in global memory.
struct EarlierGlobalAccess : EarlierAccess {
    std::uint32_t block = 0;
    bool readOnlyPath = false; ///< one of the two is ld.global.nc
};

class GlobalShadow {
public:
    /// Lanes that were recorded, lowest first. Where `conflict.isRace`, it is that of the last of them.
    struct Result {
        std::uint32_t recorded = 0;
        EarlierGlobalAccess conflict;
    };

    /// `granule`: bytes of a cell. `forgetAt`: bytes of memory at which it forgets.
    GlobalShadow(std::uint32_t granule, std::size_t forgetAt);
    ~GlobalShadow();

    Result read(const WarpPlace& who, const GlobalAccess& access, std::uint32_t mask);
    Result write(const WarpPlace& who, const GlobalAccess& access, std::uint32_t mask);

    /// The cell of an address, as ReleaseHistory names it.
    std::uint64_t cellOf(std::uint64_t address) const { return address >> m_shift; }
    ReleaseHistory& releases() { return m_releases; }

    /// Whether blocks of two of the shadows (of two host threads) conflict in some cell.
    static bool overlap(std::span<const GlobalShadow* const> shadows);

private:
    struct Page;
    struct Pages {
        const Allocation* allocation = nullptr;
        std::uint64_t firstCell = 0;
        std::vector<std::unique_ptr<Page>> pages;
    };
    struct Era {
        std::uint32_t block, warp, clock;
    };
    enum class Order : std::uint8_t { before, ownWarp, unordered };
    struct Pass; ///< one instruction

    Pages& pagesOf(const Allocation& allocation);
    Page& page(Pages& pages, std::uint64_t cell);
    Order orderOf(const WarpPlace& who, std::uint32_t era) const;
    std::uint32_t eraOf(const WarpPlace& who, const GlobalAccess& access);
    EarlierGlobalAccess earlier(std::uint32_t era, std::uint32_t where, bool wasWrite) const;
    template <bool isWrite>
    Result accessLanes(const WarpPlace& who, const GlobalAccess& access, std::uint32_t mask);
    template <bool isWrite>
    bool accessRow(const WarpPlace& who, const GlobalAccess& access);
    void forgetWhereFull();

    std::uint32_t m_granule;
    int m_shift;
    std::size_t m_forgetAt, m_bytes = 0;
    std::vector<Era> m_eras;
    std::uint32_t m_generation = 1; ///< of eras
    std::vector<std::unique_ptr<Pages>> m_allocations;
    Pages* m_lastPages = nullptr;
    ReleaseHistory m_releases;
};

} // namespace ptxwb::emulator
