#include "emulator/recorder.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t pageBytes = 512;
/// Allocations up to this size are kept whole, as long as they have room together.
constexpr std::size_t wholeAllocation = std::size_t{64} << 10, wholeAllocations = std::size_t{1} << 20;
constexpr std::size_t largestLocal = std::size_t{1} << 20;

RecordedSplit::Waits waitsOf(SplitState state) {
    switch (state) {
    case SplitState::ready: return RecordedSplit::Waits::no;
    case SplitState::atCollective: return RecordedSplit::Waits::forLanes;
    case SplitState::atBarrier: return RecordedSplit::Waits::beforeBarrier;
    case SplitState::arrived:
    case SplitState::atCluster: return RecordedSplit::Waits::atBarrier;
    case SplitState::atMbarrier: return RecordedSplit::Waits::forMbarrier;
    }
    return RecordedSplit::Waits::no;
}

/// The registers of a frame that have names, without the padding behind them.
std::uint32_t namedBytes(const DecodedFunction& function) {
    std::uint32_t end = 0;
    for (const SlotRef& slot : function.registerSlots)
        end = std::max(end, (slot.slot & slotOffsetMask) + (slot.bytes == 0 ? 4 : 32U * slot.bytes));
    return end;
}

} // namespace

Recorder::Recorder(const Program& program, const Launch& launch, const RecordRequest& request)
    : m_program(&program), m_request(request), m_recording(std::make_shared<Recording>()) {
    for (const DecodedFunction& f : program.functions) {
        RecordedFunction& recorded = m_recording->functions.emplace_back();
        recorded.name = f.source->name;
        for (ptx::Index r = 0; r < f.registerSlots.size(); ++r)
            recorded.registers.push_back({f.source->registerName(r), std::string(ptx::name(f.source->registerType(r))),
                                          f.registerSlots[r].slot & slotOffsetMask, f.registerSlots[r].bytes});
    }
    m_recording->block = request.block;
    m_recording->blockSize = launch.block;
    m_recording->warp = request.warp;
    m_blockNumber = request.block[0] + std::uint64_t{launch.grid[0]} *
                                           (request.block[1] + std::uint64_t{launch.grid[1]} * request.block[2]);
}

std::uint32_t Recorder::addRegion(RecordedRegion region, const std::uint8_t* host) {
    region.firstStep = static_cast<std::uint32_t>(m_recording->steps.size()) - m_open;
    const auto number = static_cast<std::uint32_t>(m_recording->regions.size());
    Source source{host, std::vector<std::uint32_t>(std::size_t{recordedRows(region)} * recordedRowWords)};
    m_heldBytes += source.last.size() * 4;
    m_sources.push_back(std::move(source));
    m_recording->regions.push_back(std::move(region));
    compareAll(number);
    return number;
}

void Recorder::compareRow(std::uint32_t region, std::uint32_t row) {
    Source& source = m_sources[region];
    const std::uint32_t begin = row * recordedRowBytes;
    const std::uint32_t bytes = std::min(recordedRowBytes, m_recording->regions[region].bytes - begin);
    std::uint32_t* last = source.last.data() + std::size_t{row} * recordedRowWords;
    if (!std::memcmp(last, source.host + begin, bytes)) return;
    std::uint32_t now[recordedRowWords] = {};
    std::memcpy(now, source.host + begin, bytes);
    RowChange change;
    change.region = region;
    change.row = row;
    for (std::uint32_t i = 0; i < recordedRowWords; ++i) change.flips[i] = now[i] ^ last[i];
    std::memcpy(last, now, sizeof now);
    appendChange(m_recording->log, change);
}

void Recorder::compareAll(std::uint32_t region) {
    const std::uint32_t bytes = m_recording->regions[region].bytes;
    if (!bytes || !std::memcmp(m_sources[region].last.data(), m_sources[region].host, bytes)) return;
    for (std::uint32_t row = 0; row < recordedRows(m_recording->regions[region]); ++row) compareRow(region, row);
}

void Recorder::comparePages() {
    for (const auto& [address, region] : m_pages) compareAll(region);
}

void Recorder::start(const Step& step) {
    m_recording->startLanes = step.warp.live;
    m_recording->localBytes = step.engine.localCapacity;
    if (!step.block.shared.empty()) {
        RecordedRegion region;
        region.bytes = static_cast<std::uint32_t>(step.block.shared.size());
        m_shared = addRegion(region, step.block.shared.data());
    }
    const std::size_t local = std::size_t{step.engine.localCapacity} * 32;
    if (local && local <= largestLocal) {
        RecordedRegion region;
        region.space = RecordedSpace::local;
        region.bytes = static_cast<std::uint32_t>(local);
        m_local = addRegion(region, step.warp.local.data());
    }
    std::size_t left = wholeAllocations;
    for (const Memory* memory : {&step.engine.memory, &step.engine.image})
        for (const auto& allocation : memory->allocations()) {
            if (allocation->size > wholeAllocation || allocation->size > left || !allocation->size) continue;
            left -= allocation->size;
            RecordedRegion region;
            region.space = RecordedSpace::global;
            region.name = allocation->name;
            region.address = allocation->address;
            region.bytes = static_cast<std::uint32_t>(allocation->size);
            m_pages[allocation->address] = addRegion(region, allocation->bytes.data());
        }
}

void Recorder::touchGlobal(const Step& step, std::uint64_t address, std::uint32_t bytes) {
    const Allocation* allocation = step.engine.memory.find(address);
    if (!allocation) allocation = step.engine.image.find(address);
    if (!allocation || !allocation->holds(address, bytes)) return;
    const auto rowsOf = [&](std::uint32_t region, std::uint64_t start) {
        const std::uint64_t first = (address - start) / recordedRowBytes;
        const std::uint64_t last = (address + bytes - 1 - start) / recordedRowBytes;
        for (std::uint64_t row = first; row <= last; ++row)
            m_touched.emplace_back(region, static_cast<std::uint32_t>(row));
    };
    if (const auto whole = m_pages.find(allocation->address);
        whole != m_pages.end() && m_recording->regions[whole->second].bytes == allocation->size)
        return rowsOf(whole->second, allocation->address);
    // Pages are counted from the start of the allocation; an access may lie across two.
    for (std::uint64_t offset = (address - allocation->address) / pageBytes * pageBytes;
         offset < address + bytes - allocation->address; offset += pageBytes) {
        auto [page, isNew] = m_pages.try_emplace(allocation->address + offset);
        if (isNew) {
            RecordedRegion region;
            region.space = RecordedSpace::global;
            region.name = allocation->name;
            region.address = allocation->address + offset;
            region.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(pageBytes, allocation->size - offset));
            page->second = addRegion(region, allocation->bytes.data() + offset);
        }
        for (std::uint32_t row = 0; row < recordedRows(m_recording->regions[page->second]); ++row)
            m_touched.emplace_back(page->second, row);
    }
}

std::uint32_t Recorder::frameOf(const Frame& frame) {
    if (const auto known = m_frames.find(&frame); known != m_frames.end()) return known->second;
    RecordedRegion region;
    region.space = RecordedSpace::registers;
    region.bytes = namedBytes(*frame.function);
    region.function = static_cast<std::uint32_t>(frame.function - m_program->functions.data());
    return m_frames[&frame] = addRegion(region, frame.registers);
}

/// Frames that are left may be used again for other calls.
void Recorder::forgetFrames(const Warp& warp) {
    std::erase_if(m_frames, [&](const auto& known) {
        return std::ranges::none_of(warp.frames, [&](const auto& frame) { return frame.get() == known.first; });
    });
}

std::uint32_t Recorder::placeOf(const DecodedFunction& function, const MicroOp& op) {
    const auto [known, isNew] =
        m_places.try_emplace({&function, op.instruction}, static_cast<std::uint32_t>(m_recording->places.size()));
    if (!isNew) return known->second;
    const ptx::Span span = function.source->instructions.empty() ? function.source->span
                                                                 : function.source->instructions[op.instruction].span;
    const Place place = m_program->module->placeOf(span);
    m_recording->places.push_back(
        {static_cast<std::uint32_t>(&function - m_program->functions.data()), place.line, place.column, place.length});
    return known->second;
}

std::uint32_t Recorder::othersOf(const Step& step, std::size_t running) {
    std::vector<RecordedSplit> list;
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < step.warp.splits.size(); ++i) {
        const Split& split = step.warp.splits[i];
        if (i == running || !split.mask) continue;
        const std::uint32_t place = placeOf(*split.frame->function, split.frame->function->code[split.pc]);
        list.push_back({split.mask, place, frameOf(*split.frame), waitsOf(split.state), split.barrier});
        for (const std::uint32_t number :
             {split.mask, place, list.back().frame, static_cast<std::uint32_t>(split.state), split.barrier})
            numbers.push_back(number);
    }
    const auto [known, isNew] =
        m_splitLists.try_emplace(std::move(numbers), static_cast<std::uint32_t>(m_recording->splitLists.size()));
    if (isNew) m_recording->splitLists.push_back(std::move(list));
    return known->second;
}

std::uint32_t Recorder::barriersOf(const Block& block) {
    std::vector<RecordedBarrier> list;
    for (std::uint32_t id = 0; id < block.barriers.size(); ++id) {
        const BarrierState& b = block.barriers[id];
        if (b.arrivedThreads)
            list.push_back({false, id, b.arrivedThreads, b.expected ? b.expected : block.liveThreads, b.warps, 0});
    }
    for (const auto& [offset, m] : block.mbarriers)
        list.push_back({true, offset, m.expected - m.pending, m.expected, 0, m.phase});
    std::vector<std::uint32_t> numbers;
    for (const RecordedBarrier& b : list)
        for (const std::uint32_t number :
             {std::uint32_t{b.isMbarrier}, b.id, b.arrived, b.expected, b.warps, static_cast<std::uint32_t>(b.phase),
              static_cast<std::uint32_t>(b.phase >> 32)})
            numbers.push_back(number);
    const auto [known, isNew] =
        m_barrierLists.try_emplace(std::move(numbers), static_cast<std::uint32_t>(m_recording->barrierLists.size()));
    if (isNew) m_recording->barrierLists.push_back(std::move(list));
    return known->second;
}

void Recorder::begin(const Step& step, std::size_t running) {
    finish();
    Engine& engine = step.engine;
    m_engine = &engine;
    m_warp = &step.warp;
    const std::size_t from = m_recording->log.size() - std::exchange(m_carried, 0);
    if (!std::exchange(m_started, true)) {
        start(step);
        engine.findings.listen(true);
    }
    // Whoever else ran since may have stored, and a barrier may have written its result.
    if (engine.counters.warpInstructions != m_expected + 1) {
        if (m_shared != ~0U) compareAll(m_shared);
        comparePages();
        for (const auto& [frame, region] : m_frames) compareAll(region);
    }
    m_expected = engine.counters.warpInstructions;
    RecordedStep now;
    now.frame = frameOf(step.frame());
    compareAll(now.frame);
    now.place = placeOf(step.function(), step.op);
    now.lanes = step.mask;
    now.split = step.split.mask;
    now.others = othersOf(step, running);
    now.barriers = barriersOf(step.block);
    now.before = static_cast<std::uint32_t>(m_recording->log.size() - from);
    m_recording->steps.push_back(now);
    m_open = true;
    m_frame = &step.frame();
    m_touchedShared = step.op.kind == Kind::mbarrier;
    m_touchedLocal = step.op.kind == Kind::call || step.op.kind == Kind::callIndirect || step.op.kind == Kind::ret ||
                     step.op.kind == Kind::deviceCall;
    m_leaves = step.op.kind == Kind::ret || step.op.kind == Kind::exit;
    engine.findings.forgetHeard();
    if (size() > m_request.byteLimit) {
        m_recording->log.resize(from);
        m_recording->steps.pop_back();
        m_open = false;
        m_full = true;
        engine.findings.listen(false);
        m_recording->stoppedEarly = fmt::format("the recording is full: {} bytes after {} steps", m_request.byteLimit,
                                                m_recording->steps.size());
    }
}

void Recorder::takeBack() {
    if (!m_open) return;
    finish();
    const RecordedStep& dropped = m_recording->steps.back();
    m_carried = std::size_t{dropped.before} + dropped.after;
    m_recording->steps.pop_back();
    --m_expected;
}

void Recorder::access(const Step& step, Window window, const Addresses& a, std::uint32_t mask, std::uint64_t base,
                      std::uint32_t bytes) {
    if (!m_open) return;
    if (window == Window::local) m_touchedLocal = true;
    if (window == Window::shared && m_shared != ~0U)
        forLanes(mask, [&](unsigned lane) {
            const std::uint64_t offset = a.at[lane] - base;
            if (offset >= step.block.shared.size() || bytes > step.block.shared.size() - offset) return;
            for (std::uint64_t row = offset / recordedRowBytes; row <= (offset + bytes - 1) / recordedRowBytes; ++row)
                m_touched.emplace_back(m_shared, static_cast<std::uint32_t>(row));
        });
    if (window != Window::global) return;
    // Pages that are new are known from this step on: what they hold came before it.
    const std::size_t from = m_recording->log.size();
    forLanes(mask, [&](unsigned lane) { touchGlobal(step, a.at[lane], bytes); });
    m_recording->steps.back().before += static_cast<std::uint32_t>(m_recording->log.size() - from);
}

void Recorder::noteFindings() {
    const auto step = static_cast<std::uint32_t>(m_recording->steps.size() - 1);
    for (const Finding* heard : m_engine->findings.heard()) {
        const auto [known, isNew] =
            m_findings.try_emplace(heard, static_cast<std::uint32_t>(m_recording->findings.size()));
        if (isNew) m_recording->findings.push_back(*heard);
        const RecordedFinding found{step, known->second};
        auto& all = m_recording->stepFindings;
        bool isTold = false;
        for (auto it = all.rbegin(); it != all.rend() && it->step == step; ++it) isTold |= it->finding == found.finding;
        if (!isTold) all.push_back(found);
    }
    m_engine->findings.forgetHeard();
}

void Recorder::finish() {
    if (!m_open) return;
    m_open = false;
    const std::size_t from = m_recording->log.size();
    if (const auto frame = m_frames.find(m_frame); frame != m_frames.end()) {
        // A frame that was left for good has no registers any more.
        const bool lives =
            !m_leaves || std::ranges::any_of(m_warp->frames, [&](const auto& f) { return f.get() == m_frame; });
        if (lives) compareAll(frame->second);
    }
    std::ranges::sort(m_touched);
    m_touched.erase(std::unique(m_touched.begin(), m_touched.end()), m_touched.end());
    for (const auto& [region, row] : m_touched) compareRow(region, row);
    m_touched.clear();
    if (m_touchedLocal && m_local != ~0U) compareAll(m_local);
    if (m_touchedShared && m_shared != ~0U) compareAll(m_shared);
    if (m_leaves) forgetFrames(*m_warp);
    m_recording->steps.back().after = static_cast<std::uint32_t>(m_recording->log.size() - from);
    noteFindings();
}

void Recorder::settle() {
    finish();
}

std::size_t Recorder::size() const {
    return m_recording->log.size() + m_recording->steps.size() * sizeof(RecordedStep) + m_heldBytes;
}

std::shared_ptr<const Recording> Recorder::take() {
    finish();
    if (m_recording->steps.empty()) return nullptr;
    m_recording->log.resize(m_recording->log.size() - std::exchange(m_carried, 0));
    return m_recording;
}

} // namespace ptxwb::emulator
