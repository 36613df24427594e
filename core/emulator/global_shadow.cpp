#include "emulator/global_shadow.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t pageBits = 10, pageCells = 1U << pageBits;

// Where an access was made: place << 8, and these.
constexpr std::uint32_t laneMask = 31, strongBit = 32, blockScopeBit = 64;
constexpr unsigned placeShift = 8;

/// The last access of some kind to each cell of a page. Era 0: none.
struct Accesses {
    alignas(64) std::uint32_t era[pageCells];
    alignas(64) std::uint32_t where[pageCells];
};

std::unique_ptr<Accesses> noAccesses() {
    auto accesses = std::make_unique_for_overwrite<Accesses>();
    std::memset(accesses->era, 0, sizeof accesses->era);
    return accesses;
}

using Bits = std::array<std::uint64_t, pageCells / 64>;

void setBits(Bits& bits, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count;) {
        const std::uint32_t n = std::min(64 - i % 64, first + count - i);
        bits[i / 64] |= (n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1) << (i % 64);
        i += n;
    }
}

/// The value that all have; empty where they differ.
std::optional<std::uint32_t> common(const std::uint32_t* values, std::uint32_t count) {
    const std::uint32_t first = values[0];
    std::uint32_t differ = 0;
    for (std::uint32_t i = 0; i < count; ++i) differ |= values[i] ^ first;
    return differ ? std::nullopt : std::optional(first);
}

/// Whether cell i was touched by lane i >> shift.
bool sameLanes(const std::uint32_t* where, std::uint32_t count, int shift) {
    std::uint32_t differ = 0;
    for (std::uint32_t i = 0; i < count; ++i) differ |= (where[i] ^ (i >> shift)) & laneMask;
    return !differ;
}

void fill(Accesses& accesses, std::uint32_t first, std::uint32_t count, std::uint32_t era, std::uint32_t where,
          int shift) {
    std::fill_n(accesses.era + first, count, era);
    for (std::uint32_t i = 0; i < count; ++i) accesses.where[first + i] = where | i >> shift;
}

} // namespace

struct GlobalShadow::Page {
    std::unique_ptr<Accesses> writes, reads, otherReads, readOnlyReads;
    Bits written{}, read{}; ///< cells, since the run began
};

/// One instruction: what its lanes have in common.
struct GlobalShadow::Pass {
    const GlobalShadow& shadow;
    const WarpPlace& who;
    const GlobalAccess& access;
    std::uint32_t era;
    std::uint32_t where; ///< without the lane
    // What was asked last: neighbouring cells have the same history.
    std::uint32_t askedEra = 0;
    Order answer = Order::before;

    Order order(std::uint32_t other) {
        if (other == era) return Order::ownWarp;
        if (other != askedEra) {
            askedEra = other;
            answer = shadow.orderOf(who, other);
        }
        return answer;
    }
    /// Whether the access is not ordered after the earlier one, which another thread made.
    bool isOpen(std::uint32_t other, std::uint32_t otherWhere, std::uint32_t lane) {
        switch (order(other)) {
        case Order::before: return false;
        case Order::ownWarp: return (otherWhere & laneMask) != lane;
        case Order::unordered: return true;
        }
        return true;
    }
    /// Two strong accesses do not race, if the scope of both holds the two threads.
    bool bothStrong(std::uint32_t other, std::uint32_t otherWhere) const {
        if (!access.strong || !(otherWhere & strongBit)) return false;
        return (!access.blockScope && !(otherWhere & blockScopeBit)) || shadow.m_eras[other].block == who.block;
    }
    bool conflicts(const Accesses& with, std::uint32_t cell, std::uint32_t lane) {
        const std::uint32_t other = with.era[cell];
        return other && isOpen(other, with.where[cell], lane) && !bothStrong(other, with.where[cell]);
    }
    /// Likewise for a row of cells, of which lane i has 1 << shift: false where it takes a closer look to tell.
    bool rowIsFree(const Accesses& with, std::uint32_t cell, std::uint32_t count, int shift) {
        const auto other = common(with.era + cell, count);
        if (!other) return false;
        if (!*other) return true;
        const Order o = order(*other);
        return o == Order::before || (o == Order::ownWarp && sameLanes(with.where + cell, count, shift));
    }
};

GlobalShadow::GlobalShadow(std::uint32_t granule, std::size_t forgetAt)
    : m_granule(granule), m_shift(std::countr_zero(granule)), m_forgetAt(forgetAt), m_eras(1) {}
GlobalShadow::~GlobalShadow() = default;

GlobalShadow::Pages& GlobalShadow::pagesOf(const Allocation& allocation) {
    if (m_lastPages && m_lastPages->allocation == &allocation) return *m_lastPages;
    auto it = std::ranges::find(m_allocations, &allocation, [](const auto& p) { return p->allocation; });
    if (it == m_allocations.end()) {
        auto pages = std::make_unique<Pages>();
        pages->allocation = &allocation;
        pages->firstCell = cellOf(allocation.address);
        const std::uint64_t cells = cellOf(allocation.address + allocation.size) - pages->firstCell + 1;
        pages->pages.resize((cells + pageCells - 1) / pageCells);
        it = m_allocations.insert(it, std::move(pages));
    }
    m_lastPages = it->get();
    return *m_lastPages;
}

GlobalShadow::Page& GlobalShadow::page(Pages& pages, std::uint64_t cell) {
    auto& slot = pages.pages[cell >> pageBits];
    if (!slot) {
        slot = std::make_unique<Page>();
        m_bytes += sizeof(Page);
    }
    return *slot;
}

std::uint32_t GlobalShadow::eraOf(const WarpPlace& who, const GlobalAccess& access) {
    m_releases.renew(who.order);
    BlockOrder::Era& eras = who.order.eras[who.warp];
    const auto named = [&](std::uint32_t& era, std::uint32_t& clock, std::uint32_t now) {
        if (era && clock == now) return era;
        clock = now;
        m_eras.push_back({who.block, who.warp, now});
        return era = static_cast<std::uint32_t>(m_eras.size() - 1);
    };
    // A strong write behind a fence belongs to what the fence covers: whoever learns of the one learns of the other.
    if (access.strong && access.speaks)
        if (const auto fence = who.order.lastFence(who.warp)) return named(eras.fence, eras.fenceClock, *fence);
    return named(eras.era, eras.clock, who.clocks.now(who.warp));
}

GlobalShadow::Order GlobalShadow::orderOf(const WarpPlace& who, std::uint32_t era) const {
    const Era& e = m_eras[era];
    if (e.block != who.block)
        return m_releases.isKnown(who, e.block, e.warp, e.clock) ? Order::before : Order::unordered;
    if (who.clocks.isKnown(who.warp, e.warp, e.clock)) return Order::before;
    return e.warp == who.warp ? Order::ownWarp : Order::unordered;
}

EarlierGlobalAccess GlobalShadow::earlier(std::uint32_t era, std::uint32_t where, bool wasWrite) const {
    EarlierGlobalAccess earlier;
    const Era& e = m_eras[era];
    earlier.isRace = true;
    earlier.wasWrite = wasWrite;
    earlier.warp = e.warp;
    earlier.lane = where & laneMask;
    earlier.place = where >> placeShift;
    earlier.block = e.block;
    return earlier;
}

template <bool isWrite>
bool GlobalShadow::accessRow(const WarpPlace& who, const GlobalAccess& access) {
    const int shift = std::countr_zero(access.bytes) - m_shift;
    const std::uint32_t count = 32U << shift;
    Pages& pages = pagesOf(*access.allocation);
    const std::uint64_t first = cellOf(access.at[0]) - pages.firstCell;
    const auto cell = static_cast<std::uint32_t>(first % pageCells);
    if (cell + count > pageCells) return false;
    Page& p = page(pages, first);
    if (access.readOnlyPath || p.readOnlyReads) return false;
    Pass pass{*this, who, access, eraOf(who, access),
              access.place << placeShift | (access.strong ? strongBit : 0) | (access.blockScope ? blockScopeBit : 0)};
    if (p.writes && !pass.rowIsFree(*p.writes, cell, count, shift)) return false;
    if (p.reads && !pass.rowIsFree(*p.reads, cell, count, shift)) return false;
    if (isWrite && p.otherReads && !pass.rowIsFree(*p.otherReads, cell, count, shift)) return false;
    auto& accesses = isWrite ? p.writes : p.reads;
    if (!accesses) {
        accesses = noAccesses();
        m_bytes += sizeof(Accesses);
    }
    fill(*accesses, cell, count, pass.era, pass.where, shift);
    setBits(isWrite ? p.written : p.read, cell, count);
    return true;
}

template <bool isWrite>
GlobalShadow::Result GlobalShadow::accessLanes(const WarpPlace& who, const GlobalAccess& access, std::uint32_t mask) {
    Result result;
    Pages& pages = pagesOf(*access.allocation);
    Pass pass{*this, who, access, eraOf(who, access),
              access.place << placeShift | (access.strong ? strongBit : 0) | (access.blockScope ? blockScopeBit : 0)};
    const auto keep = [&](std::unique_ptr<Accesses>& accesses, std::uint32_t cell, std::uint32_t era,
                          std::uint32_t where) {
        if (!accesses) {
            accesses = noAccesses();
            m_bytes += sizeof(Accesses);
        }
        accesses->era[cell] = era;
        accesses->where[cell] = where;
    };
    const std::uint32_t perLane = (access.bytes + m_granule - 1) / m_granule;
    for (std::uint32_t left = mask; left && !result.conflict.isRace; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint64_t first = cellOf(access.at[lane]) - pages.firstCell;
        result.recorded |= 1U << lane;
        for (std::uint64_t at = first; at < first + perLane; ++at) {
            Page& p = page(pages, at);
            const auto cell = static_cast<std::uint32_t>(at % pageCells);
            const auto conflict = [&](const std::unique_ptr<Accesses>& with, bool wasWrite, bool always) {
                if (result.conflict.isRace || !with || !with->era[cell]) return;
                if (!always && !pass.conflicts(*with, cell, lane)) return;
                result.conflict = earlier(with->era[cell], with->where[cell], wasWrite);
                result.conflict.readOnlyPath = always;
            };
            const std::uint32_t where = pass.where | lane;
            conflict(p.writes, true, !isWrite && access.readOnlyPath);
            if constexpr (isWrite) {
                conflict(p.readOnlyReads, false, true);
                conflict(p.reads, false, false);
                conflict(p.otherReads, false, false);
                keep(p.writes, cell, pass.era, where);
                p.written[cell / 64] |= std::uint64_t{1} << cell % 64;
            } else {
                if (access.readOnlyPath) keep(p.readOnlyReads, cell, pass.era, where);
                // A read that is not ordered before this one stays, so that two threads' reads are kept.
                const std::uint32_t last = p.reads ? p.reads->era[cell] : 0;
                if (last && pass.isOpen(last, p.reads->where[cell], lane) &&
                    (!p.otherReads || !p.otherReads->era[cell] ||
                     !pass.isOpen(p.otherReads->era[cell], p.otherReads->where[cell], lane)))
                    keep(p.otherReads, cell, last, p.reads->where[cell]);
                keep(p.reads, cell, pass.era, where);
                p.read[cell / 64] |= std::uint64_t{1} << cell % 64;
            }
        }
    }
    return result;
}

GlobalShadow::Result GlobalShadow::read(const WarpPlace& who, const GlobalAccess& access, std::uint32_t mask) {
    forgetWhereFull();
    if (access.inRow && mask == ~0U && accessRow<false>(who, access)) return {mask, {}};
    return accessLanes<false>(who, access, mask);
}

GlobalShadow::Result GlobalShadow::write(const WarpPlace& who, const GlobalAccess& access, std::uint32_t mask) {
    forgetWhereFull();
    if (access.inRow && mask == ~0U && accessRow<true>(who, access)) return {mask, {}};
    return accessLanes<true>(who, access, mask);
}

void GlobalShadow::forgetWhereFull() {
    if (m_bytes + m_eras.size() * sizeof(Era) + m_releases.bytes() < m_forgetAt) return;
    m_bytes = 0;
    for (const auto& pages : m_allocations)
        for (const auto& p : pages->pages)
            if (p) {
                for (auto* accesses : {&p->writes, &p->reads, &p->otherReads, &p->readOnlyReads}) accesses->reset();
                m_bytes += sizeof(Page);
            }
    m_eras.resize(1);
    m_releases.forget();
    // What cannot be forgotten counts once only.
    m_forgetAt = std::max(m_forgetAt, 2 * m_bytes);
}

bool GlobalShadow::overlap(std::span<const GlobalShadow* const> shadows) {
    struct Touched {
        Bits written{}, read{};
    };
    std::map<const Allocation*, std::vector<std::unique_ptr<Touched>>> all;
    for (const GlobalShadow* shadow : shadows)
        for (const auto& pages : shadow->m_allocations) {
            auto& touched = all[pages->allocation];
            touched.resize(pages->pages.size());
            for (std::size_t i = 0; i < touched.size(); ++i) {
                const Page* p = pages->pages[i].get();
                if (!p) continue;
                if (!touched[i]) touched[i] = std::make_unique<Touched>();
                Touched& t = *touched[i];
                for (std::size_t word = 0; word < t.written.size(); ++word) {
                    if ((p->written[word] & (t.written[word] | t.read[word])) || (p->read[word] & t.written[word]))
                        return true;
                    t.written[word] |= p->written[word];
                    t.read[word] |= p->read[word];
                }
            }
        }
    return false;
}

} // namespace ptxwb::emulator
