// wgmma.mma_async and its fence and groups. Each warp of a warpgroup makes its own 16 rows when it executes the
// instruction, as the products of 16 x 8 of mma.sync: fragments of A and accumulators lie in the registers alike. What
// is undefined until the group was waited for is reported. Source: PTX ISA 9.0, 9.7.15.
#include "emulator/bulk_copy.h"
#include "emulator/matrix.h"
#include "emulator/warpgroup_operands.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

constexpr unsigned groupWarps = 4;

bool watches(const Step& step) {
    return step.engine.options.races && step.engine.options.asyncCopies;
}

AsyncProxy::Warp& stateOf(const Step& step) {
    auto& warps = step.block.async.warps;
    if (warps.empty()) warps.resize(step.block.warps.size());
    return warps[step.warp.index];
}

bool has(const std::vector<SlotRef>& registers, Slot slot) {
    return std::ranges::find(registers, slot, &SlotRef::slot) != registers.end();
}

std::string registerNamed(const DecodedFunction& function, Slot slot) {
    const auto it = std::ranges::find(function.registerSlots, slot, &SlotRef::slot);
    return function.source->registerName(static_cast<ptx::Index>(it - function.registerSlots.begin()));
}

/// A finding about a register, and the place of the other instruction.
void reportRegister(const Step& step, std::uint32_t place, std::string_view what, const char* there, const char* hint,
                    Slot slot) {
    const CodePlace other = codePlace(step.engine.program, place);
    if (step.engine.findings.known(FindingKind::race, step.place(), other, step.block.linear)) return;
    const Place at =
        step.engine.program.module->placeOf(other.function->source->instructions[other.op->instruction].span);
    Finding finding;
    finding.kind = FindingKind::race;
    finding.check = "wgmma";
    finding.message = fmt::format(fmt::runtime(what), registerNamed(step.function(), slot), at.line);
    finding.hint = hint;
    RelatedFinding related;
    related.line = at.line;
    related.column = at.column;
    related.block = step.block.index;
    related.message = there;
    finding.related.push_back(std::move(related));
    report(step, static_cast<unsigned>(std::countr_zero(step.mask)), std::move(finding), other);
}

/// Registers that other instructions wrote need a fence before a product uses them.
void checkFence(const Step& step, const AsyncProxy::Warp& state, const WarpgroupOp& op) {
    if (!watches(step)) return;
    for (const auto& t : state.touched)
        if (has(op.d, t.slot) || has(op.a, t.slot))
            return reportRegister(step, t.place, "uses register {}, which line {} wrote, with no wgmma.fence between",
                                  "the write", "execute wgmma.fence.sync.aligned between the two", t.slot);
    if (state.fenced) return;
    refuseCopy(step, 0, FindingKind::race, "wgmma", "is the first wgmma.mma_async, with no wgmma.fence before it",
               "execute wgmma.fence.sync.aligned before the first wgmma.mma_async");
}

/// False, and a finding, where a piece lies outside of shared memory.
bool areInside(const Step& step, const MatrixPieces& pieces, char matrix) {
    const std::size_t size = step.block.shared.size();
    for (const std::uint32_t offset : pieces.offsets) {
        if (offset + 16 <= size) continue;
        refuseCopy(
            step, 0, FindingKind::outOfBounds, "bounds",
            fmt::format("the descriptor of {} reaches offset {} of shared memory, and the block has {} bytes", matrix,
                        offset, size),
            "a descriptor holds (address & 0x3FFFF) >> 4 of a shared address, and its offsets in units of 16 bytes");
        return false;
    }
    return true;
}

/// A tile that came by a tensor copy under another swizzle than the descriptor's is read from the wrong places.
void checkSwizzle(const Step& step, const MatrixPieces& pieces, unsigned swizzle, char matrix) {
    if (!watches(step) || pieces.offsets.empty()) return;
    const RaceShadow::LastWrite write = step.block.shadow.lastWrite(pieces.offsets.front());
    const auto known = write.isThere ? step.block.async.swizzles.find(write.place) : step.block.async.swizzles.end();
    if (known == step.block.async.swizzles.end() || known->second == swizzle) return;
    const CodePlace other = codePlace(step.engine.program, write.place);
    if (step.engine.findings.known(FindingKind::launch, step.place(), other, step.block.linear)) return;
    const Place at =
        step.engine.program.module->placeOf(other.function->source->instructions[other.op->instruction].span);
    constexpr const char* names[] = {"no swizzle", "the 32-byte swizzle", "the 64-byte swizzle",
                                     "the 128-byte swizzle"};
    Finding finding;
    finding.kind = FindingKind::launch;
    finding.check = "swizzle";
    finding.message = fmt::format("reads {} with {}, and the tensor copy at line {} wrote it under {}", matrix,
                                  names[swizzle], at.line, names[known->second]);
    finding.hint =
        "bits 62 and 63 of the descriptor and the tensor map's swizzle say the same: 1 is 128 bytes, 2 is 64, "
        "3 is 32";
    RelatedFinding related;
    related.line = at.line;
    related.column = at.column;
    related.block = step.block.index;
    related.message = "the copy";
    finding.related.push_back(std::move(related));
    report(step, static_cast<unsigned>(std::countr_zero(step.mask)), std::move(finding), other);
}

void readPieces(const Step& step, const MatrixPieces& pieces, AsyncProxy::Product& product) {
    const std::uint32_t mark = markOf(product.place, step.warp.index, 0, true);
    for (const std::uint32_t offset : pieces.offsets) checkAsyncRead(step, 0, {offset, 16});
    if (!watches(step)) return;
    for (const std::uint32_t offset : pieces.offsets) setMark(step.block, {offset, 16}, mark);
    product.chunks.insert(product.chunks.end(), pieces.offsets.begin(), pieces.offsets.end());
}

/// The fragment of A: its word i of a lane holds row lane / 4 (+ 8) and bytes 4 (lane mod 4) (+ 16) of K.
void loadA(const Step& step, const WarpgroupOp& op, const MatrixPieces& pieces) {
    const std::uint8_t* shared = step.block.shared.data();
    const std::uint32_t signs = op.negateA ? op.signs : 0;
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned lane = 0; lane < 32; ++lane) {
            const std::uint32_t word = op.descriptorA == noSlot
                                           ? static_cast<std::uint32_t>(step.value(op.a[i], lane))
                                           : pieces.word(shared, lane / 4 + 8 * (i & 1), lane % 4 * 4 + (i >> 1) * 16);
            step.set(op.product.a[i], lane, word ^ signs);
        }
}

void loadB(const Step& step, const WarpgroupOp& op, const MatrixPieces& pieces, unsigned column) {
    const std::uint8_t* shared = step.block.shared.data();
    const std::uint32_t signs = op.negateB ? op.signs : 0;
    for (unsigned i = 0; i < 2; ++i)
        for (unsigned lane = 0; lane < 32; ++lane)
            step.set(op.product.b[i], lane, pieces.word(shared, column + lane / 4, lane % 4 * 4 + i * 16) ^ signs);
}

void multiply(const Step& step, const WarpgroupOp& op, const MatrixPieces& a, const MatrixPieces& b) {
    if (op.descriptorA != noSlot || op.negateA) loadA(step, op, a);
    const bool accumulates = step.predicate(op.scaleD) & 1;
    MatrixOp part = op.product;
    for (unsigned column = 0; column < op.columns; column += 8) {
        loadB(step, op, b, column);
        const std::size_t first = column / 8 * part.d.size();
        for (std::size_t i = 0; i < part.d.size(); ++i) {
            part.d[i] = op.d[first + i];
            part.c[i] = accumulates ? op.d[first + i] : SlotRef{op.zero, 4};
        }
        matrixProduct(step, part);
    }
}

/// The product that is not waited for; one a place and group.
AsyncProxy::Product& productOf(const Step& step, AsyncProxy::Warp& state, const WarpgroupOp& op) {
    const auto same = [&](const AsyncProxy::Product& p) {
        return p.op == &op && p.frame == step.split.frame && p.group == state.committed;
    };
    const auto it = std::ranges::find_if(state.pending, same);
    if (it != state.pending.end()) return *it;
    return state.pending.emplace_back(
        AsyncProxy::Product{state.committed, placeNumber(step), &op, step.split.frame, {}});
}

} // namespace

void warpgroupProduct(const Step& step, const WarpgroupOp& op) {
    const std::uint32_t within = step.warp.index % groupWarps;
    if (step.block.warps.size() < step.warp.index - within + groupWarps) {
        refuseCopy(step, 0, FindingKind::barrierDivergence, "warpgroup",
                   fmt::format("a warpgroup is 4 warps, and the block has {}", step.block.warps.size()),
                   "launch blocks of a multiple of 128 threads");
        step.engine.stopped = true;
        return;
    }
    AsyncProxy::Warp& state = stateOf(step);
    checkFence(step, state, op);
    const MatrixDescriptor descriptorB = matrixDescriptor(step.word64(op.descriptorB, 0));
    MatrixPieces a, b = matrixPieces(descriptorB, op.rowsB, 0, op.columns);
    MatrixDescriptor descriptorA;
    if (op.descriptorA != noSlot) {
        descriptorA = matrixDescriptor(step.word64(op.descriptorA, 0));
        a = matrixPieces(descriptorA, op.columnsA, 16 * within, 16);
    }
    if (!areInside(step, a, 'A') || !areInside(step, b, 'B')) return;
    checkSwizzle(step, a, descriptorA.swizzle, 'A');
    checkSwizzle(step, b, descriptorB.swizzle, 'B');
    AsyncProxy::Product& product = productOf(step, state, op);
    readPieces(step, a, product);
    readPieces(step, b, product);
    ++step.engine.counters.sharedAccesses;
    multiply(step, op, a, b);
}

void productFence(const Step& step) {
    if (!step.mask) return;
    AsyncProxy::Warp& state = stateOf(step);
    state.fenced = true;
    state.touched.clear();
}

void productCommit(const Step& step) {
    if (step.mask) ++stateOf(step).committed;
}

void productWait(const Step& step) {
    if (!step.mask) return;
    AsyncProxy::Warp& state = stateOf(step);
    std::erase_if(state.pending, [&](const AsyncProxy::Product& p) {
        if (std::int64_t{p.group} >= std::int64_t{state.committed} - step.op.immediate) return false;
        const std::uint32_t mark = markOf(p.place, step.warp.index, 0, true);
        for (const std::uint32_t offset : p.chunks) {
            clearMark(step.block, {offset, 16}, mark);
            // To whoever stores there next, it reads until now.
            step.block.shadow.read(step.warp.index, 0, offset, 16, p.place, RaceShadow::Kind::plain);
        }
        return true;
    });
}

void checkFragments(const Step& step, const RegisterUse& use) {
    if (!step.mask) return;
    if (step.block.async.warps.empty() && use.writtenFragments.empty()) return;
    AsyncProxy::Warp& state = stateOf(step);
    for (const Slot slot : use.writtenFragments)
        if (std::ranges::find(state.touched, slot, &AsyncProxy::Warp::Touched::slot) == state.touched.end())
            state.touched.push_back({slot, placeNumber(step)});
    if (!watches(step)) return;
    for (const AsyncProxy::Product& p : state.pending) {
        if (p.frame != step.split.frame) continue;
        for (const Slot slot : use.fragments) {
            const bool isWritten = std::ranges::find(use.writtenFragments, slot) != use.writtenFragments.end();
            if (!has(p.op->d, slot) && !(isWritten && has(p.op->a, slot))) continue;
            return reportRegister(step, p.place,
                                  "touches register {} while the wgmma.mma_async at line {} may still be using it",
                                  "the product in flight",
                                  "commit the product and wait for its group first (wgmma.wait_group with few enough "
                                  "groups left)",
                                  slot);
        }
    }
}

} // namespace ptxwb::emulator
