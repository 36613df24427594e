#include "emulator/work_counter.h"

#include "emulator/access_shape.h"

#include <algorithm>

namespace ptxwb::emulator {

WorkCounts& WorkCounts::operator+=(const WorkCounts& other) {
    const std::uint64_t ways = std::max(sharedWays, other.sharedWays);
    std::array<const std::uint64_t*, 32> theirs{};
    std::size_t i = 0;
    eachWorkCount(other, [&](const char*, const std::uint64_t& value) { theirs[i++] = &value; });
    i = 0;
    eachWorkCount(*this, [&](const char*, std::uint64_t& value) { value += *theirs[i++]; });
    sharedWays = ways;
    return *this;
}

namespace {

/// Multiplications and additions of the instruction's products, for the whole warp.
std::vector<std::uint64_t> tensorOperations(const DecodedFunction& f) {
    std::vector<std::uint64_t> operations(f.source->instructions.size());
    for (const MicroOp& op : f.code) {
        if (op.kind != Kind::collective) continue;
        const CollectiveOp& c = f.collectives[op.extra];
        if (c.kind == CollectiveKind::warpgroupProduct) { // 16 of the 64 rows are the warp's own
            const WarpgroupOp& w = f.warpgroupProducts[c.matrix];
            operations[op.instruction] += std::uint64_t{2} * 16 * w.columns * w.product.k;
            continue;
        }
        if (c.kind != CollectiveKind::matrixProduct && c.kind != CollectiveKind::matrixQuads) continue;
        const MatrixOp& m = f.matrices[c.matrix];
        const std::uint64_t elements = 32 * m.d.size() * (m.accumulator == ptx::ScalarType::f16 ? 2 : 1);
        operations[op.instruction] += 2 * m.k * elements;
    }
    return operations;
}

/// Instructions at which warps wait for others.
std::vector<bool> waits(const DecodedFunction& f) {
    std::vector<bool> waits(f.source->instructions.size());
    for (const MicroOp& op : f.code) {
        if (op.kind == Kind::barrier && f.barriers[op.extra].kind != BarrierKind::arrive) waits[op.instruction] = true;
        if (op.kind != Kind::mbarrier) continue;
        const MbarrierKind kind = f.mbarriers[op.extra].kind;
        if (kind == MbarrierKind::testWait || kind == MbarrierKind::tryWait) waits[op.instruction] = true;
    }
    return waits;
}

/// `operator+=` of the members that `measure` sets.
void addAccess(WorkCounts& to, const WorkCounts& one) {
    to.globalRequests += one.globalRequests;
    to.globalBytes += one.globalBytes;
    to.globalSectors += one.globalSectors;
    to.globalIdealSectors += one.globalIdealSectors;
    to.sharedRequests += one.sharedRequests;
    to.sharedBytes += one.sharedBytes;
    to.sharedWavefronts += one.sharedWavefronts;
    to.sharedIdealWavefronts += one.sharedIdealWavefronts;
    to.sharedWays = std::max(to.sharedWays, one.sharedWays);
    to.localRequests += one.localRequests;
    to.localBytes += one.localBytes;
    to.localSectors += one.localSectors;
    to.atomicRequests += one.atomicRequests;
    to.atomicCollisions += one.atomicCollisions;
}

bool isRows(const Step& step) {
    return step.function().source->instructions[step.op.instruction].opcode == ptx::Opcode::ldmatrix;
}

} // namespace

WorkCounter::WorkCounter(const Program& program) : m_program(&program) {
    std::size_t count = 0;
    for (const DecodedFunction& f : program.functions) {
        m_first.push_back(count);
        count += std::max<std::size_t>(f.source->instructions.size(), 1);
    }
    m_counts.resize(count);
    m_accesses.resize(count);
    m_patterns.resize(count);
}

void WorkCounter::access(const Step& step, Window window, const Addresses& a, std::uint32_t mask, std::uint32_t bytes,
                         AccessKind kind) {
    if (window == Window::parameter) return;
    const std::size_t number = numberOf(step.function(), step.op.instruction);
    auto& patterns = m_patterns[number];
    if (!patterns) patterns = std::make_unique<std::array<Pattern, patternsKept>>();
    // What a shape depends on beside the distances between lanes: where in a sector the first address lies; where in a
    // word for shared and local memory, since turning all words by as many banks changes nothing. Loops go through the
    // words of a sector, and cp.async accesses two memories.
    const bool isGlobal = window == Window::global;
    const std::uint64_t first = a.at[0] % (isGlobal ? 32 : 4);
    const std::uint64_t slot = isGlobal ? first / 4 : patternsKept / 2 + (a.at[31] - a.at[0]) / 4 % (patternsKept / 2);
    Pattern& pattern = (*patterns)[slot];
    std::uint64_t differs =
        (pattern.mask ^ mask) | (pattern.first ^ first) | static_cast<std::uint64_t>(pattern.window != window);
    for (unsigned lane = 0; lane < 32; ++lane) differs |= pattern.distance[lane] ^ (a.at[lane] - a.at[0]);
    if (differs) {
        pattern.mask = mask;
        pattern.window = window;
        pattern.first = first;
        for (unsigned lane = 0; lane < 32; ++lane) pattern.distance[lane] = a.at[lane] - a.at[0];
        pattern.counts = {};
        measure(pattern.counts, step, window, a, mask, bytes, kind);
    }
    addAccess(m_accesses[number], pattern.counts);
}

void WorkCounter::measure(WorkCounts& c, const Step& step, Window window, const Addresses& a, std::uint32_t mask,
                          std::uint32_t bytes, AccessKind kind) {
    const LaneAddresses lanes{a.at, mask, bytes};
    const std::uint64_t all = std::uint64_t{bytes} * lanesIn(mask);
    if (window == Window::global) {
        const SectorShape shape = sectorShape(lanes);
        c.globalRequests = 1;
        c.globalBytes = all;
        c.globalSectors = shape.sectors;
        c.globalIdealSectors = shape.ideal;
    } else if (window == Window::shared) {
        const SharedAccess access = kind != AccessKind::load ? SharedAccess::store
                                    : isRows(step)           ? SharedAccess::rows
                                                             : SharedAccess::load;
        const BankShape shape = bankShape(lanes, access);
        c.sharedRequests = 1;
        c.sharedBytes = all;
        c.sharedWavefronts = shape.wavefronts;
        c.sharedIdealWavefronts = shape.ideal;
        c.sharedWays = shape.ways;
    } else {
        c.localRequests = 1;
        c.localBytes = all;
        c.localSectors = localSectors(lanes);
    }
    if (kind != AccessKind::atomic) return;
    c.atomicRequests = 1;
    c.atomicCollisions = collisions(lanes);
}

void WorkCounter::merge(const WorkCounter& other) {
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        m_counts[i].warps += other.m_counts[i].warps;
        m_counts[i].threads += other.m_counts[i].threads;
        m_counts[i].idle += other.m_counts[i].idle;
        m_counts[i].branches += other.m_counts[i].branches;
        m_counts[i].divergent += other.m_counts[i].divergent;
        m_accesses[i] += other.m_accesses[i];
    }
}

Work WorkCounter::result() const {
    Work work;
    for (std::size_t f = 0; f < m_program->functions.size(); ++f) {
        const DecodedFunction& function = m_program->functions[f];
        const auto operations = tensorOperations(function);
        const auto waiting = waits(function);
        for (std::size_t i = 0; i < function.source->instructions.size(); ++i) {
            const PlaceCounts& place = m_counts[m_first[f] + i];
            if (!place.warps) continue;
            const ptx::Instruction& instruction = function.source->instructions[i];
            WorkCounts counts = m_accesses[m_first[f] + i];
            counts.warpInstructions = place.warps;
            counts.threadInstructions = place.threads;
            counts.branches = place.branches;
            counts.divergentBranches = place.divergent;
            const std::uint64_t busy = place.warps - place.idle;
            if (operations[i]) counts.tensorInstructions = busy;
            counts.tensorOperations = busy * operations[i];
            if (waiting[i]) counts.barrierWaits = busy;
            work.total += counts;
            MixCounts& mix = work.mix[static_cast<std::size_t>(classOf(*function.source, instruction))];
            mix.warpInstructions += place.warps;
            mix.threadInstructions += place.threads;
            work.lines.push_back({m_program->module->lineOf(instruction.span.offset), counts});
        }
    }
    std::ranges::stable_sort(work.lines, {}, &LineCounts::line);
    std::vector<LineCounts> folded;
    for (const LineCounts& line : work.lines) {
        if (folded.empty() || folded.back().line != line.line)
            folded.push_back(line);
        else
            folded.back().counts += line.counts;
    }
    work.lines = std::move(folded);
    return work;
}

} // namespace ptxwb::emulator
