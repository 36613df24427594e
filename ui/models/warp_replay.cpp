#include "models/warp_replay.h"

#include "models/access_grid.h"

#include <QStringList>

#include <algorithm>
#include <bit>

namespace ptxwb::ui {

using emulator::RecordedSpace;
using emulator::RecordedSplit;
using emulator::RecordedStep;
using emulator::StepAccess;

namespace {

QString hex(std::uint64_t number) {
    return QStringLiteral("0x") + QString::number(number, 16);
}

/// How many groups the lanes of `those` stand in at a step.
unsigned groupsOf(const emulator::Recording& r, const RecordedStep& step, std::uint32_t those) {
    unsigned groups = (step.split & those) != 0;
    for (const RecordedSplit& split : r.splitLists[step.others]) groups += (split.lanes & those) != 0;
    return groups;
}

} // namespace

Expected<RecordedWarp> prepareWarp(std::shared_ptr<const ptx::Module> module,
                                   std::shared_ptr<const emulator::Recording> recording) {
    auto accesses = emulator::RecordedAccesses::of(module, *recording);
    if (!accesses) return std::unexpected(std::move(accesses.error()));
    RecordedWarp warp{std::move(module), std::move(recording), std::move(*accesses), {}, {}};
    const emulator::Recording& r = *warp.recording;
    struct Analysed {
        const ptx::Function* function;
        ptx::ControlFlow flow;
        ptx::Liveness live;
    };
    std::vector<Analysed> analysed;
    for (std::uint32_t p = 0; p < r.places.size(); ++p) {
        const ptx::Function& function = warp.accesses.functionOf(p);
        auto known = std::ranges::find(analysed, &function, &Analysed::function);
        if (known == analysed.end()) {
            const ptx::ControlFlow flow = ptx::controlFlow(*warp.module, function);
            analysed.push_back({&function, flow, ptx::liveness(function, flow)});
            known = std::prev(analysed.end());
        }
        const std::uint32_t instruction = warp.accesses.instructionOf(p);
        RecordedWarp::Place& place = warp.places.emplace_back();
        place.live = known->live.liveBefore(known->flow, instruction);
        for (const ptx::RegisterAccess& access : known->live.accesses.of(instruction))
            place.mentioned.push_back(access.reg);
        std::ranges::sort(place.mentioned);
        place.mentioned.erase(std::unique(place.mentioned.begin(), place.mentioned.end()), place.mentioned.end());
    }
    for (std::uint32_t i = 0; i + 1 < r.steps.size(); ++i)
        if (groupsOf(r, r.steps[i + 1], r.steps[i].split) > 1) warp.divergences.push_back(i);
    return warp;
}

QString glyph(LaneState state) {
    switch (state) {
    case LaneState::executes: return QStringLiteral("\u25CF");
    case LaneState::guardFails: return QStringLiteral("\u25CB");
    case LaneState::elsewhere: return QStringLiteral("\u2026");
    case LaneState::waitsForLanes: return QStringLiteral("\u2016");
    case LaneState::atBarrier: return QStringLiteral("B");
    case LaneState::atMbarrier: return QStringLiteral("M");
    case LaneState::left: break;
    }
    return QStringLiteral("\u00D7");
}

QString words(LaneState state) {
    switch (state) {
    case LaneState::executes: return WarpReplay::tr("executes the instruction");
    case LaneState::guardFails: return WarpReplay::tr("stands here, its guard fails");
    case LaneState::elsewhere: return WarpReplay::tr("stands elsewhere, ready to run");
    case LaneState::waitsForLanes: return WarpReplay::tr("waits for other lanes of the warp");
    case LaneState::atBarrier: return WarpReplay::tr("waits at a barrier");
    case LaneState::atMbarrier: return WarpReplay::tr("waits for an mbarrier");
    case LaneState::left: break;
    }
    return WarpReplay::tr("has left, or the warp has no such thread");
}

WarpReplay::WarpReplay(QObject* parent) : QObject(parent) {}
WarpReplay::~WarpReplay() = default;

void WarpReplay::setWarp(RecordedWarp warp) {
    m_warp = std::move(warp);
    m_stepper = std::make_unique<emulator::WarpStepper>(m_warp->recording);
    look();
    emit warpChanged();
}

void WarpReplay::clear() {
    if (isEmpty()) return;
    m_stepper.reset();
    m_warp.reset();
    m_changes.clear();
    m_memoryChanges.clear();
    m_accesses.clear();
    emit warpChanged();
}

/// What the step before the position changed, and what the one behind it touches.
void WarpReplay::look() {
    m_changes.clear();
    m_memoryChanges.clear();
    m_changedFrame = ~0U;
    if (m_stepper->back()) {
        m_changes = m_stepper->registerChanges();
        m_memoryChanges = m_stepper->memoryChanges();
        m_changedFrame = m_stepper->step()->frame;
        m_stepper->forward();
    }
    m_accesses = m_warp->accesses.next(*m_stepper);
}

void WarpReplay::moveTo(std::uint32_t position) {
    if (isEmpty() || position == m_stepper->position()) return;
    m_stepper->moveTo(position);
    look();
    emit moved();
}

bool WarpReplay::forward() {
    if (position() >= steps()) return false;
    moveTo(position() + 1);
    return true;
}

bool WarpReplay::back() {
    if (position() == 0) return false;
    moveTo(position() - 1);
    return true;
}

bool WarpReplay::goTo(std::optional<std::uint32_t> wanted) {
    if (!wanted) return false;
    moveTo(*wanted);
    return true;
}

bool WarpReplay::toLine(int line, Direction direction) {
    if (isEmpty() || line <= 0) return false;
    const emulator::Breakpoint breakpoint{static_cast<std::uint32_t>(line)};
    using Way = emulator::WarpStepper::Direction;
    return goTo(m_stepper->find({&breakpoint, 1}, direction == Direction::forward ? Way::forward : Way::back));
}

namespace {

/// Of ascending steps the nearest one behind or before `position`.
std::optional<std::uint32_t> nearest(const std::vector<std::uint32_t>& steps, std::uint32_t position,
                                     WarpReplay::Direction direction) {
    if (direction == WarpReplay::Direction::forward) {
        const auto it = std::ranges::upper_bound(steps, position);
        return it == steps.end() ? std::nullopt : std::optional(*it);
    }
    const auto it = std::ranges::lower_bound(steps, position);
    return it == steps.begin() ? std::nullopt : std::optional(*std::prev(it));
}

} // namespace

bool WarpReplay::toDivergence(Direction direction) {
    return !isEmpty() && goTo(nearest(m_warp->divergences, position(), direction));
}

bool WarpReplay::toFinding(Direction direction) {
    if (isEmpty()) return false;
    std::vector<std::uint32_t> found;
    for (const emulator::RecordedFinding& one : recording().stepFindings) found.push_back(one.step);
    return goTo(nearest(found, position(), direction));
}

bool WarpReplay::toFinding(FindingKind kind, int line, std::optional<unsigned> lane) {
    if (isEmpty()) return false;
    const emulator::Recording& r = recording();
    for (const emulator::RecordedFinding& one : r.stepFindings) {
        const Finding& finding = r.findings[one.finding];
        if (finding.kind != kind || static_cast<int>(r.places[r.steps[one.step].place].line) != line) continue;
        if (lane && !(r.steps[one.step].split >> *lane & 1)) continue;
        moveTo(one.step);
        return true;
    }
    for (std::uint32_t i = steps(); i-- > 0;) {
        if (static_cast<int>(r.places[r.steps[i].place].line) != line) continue;
        if (lane && !(r.steps[i].lanes >> *lane & 1)) continue;
        moveTo(i);
        return true;
    }
    return false;
}

int WarpReplay::line() const {
    if (steps() == 0) return 0;
    const emulator::Recording& r = recording();
    return static_cast<int>(r.places[r.steps[std::min(position(), steps() - 1)].place].line);
}

std::string_view WarpReplay::instruction() const {
    if (steps() == 0) return {};
    const std::uint32_t place = recording().steps[std::min(position(), steps() - 1)].place;
    const ptx::Function& function = m_warp->accesses.functionOf(place);
    if (function.instructions.empty()) return {};
    return m_warp->module->textOf(function.instructions[m_warp->accesses.instructionOf(place)].span);
}

LaneState WarpReplay::lane(unsigned lane) const {
    if (isEmpty()) return LaneState::left;
    const RecordedStep* const step = m_stepper->step();
    if (!step) return LaneState::left;
    if (step->lanes >> lane & 1) return LaneState::executes;
    if (step->split >> lane & 1) return LaneState::guardFails;
    for (const RecordedSplit& split : recording().splitLists[step->others]) {
        if (!(split.lanes >> lane & 1)) continue;
        switch (split.waits) {
        case RecordedSplit::Waits::no: return LaneState::elsewhere;
        case RecordedSplit::Waits::forLanes: return LaneState::waitsForLanes;
        case RecordedSplit::Waits::beforeBarrier:
        case RecordedSplit::Waits::atBarrier: return LaneState::atBarrier;
        case RecordedSplit::Waits::forMbarrier: return LaneState::atMbarrier;
        }
    }
    return LaneState::left;
}

Index3 WarpReplay::threadOf(unsigned lane) const {
    const Index3& size = recording().blockSize;
    const std::uint32_t linear = recording().warp * 32 + lane;
    return {linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]};
}

std::uint32_t WarpReplay::frame() const {
    return recording().steps[std::min(position(), steps() - 1)].frame;
}

const emulator::RecordedFunction& WarpReplay::function() const {
    static const emulator::RecordedFunction none;
    return steps() == 0 ? none : recording().functions[recording().regions[frame()].function];
}

emulator::RecordedValues WarpReplay::value(std::uint32_t registerNumber) const {
    return steps() == 0 ? emulator::RecordedValues{} : m_stepper->value(frame(), registerNumber);
}

std::uint32_t WarpReplay::changedLanes(std::uint32_t registerNumber) const {
    if (steps() == 0 || m_changedFrame != frame()) return 0;
    const auto it = std::ranges::lower_bound(m_changes, registerNumber, {}, &emulator::RegisterChange::number);
    return it != m_changes.end() && it->number == registerNumber ? it->lanes : 0;
}

const RecordedWarp::Place* WarpReplay::place() const {
    const RecordedStep* const step = isEmpty() ? nullptr : m_stepper->step();
    return step ? &m_warp->places[step->place] : nullptr;
}

QString WarpReplay::addressText(std::uint64_t address) const {
    for (const emulator::RecordedRegion& region : recording().regions) {
        if (region.space != RecordedSpace::global || address < region.address) continue;
        if (address - region.address >= region.bytes) continue;
        // Pages of one allocation share its name; where the allocation begins only its first page tells.
        std::uint64_t begin = region.address;
        for (const emulator::RecordedRegion& other : recording().regions)
            if (other.space == RecordedSpace::global && other.name == region.name)
                begin = std::min(begin, other.address);
        const bool isWhole = begin == region.address || region.name.empty();
        const QString name = QString::fromStdString(region.name);
        return isWhole ? QStringLiteral("%1 + %2").arg(name).arg(address - begin)
                       : QStringLiteral("%1, %2").arg(name, hex(address));
    }
    return hex(address);
}

std::uint32_t WarpReplay::sharedBytes() const {
    if (isEmpty()) return 0;
    for (const emulator::RecordedRegion& region : recording().regions)
        if (region.space == RecordedSpace::shared) return region.bytes;
    return 0;
}

QStringList WarpReplay::barrierLines() const {
    QStringList lines;
    const RecordedStep* const step = isEmpty() ? nullptr : m_stepper->step();
    if (!step) return lines;
    for (const emulator::RecordedBarrier& barrier : recording().barrierLists[step->barriers]) {
        if (barrier.isMbarrier) {
            lines += tr("mbarrier at shared byte %1: phase %2, %3 of %4 arrivals")
                         .arg(barrier.id)
                         .arg(barrier.phase)
                         .arg(barrier.arrived)
                         .arg(barrier.expected);
            continue;
        }
        lines += tr("barrier %1: %2 of %3 threads have arrived, of the warps %4")
                     .arg(barrier.id)
                     .arg(barrier.arrived)
                     .arg(barrier.expected)
                     .arg(laneList(barrier.warps));
    }
    return lines;
}

QStringList WarpReplay::laneLines() const {
    QStringList lines;
    const RecordedStep* const step = isEmpty() ? nullptr : m_stepper->step();
    if (!step) return lines;
    lines += tr("lanes %1 execute line %2").arg(step->lanes ? laneList(step->lanes) : tr("none")).arg(line());
    if (const std::uint32_t idle = step->split & ~step->lanes)
        lines += tr("lanes %1 stand there too, their guard fails").arg(laneList(idle));
    for (const RecordedSplit& split : recording().splitLists[step->others]) {
        const auto at = recording().places[split.place].line;
        const QString lanes = laneList(split.lanes);
        switch (split.waits) {
        case RecordedSplit::Waits::no: lines += tr("lanes %1 are ready at line %2").arg(lanes).arg(at); break;
        case RecordedSplit::Waits::forLanes:
            lines += tr("lanes %1 wait at line %2 for other lanes").arg(lanes).arg(at);
            break;
        case RecordedSplit::Waits::beforeBarrier:
        case RecordedSplit::Waits::atBarrier:
            lines += tr("lanes %1 wait at line %2 for barrier %3").arg(lanes).arg(at).arg(split.barrier);
            break;
        case RecordedSplit::Waits::forMbarrier:
            lines +=
                tr("lanes %1 wait at line %2 for the mbarrier at shared byte %3").arg(lanes).arg(at).arg(split.barrier);
            break;
        }
    }
    return lines;
}

QStringList WarpReplay::findingLines() const {
    QStringList lines;
    if (isEmpty()) return lines;
    for (const Finding* finding : m_stepper->findings()) lines += QString::fromStdString(finding->message);
    return lines;
}

QString WarpReplay::accessLine(const StepAccess& access) const {
    const QString kind = access.kind == StepAccess::Kind::load    ? tr("Load")
                         : access.kind == StepAccess::Kind::store ? tr("Store")
                                                                  : tr("Atomic");
    const int lanes = std::popcount(access.lanes);
    const QString where = access.isConstant                       ? tr("constant memory")
                          : access.space == RecordedSpace::global ? tr("global memory")
                          : access.space == RecordedSpace::shared ? tr("shared memory")
                                                                  : tr("local memory");
    const QString begin = tr("%1 of %2 bytes a lane, %3 lanes, %4").arg(kind).arg(access.bytes).arg(lanes).arg(where);
    if (access.misaligned)
        return tr("%1: the address of lanes %2 is no multiple of %3")
            .arg(begin, laneList(access.misaligned))
            .arg(access.bytes);
    if (access.isConstant) return begin;
    if (access.space == RecordedSpace::local)
        return tr("%1: %2 sectors of 32 bytes").arg(begin).arg(emulator::localSectors(access.addresses()));
    if (access.space == RecordedSpace::global) {
        const emulator::SectorShape shape = emulator::sectorShape(access.addresses());
        return tr("%1: %2 sectors of 32 bytes, %3 would do").arg(begin).arg(shape.sectors).arg(shape.ideal);
    }
    using emulator::SharedAccess;
    const emulator::BankShape shape =
        emulator::bankShape(access.addresses(), access.kind != StepAccess::Kind::load ? SharedAccess::store
                                                : access.isRows                       ? SharedAccess::rows
                                                                                      : SharedAccess::load);
    if (shape.ways <= 1) return tr("%1: %2 wavefronts, no bank conflict").arg(begin).arg(shape.wavefronts);
    return tr("%1: %2 wavefronts, %3 would do; a bank conflict of %4 ways")
        .arg(begin)
        .arg(shape.wavefronts)
        .arg(shape.ideal)
        .arg(shape.ways);
}

} // namespace ptxwb::ui
