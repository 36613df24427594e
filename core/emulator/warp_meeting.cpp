// The instructions that lanes of a warp execute together where the lanes do not stand at one place: those that may be
// met from several places of the code, and lanes that wait for others which never come.
// Source: PTX ISA 9.0, 9.7.9.6 shfl.sync, 9.7.13.2 bar.warp.sync and their family: a thread waits until all threads of
// its mask that have not exited have executed the instruction with the same qualifiers and the same mask, wherever.
#include "emulator/observer.h"
#include "emulator/warp_control.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

/// Where a split's collective finds its operands.
struct Stand {
    Split* split;
    const CollectiveOp* op;
    std::uint8_t* bases[3];

    std::uint8_t* slot(Slot s) const { return bases[s >> slotBaseShift] + (s & slotOffsetMask); }
    std::uint32_t word(Slot s, unsigned lane) const { return reinterpret_cast<std::uint32_t*>(slot(s))[lane]; }
};

Stand standOf(const Engine& engine, Warp& warp, Split& split) {
    const DecodedFunction& function = *split.frame->function;
    return {&split,
            &function.collectives[function.code[split.pc].extra],
            {split.frame->registers, const_cast<std::uint8_t*>(engine.program.constants.data()),
             reinterpret_cast<std::uint8_t*>(warp.specials.data())}};
}

/// The mask that all lanes of the split name; empty where they differ.
std::optional<std::uint32_t> membersOf(const Stand& stand) {
    if (stand.op->members == noSlot) return stand.split->mask;
    std::optional<std::uint32_t> members;
    bool same = true;
    forLanes(stand.split->mask, [&](unsigned lane) {
        const std::uint32_t m = stand.word(stand.op->members, lane);
        same &= !members || *members == m;
        members = m;
    });
    return same ? members : std::nullopt;
}

bool isAligned(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::matrixProduct:
    case CollectiveKind::matrixQuads:
    case CollectiveKind::matrixLoad:
    case CollectiveKind::matrixStore:
    case CollectiveKind::matrixTranspose:
    case CollectiveKind::warpgroupProduct: return true;
    default: return false;
    }
}

/// One place for the operands of lanes that stand at several.
struct alignas(64) Table {
    std::uint64_t a[32], d[32];
    std::uint32_t b[32], c[32], members[32];
    std::uint32_t predicate = 0, result = 0;
};

template <class T>
Slot offsetIn(const T& member, const Table& table) {
    return static_cast<Slot>(reinterpret_cast<const std::uint8_t*>(&member) -
                             reinterpret_cast<const std::uint8_t*>(&table));
}

bool isVote(CollectiveKind kind) {
    return kind == CollectiveKind::voteAny || kind == CollectiveKind::voteAll || kind == CollectiveKind::voteUni ||
           kind == CollectiveKind::voteBallot;
}

void take(const Stand& from, Table& table) {
    const CollectiveOp& op = *from.op;
    forLanes(from.split->mask, [&](unsigned lane) {
        if (isVote(op.kind)) {
            const std::uint32_t p = *reinterpret_cast<std::uint32_t*>(from.slot(op.a)) ^ (op.negated ? ~0U : 0U);
            table.predicate |= p & 1U << lane;
        } else if (op.a != noSlot) {
            if (op.bytes == 8)
                table.a[lane] = reinterpret_cast<std::uint64_t*>(from.slot(op.a))[lane];
            else
                reinterpret_cast<std::uint32_t*>(table.a)[lane] = from.word(op.a, lane);
        }
        if (op.b != noSlot) table.b[lane] = from.word(op.b, lane);
        if (op.c != noSlot) table.c[lane] = from.word(op.c, lane);
    });
}

void give(const Table& table, const Stand& to) {
    const CollectiveOp& op = *to.op;
    const std::uint32_t mask = to.split->mask;
    if (op.d != noSlot)
        forLanes(mask, [&](unsigned lane) {
            reinterpret_cast<std::uint32_t*>(to.slot(op.d))[lane] =
                reinterpret_cast<const std::uint32_t*>(table.d)[lane];
        });
    if (op.p != noSlot) {
        auto& p = *reinterpret_cast<std::uint32_t*>(to.slot(op.p));
        p = (p & ~mask) | (table.result & mask);
    }
}

std::string opcodeOf(const Engine& engine, const Split& split) {
    const DecodedFunction& function = *split.frame->function;
    return opcodeText(function, function.code[split.pc], engine.program);
}

} // namespace

bool meetFromSeveralPlaces(Engine& engine, Block& block, Warp& warp) {
    for (Split& first : warp.splits) {
        if (first.state != SplitState::atCollective) continue;
        const Stand here = standOf(engine, warp, first);
        const auto members = membersOf(here);
        if (!members || isAligned(here.op->kind)) continue;
        std::vector<Stand> stands;
        std::uint32_t lanes = 0;
        for (Split& split : warp.splits) {
            if (split.state != SplitState::atCollective) continue;
            const Stand stand = standOf(engine, warp, split);
            if (stand.op->kind != here.op->kind || stand.op->bytes != here.op->bytes || membersOf(stand) != members)
                continue;
            stands.push_back(stand);
            lanes |= split.mask;
        }
        if (*members & warp.live & ~lanes) continue;
        Table table{};
        for (const Stand& stand : stands) take(stand, table);
        std::ranges::fill(table.members, *members);
        CollectiveOp op = *here.op;
        const auto to = [&](Slot& slot, const auto& member) {
            if (slot != noSlot) slot = offsetIn(member, table);
        };
        if (isVote(op.kind))
            op.a = offsetIn(table.predicate, table);
        else
            to(op.a, table.a);
        op.negated = false;
        to(op.b, table.b);
        to(op.c, table.c);
        to(op.members, table.members);
        // Some places may ignore what others ask for.
        const bool wantsWord = std::ranges::any_of(stands, [](const Stand& s) { return s.op->d != noSlot; });
        const bool wantsPredicate = std::ranges::any_of(stands, [](const Stand& s) { return s.op->p != noSlot; });
        op.d = wantsWord ? offsetIn(table.d, table) : noSlot;
        op.p = wantsPredicate ? offsetIn(table.result, table) : noSlot;
        LaneContext context{};
        context.bases[0] = reinterpret_cast<std::uint8_t*>(&table);
        context.bases[1] = here.bases[1];
        context.bases[2] = here.bases[2];
        context.mask = lanes;
        const Step step{engine, block, warp, first, first.frame->function->code[first.pc], lanes, context};
        collective(step, op);
        for (const Stand& stand : stands) {
            Split& split = *stand.split;
            ++engine.counters.warpInstructions; // it was taken back when the split began to wait
            engine.counters.threadInstructions += lanesIn(split.mask);
            if (engine.observer) {
                LaneContext there{};
                std::ranges::copy(stand.bases, there.bases);
                there.mask = split.mask;
                const MicroOp& own = split.frame->function->code[split.pc];
                engine.observer->begin({engine, block, warp, split, own, split.mask, there},
                                       static_cast<std::size_t>(&split - warp.splits.data()));
            }
            give(table, stand);
            if (engine.observer) engine.observer->settle(engine);
            stand.split->state = SplitState::ready;
            ++stand.split->pc;
        }
        return true;
    }
    return false;
}

bool reportLanesThatNeverCome(Engine& engine, Block& block, Warp& warp) {
    auto& splits = warp.splits;
    if (std::ranges::none_of(splits, [](const Split& s) { return s.state == SplitState::atCollective; })) return false;
    std::vector<bool> goesOn(splits.size());
    const auto missing = [&](Split& split) {
        const Stand stand = standOf(engine, warp, split);
        std::uint32_t all = 0;
        forLanes(split.mask, [&](unsigned lane) {
            all |= stand.op->members == noSlot ? split.mask : stand.word(stand.op->members, lane);
        });
        return all & warp.live & ~split.mask;
    };
    const auto allGoOn = [&](std::uint32_t lanes) {
        for (std::size_t i = 0; i < splits.size(); ++i)
            if (splits[i].mask & lanes && !goesOn[i]) return false;
        return true;
    };
    /// Of those at barriers: whether it counts all threads of the block.
    const auto countsAll = [&](const Split& split) {
        const DecodedFunction& function = *split.frame->function;
        return function.barriers[function.code[split.pc].extra].count == noSlot;
    };
    const auto mayGoOn = [&](Split& split) {
        switch (split.state) {
        case SplitState::atCollective: return allGoOn(missing(split));
        case SplitState::atBarrier:
        case SplitState::arrived: {
            if (!countsAll(split)) return true;
            std::uint32_t atBarriers = 0;
            for (const Split& other : splits)
                if (other.state == SplitState::atBarrier || other.state == SplitState::arrived)
                    atBarriers |= other.mask;
            return allGoOn(warp.live & ~atBarriers);
        }
        default: return true;
        }
    };
    for (bool grown = true; grown;) {
        grown = false;
        for (std::size_t i = 0; i < splits.size(); ++i)
            if (!goesOn[i] && mayGoOn(splits[i])) goesOn[i] = grown = true;
    }
    for (std::size_t i = 0; i < splits.size(); ++i) {
        Split& split = splits[i];
        if (goesOn[i] || split.state != SplitState::atCollective) continue;
        const Stand stand = standOf(engine, warp, split);
        const auto lane = static_cast<unsigned>(std::countr_zero(split.mask));
        const std::uint32_t mask = stand.op->members == noSlot ? split.mask : stand.word(stand.op->members, lane);
        Finding finding;
        finding.kind = FindingKind::deadlock;
        finding.check = "member_mask";
        finding.message = fmt::format(
            "lanes {} of warp {} execute {} with member mask 0x{:08x} and wait for lanes {}, which never come",
            laneRanges(split.mask), warp.index, opcodeOf(engine, split), mask, laneRanges(missing(split)));
        finding.hint =
            "all lanes that the mask names must reach the instruction with the same mask: move it out of the "
            "divergent branch, or name only the lanes that come";
        for (Split& other : splits)
            if (&other != &split && other.mask & missing(split) && finding.related.size() < 8)
                finding.related.push_back(waiting(engine, block, warp, other));
        LaneContext context{};
        const Step step{engine, block, warp, split, split.frame->function->code[split.pc], split.mask, context};
        report(step, lane, std::move(finding));
        engine.stopped = true;
        return true;
    }
    return false;
}

} // namespace ptxwb::emulator
