// A recorded warp as a person walks through it: where it stands, what the last step changed, what the next one touches.
// Filled by WarpStepping, shown by the warp panel and its models; knows no widget.
#pragma once

#include "emulator/recorded_access.h"
#include "emulator/recording.h"
#include "ptx/analysis/liveness.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace ptxwb::ui {

/// What one recording brings, made off the window's thread.
struct RecordedWarp {
    std::shared_ptr<const ptx::Module> module;
    std::shared_ptr<const emulator::Recording> recording;
    emulator::RecordedAccesses accesses;
    struct Place {
        std::vector<ptx::Index> live;      ///< registers that hold a value needed here
        std::vector<ptx::Index> mentioned; ///< by the instruction
    };
    std::vector<Place> places;              ///< as the recording's
    std::vector<std::uint32_t> divergences; ///< steps after which lanes of the warp go different ways
};

/// Errors: those of emulator::RecordedAccesses::of.
Expected<RecordedWarp> prepareWarp(std::shared_ptr<const ptx::Module> module,
                                   std::shared_ptr<const emulator::Recording> recording);

enum class LaneState : std::uint8_t {
    executes,
    guardFails, ///< stands at the instruction and does not execute it
    elsewhere,  ///< ready to run at another instruction
    waitsForLanes,
    atBarrier,
    atMbarrier,
    left, ///< has left the kernel, or the warp never had it
};
QString glyph(LaneState state); ///< one character, different for each
QString words(LaneState state);

/// Position `p` is the moment before step p; steps() is the end.
class WarpReplay : public QObject {
    Q_OBJECT

public:
    enum class Direction : std::uint8_t { forward, back };

    explicit WarpReplay(QObject* parent = nullptr);
    ~WarpReplay() override;

    void setWarp(RecordedWarp warp);
    void clear();
    bool isEmpty() const { return !m_warp; }
    const emulator::Recording& recording() const { return *m_warp->recording; }
    const emulator::WarpStepper& stepper() const { return *m_stepper; }

    std::uint32_t steps() const { return isEmpty() ? 0 : m_stepper->steps(); }
    std::uint32_t position() const { return isEmpty() ? 0 : m_stepper->position(); }
    void moveTo(std::uint32_t position);
    bool forward(); ///< false at the end
    bool back();    ///< false at the start
    // Each moves to the nearest step of its kind behind or before the position; false, and nothing moves, where there
    // is none.
    bool toLine(int line, Direction direction);
    bool toDivergence(Direction direction);
    bool toFinding(Direction direction);
    /// To the step that the checkers found it in, else to the last one of its line that the lane executes; false where
    /// neither is in the recording. `lane`: of the warp, nullopt: any.
    bool toFinding(FindingKind kind, int line, std::optional<unsigned> lane);

    int line() const; ///< PTX line of the step that comes next, from 1; of the last one at the end; 0 while empty
    std::string_view instruction() const; ///< its text
    LaneState lane(unsigned lane) const;
    Index3 threadOf(unsigned lane) const;
    /// Whose registers are shown: of the frame of the next step, at the end of the last one.
    const emulator::RecordedFunction& function() const;
    emulator::RecordedValues value(std::uint32_t registerNumber) const;
    /// Lanes whose value the step before the position changed.
    std::uint32_t changedLanes(std::uint32_t registerNumber) const;
    const std::vector<emulator::RegisterChange>& registerChanges() const { return m_changes; }
    const std::vector<emulator::MemoryChange>& memoryChanges() const { return m_memoryChanges; }
    /// What the next step touches.
    const std::vector<emulator::StepAccess>& accesses() const { return m_accesses; }
    const RecordedWarp::Place* place() const; ///< nullptr at the end
    /// Where a device address lies: "x[12..]" as "x + 48", else the address in hex.
    QString addressText(std::uint64_t address) const;
    std::uint32_t sharedBytes() const;

    // For people, one line each.
    QStringList barrierLines() const;
    QStringList laneLines() const;    ///< where the lanes stand that do not run now
    QStringList findingLines() const; ///< what the checkers found in the next step
    QString accessLine(const emulator::StepAccess& access) const;

signals:
    void warpChanged(); ///< another recording, or none; the position with it
    void moved();

private:
    void look();
    std::uint32_t frame() const;
    bool goTo(std::optional<std::uint32_t> position);

    std::optional<RecordedWarp> m_warp;
    std::unique_ptr<emulator::WarpStepper> m_stepper;
    std::vector<emulator::RegisterChange> m_changes; ///< by the step before the position
    std::vector<emulator::MemoryChange> m_memoryChanges;
    std::uint32_t m_changedFrame = ~0U;
    std::vector<emulator::StepAccess> m_accesses;
};

} // namespace ptxwb::ui
