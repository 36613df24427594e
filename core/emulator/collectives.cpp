#include "emulator/matrix.h"
#include "emulator/warp_control.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

std::uint32_t membersOf(const Step& step, const CollectiveOp& op, unsigned lane) {
    return op.members == noSlot ? step.mask : step.word32(op.members, lane);
}

/// Whether every lane names the same members: the usual case, where the mask is written into the instruction.
bool sameMembers(const CollectiveOp& op) {
    return op.members == noSlot || static_cast<SlotBase>(op.members >> slotBaseShift) == SlotBase::constants;
}

/// Lanes of the split that name the same members as `lane` does: those that execute one collective together.
std::uint32_t groupOf(const Step& step, const CollectiveOp& op, unsigned lane, std::uint32_t among) {
    if (sameMembers(op)) return among;
    const std::uint32_t members = membersOf(step, op, lane);
    std::uint32_t group = 0;
    forLanes(among, [&](unsigned other) {
        group |= static_cast<std::uint32_t>(membersOf(step, op, other) == members) << other;
    });
    return group;
}

/// Source: PTX ISA 9.0, 9.7.9.6 shfl.sync. `b` is the lane or distance, `c` packs clamp (bits 0..4) and segment mask
/// (8..12).
void shuffle(const Step& step, const CollectiveOp& op, std::uint32_t group) {
    std::uint32_t values[32];
    for (unsigned lane = 0; lane < 32; ++lane) values[lane] = step.word32(op.a, lane);
    std::uint32_t outside = 0, sources = 0, inRange = 0;
    std::uint32_t result[32];
    forLanes(group, [&](unsigned lane) {
        const std::uint32_t b = step.word32(op.b, lane) & 31, c = step.word32(op.c, lane);
        const std::uint32_t clamp = c & 31, segment = c >> 8 & 31;
        const std::uint32_t maxLane = (lane & segment) | (clamp & ~segment), minLane = lane & segment;
        std::uint32_t source = 0;
        bool valid = false;
        switch (op.kind) {
        case CollectiveKind::shflUp:
            source = lane - b;
            valid = static_cast<std::int32_t>(source) >= static_cast<std::int32_t>(maxLane);
            break;
        case CollectiveKind::shflDown:
            source = lane + b;
            valid = source <= maxLane;
            break;
        case CollectiveKind::shflBfly:
            source = lane ^ b;
            valid = source <= maxLane;
            break;
        default:
            source = minLane | (b & ~segment);
            valid = source <= maxLane;
            break;
        }
        if (!valid) source = lane;
        if (!(group >> source & 1)) {
            outside |= 1U << lane;
            sources |= 1U << source;
        }
        result[lane] = values[source];
        inRange |= static_cast<std::uint32_t>(valid) << lane;
    });
    if (outside) {
        auto range = [](std::uint32_t mask) {
            const auto first = std::countr_zero(mask);
            const auto last = 31 - std::countl_zero(mask);
            return first == last ? fmt::format("lane {}", first) : fmt::format("lanes {}..{}", first, last);
        };
        Finding finding;
        finding.kind = FindingKind::uninitialized;
        finding.check = "member_mask";
        finding.message = fmt::format("{} read {}, which are not in the member mask: result undefined", range(outside),
                                      range(sources));
        finding.hint = "let every lane that is read take part, or name it in the mask";
        report(step, static_cast<unsigned>(std::countr_zero(outside)), std::move(finding));
    }
    forLanes(group, [&](unsigned lane) { step.word32(op.d, lane) = result[lane]; });
    if (op.p != noSlot) {
        std::uint32_t& p = step.predicate(op.p);
        p = (p & ~group) | inRange;
    }
}

void setPredicate(const Step& step, Slot slot, std::uint32_t group, bool value) {
    std::uint32_t& p = step.predicate(slot);
    p = value ? p | group : p & ~group;
}

/// Source: PTX ISA 9.0, 9.7.13.10 vote.sync.
void vote(const Step& step, const CollectiveOp& op, std::uint32_t group) {
    const std::uint32_t yes = (step.predicate(op.a) ^ (op.negated ? ~0U : 0U)) & group;
    switch (op.kind) {
    case CollectiveKind::voteAny: return setPredicate(step, op.p, group, yes != 0);
    case CollectiveKind::voteAll: return setPredicate(step, op.p, group, yes == group);
    case CollectiveKind::voteUni: return setPredicate(step, op.p, group, yes == group || yes == 0);
    default: forLanes(group, [&](unsigned lane) { step.word32(op.d, lane) = yes; });
    }
}

/// Source: PTX ISA 9.0, 9.7.13.11 match.sync.
void match(const Step& step, const CollectiveOp& op, std::uint32_t group) {
    std::uint32_t result[32] = {};
    forLanes(group, [&](unsigned lane) {
        const std::uint64_t value = step.value({op.a, op.bytes}, lane);
        forLanes(group, [&](unsigned other) {
            result[lane] |= static_cast<std::uint32_t>(step.value({op.a, op.bytes}, other) == value) << other;
        });
    });
    const bool all = op.kind == CollectiveKind::matchAll;
    const bool same = result[std::countr_zero(group)] == group;
    forLanes(group, [&](unsigned lane) { step.word32(op.d, lane) = all ? (same ? group : 0) : result[lane]; });
    if (op.p != noSlot) setPredicate(step, op.p, group, same);
}

/// Source: PTX ISA 9.0, 9.7.13.13 redux.sync.
void reduce(const Step& step, const CollectiveOp& op, std::uint32_t group) {
    bool first = true;
    std::uint32_t r = 0;
    forLanes(group, [&](unsigned lane) {
        const std::uint32_t v = step.word32(op.a, lane);
        const auto signedLess = [](std::uint32_t a, std::uint32_t b) {
            return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
        };
        if (first) {
            r = v;
            first = false;
            return;
        }
        switch (op.kind) {
        case CollectiveKind::reduceAddU32: r += v; break;
        case CollectiveKind::reduceMinU32: r = v < r ? v : r; break;
        case CollectiveKind::reduceMaxU32: r = v > r ? v : r; break;
        case CollectiveKind::reduceMinS32: r = signedLess(v, r) ? v : r; break;
        case CollectiveKind::reduceMaxS32: r = signedLess(r, v) ? v : r; break;
        case CollectiveKind::reduceAnd: r &= v; break;
        case CollectiveKind::reduceOr: r |= v; break;
        default: r ^= v; break;
        }
    });
    forLanes(group, [&](unsigned lane) { step.word32(op.d, lane) = r; });
}

/// Source: PTX ISA 9.0, 9.7.14.5: all threads of the warp must execute the same instruction.
void matrix(const Step& step, const CollectiveOp& op, std::uint32_t group) {
    if (group != ~0U) {
        Finding finding;
        finding.kind = FindingKind::uninitialized;
        finding.check = "member_mask";
        finding.message =
            fmt::format("{} of 32 lanes execute this, which needs all: result undefined", std::popcount(group));
        finding.hint = "let every lane of the warp reach the instruction; the block's size must be a multiple of 32";
        report(step, static_cast<unsigned>(std::countr_zero(group)), std::move(finding));
    }
    if (op.kind == CollectiveKind::warpgroupProduct)
        return warpgroupProduct(step, step.function().warpgroupProducts[op.matrix]);
    const MatrixOp& m = step.function().matrices[op.matrix];
    switch (op.kind) {
    case CollectiveKind::matrixProduct: return matrixProduct(step, m);
    case CollectiveKind::matrixQuads: return matrixQuads(step, m);
    case CollectiveKind::matrixLoad: return rowsToFragments(step, m);
    case CollectiveKind::matrixStore: return fragmentsToRows(step, m);
    default: return transposeFragment(step, m);
    }
}

} // namespace

bool hasAllMembers(const Step& step) {
    const CollectiveOp& op = step.function().collectives[step.op.extra];
    if (sameMembers(op)) return !(membersOf(step, op, 0) & step.warp.live & ~step.mask);
    bool complete = true;
    forLanes(step.mask, [&](unsigned lane) {
        if (membersOf(step, op, lane) & step.warp.live & ~step.mask) complete = false;
    });
    return complete;
}

void collective(const Step& step, const CollectiveOp& op) {
    for (std::uint32_t left = step.mask; left;) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const std::uint32_t group = groupOf(step, op, lane, left);
        left &= ~group;
        if (const std::uint32_t strangers = group & ~membersOf(step, op, lane)) {
            Finding finding;
            finding.kind = FindingKind::uninitialized;
            finding.check = "member_mask";
            finding.message =
                fmt::format("lane {} executes this with member mask 0x{:08x}, which does not name it: result undefined",
                            std::countr_zero(strangers), membersOf(step, op, lane));
            finding.hint = "the mask must name every lane that executes the instruction";
            report(step, static_cast<unsigned>(std::countr_zero(strangers)), std::move(finding));
        }
        if (const std::uint32_t absent = membersOf(step, op, lane) & step.warp.live & ~group) {
            Finding finding;
            finding.kind = FindingKind::deadlock;
            finding.check = "member_mask";
            finding.message =
                fmt::format("lanes {} of warp {} name lanes {} in member mask 0x{:08x}, and those are here "
                            "with another mask: each would wait for the other",
                            laneRanges(group), step.warp.index, laneRanges(absent), membersOf(step, op, lane));
            finding.hint = "lanes that execute the instruction together must give the same mask";
            report(step, lane, std::move(finding));
            step.engine.stopped = true;
            return;
        }
        switch (op.kind) {
        case CollectiveKind::shflUp:
        case CollectiveKind::shflDown:
        case CollectiveKind::shflBfly:
        case CollectiveKind::shflIdx: shuffle(step, op, group); break;
        case CollectiveKind::voteAny:
        case CollectiveKind::voteAll:
        case CollectiveKind::voteUni:
        case CollectiveKind::voteBallot: vote(step, op, group); break;
        case CollectiveKind::matchAny:
        case CollectiveKind::matchAll: match(step, op, group); break;
        case CollectiveKind::warpBarrier: step.block.shadow.warpBarrier(step.warp.index); break;
        case CollectiveKind::elect:
            // Source: PTX ISA 9.0, 9.7.13.15 elect.sync: which lane is chosen is deterministic, here the lowest.
            if (op.d != noSlot) forLanes(group, [&](unsigned l) { step.word32(op.d, l) = lane; });
            setPredicate(step, op.p, group, false);
            setPredicate(step, op.p, group & (~group + 1), true);
            break;
        case CollectiveKind::matrixProduct:
        case CollectiveKind::matrixQuads:
        case CollectiveKind::matrixLoad:
        case CollectiveKind::matrixStore:
        case CollectiveKind::matrixTranspose:
        case CollectiveKind::warpgroupProduct: matrix(step, op, group); break;
        default: reduce(step, op, group); break;
        }
    }
}

} // namespace ptxwb::emulator
