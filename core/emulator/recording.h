// What one warp did, step by step: registers, the memory that it touched, where its lanes stood. A value of its own:
// it can be packed into bytes, sent through the worker's pipe and walked in both directions by a process that runs no
// kernel. Made by `run` where Options::record asks for it; walked by WarpStepper (the window's stepper, tests).
//
// How it is kept. Every piece of state (a frame's registers, shared memory, pages of global memory) is a region of
// rows of 32 words, all zero at first. A step has two groups of changes: what happened since the warp's last step
// (other warps' stores, a barrier's result, memory that the warp is about to touch for the first time), and what its
// own instruction did. A change is a row with the bits that flip, so one log serves both directions. A step costs 32
// bytes, and each row that it changes about 7 and 4 a word.
#pragma once

#include "emulator/emulator.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ptxwb::emulator {

struct RecordedRegister {
    std::string name;         ///< "%r3"
    std::string type;         ///< "u32"
    std::uint32_t offset = 0; ///< of lane 0, in the frame's region
    std::uint8_t bytes = 4;   ///< of a lane: 4 or 8; 0 for a predicate, one word with a bit a lane
};

struct RecordedFunction {
    std::string name;
    std::vector<RecordedRegister> registers; ///< in order of offset
};

/// An instruction that the warp reached.
struct RecordedPlace {
    std::uint32_t function = 0; ///< into Recording::functions
    std::uint32_t line = 0, column = 0, length = 0;
};

/// Lanes that stand together and do not run now.
struct RecordedSplit {
    enum class Waits : std::uint8_t { no, forLanes, beforeBarrier, atBarrier, forMbarrier };
    std::uint32_t lanes = 0;
    std::uint32_t place = 0; ///< of their next instruction, into Recording::places
    std::uint32_t frame = 0; ///< a region
    Waits waits = Waits::no;
    std::uint32_t barrier = 0; ///< its number, or the mbarrier's offset
    bool operator==(const RecordedSplit&) const = default;
};

/// A barrier at which somebody waits, or an mbarrier of the block.
struct RecordedBarrier {
    bool isMbarrier = false;
    std::uint32_t id = 0;                    ///< number, or offset in shared memory
    std::uint32_t arrived = 0, expected = 0; ///< threads; arrivals of this phase
    std::uint32_t warps = 0;                 ///< bit by warp: those that have arrived
    std::uint64_t phase = 0;                 ///< of an mbarrier: completed so far
    bool operator==(const RecordedBarrier&) const = default;
};

enum class RecordedSpace : std::uint8_t { registers, shared, local, global };

struct RecordedRegion {
    RecordedSpace space = RecordedSpace::shared;
    std::string name;            ///< of the allocation, for global memory
    std::uint64_t address = 0;   ///< of its first byte: device address, or offset in shared memory
    std::uint32_t bytes = 0;     ///< of local memory: of all 32 lanes, one after another
    std::uint32_t function = 0;  ///< of registers
    std::uint32_t firstStep = 0; ///< nothing is known of it before
};

struct RecordedStep {
    std::uint32_t place = 0;
    std::uint32_t frame = 0;             ///< a region
    std::uint32_t lanes = 0;             ///< that execute it
    std::uint32_t split = 0;             ///< that stand here: those whose guard failed too
    std::uint32_t others = 0;            ///< into Recording::splitLists
    std::uint32_t barriers = 0;          ///< into Recording::barrierLists
    std::uint32_t before = 0, after = 0; ///< bytes of the two groups of changes in the log
};

struct RecordedFinding {
    std::uint32_t step = 0;
    std::uint32_t finding = 0; ///< into Recording::findings
};

struct Recording {
    Index3 block{}, blockSize{};
    std::uint32_t warp = 0;
    std::uint32_t startLanes = 0; ///< that the warp has
    std::uint32_t localBytes = 0; ///< of one lane, in the region of local memory
    std::string stoppedEarly;     ///< why the recording ends before the warp does; empty where it does not
    std::vector<RecordedFunction> functions;
    std::vector<RecordedPlace> places;
    std::vector<RecordedRegion> regions;
    std::vector<RecordedStep> steps;
    std::vector<std::vector<RecordedSplit>> splitLists;
    std::vector<std::vector<RecordedBarrier>> barrierLists;
    std::vector<RecordedFinding> stepFindings; ///< in order of steps
    std::vector<Finding> findings;
    std::vector<std::uint8_t> log;
};

/// Words of 32 lanes.
struct RecordedValues {
    std::uint64_t lanes[32] = {}; ///< a predicate: 0 or 1
};

struct RegisterChange {
    std::uint32_t number = 0; ///< into the registers of the step's function
    std::uint32_t lanes = 0;  ///< whose value changes
    RecordedValues before, after;
};

struct MemoryChange {
    RecordedSpace space = RecordedSpace::shared;
    std::uint64_t address = 0;
    std::uint32_t lane = 0;              ///< of local memory
    std::uint32_t before = 0, after = 0; ///< 4-byte words
};

struct Breakpoint {
    std::uint32_t line = 0;
    std::uint32_t lanes = ~0U; ///< stops where one of them executes
};

/// Stands before step `position()` of a recording; at steps() behind the last one.
class WarpStepper {
public:
    explicit WarpStepper(std::shared_ptr<const Recording> recording);

    const Recording& recording() const { return *m_recording; }
    std::uint32_t steps() const { return static_cast<std::uint32_t>(m_recording->steps.size()); }
    std::uint32_t position() const { return m_position; }
    /// The step that comes next; nullptr at the end.
    const RecordedStep* step() const;
    bool forward();                      ///< false at the end
    bool back();                         ///< false at the start
    void moveTo(std::uint32_t position); ///< costs as much as the changes in between

    enum class Direction : std::uint8_t { forward, back };
    /// The nearest position behind (or before) this one whose step one of the breakpoints stops at.
    std::optional<std::uint32_t> find(std::span<const Breakpoint> breakpoints, Direction direction) const;

    /// A register of a frame as it stands; `frame` is a region of registers.
    RecordedValues value(std::uint32_t frame, std::uint32_t number) const;
    /// What the step that comes next changes in its frame's registers, and in memory.
    std::vector<RegisterChange> registerChanges() const;
    std::vector<MemoryChange> memoryChanges() const;
    /// `count` bytes as they stand; empty ones are not known: the warp had not touched them yet, or never does. For
    /// local memory the lane's own offsets.
    std::vector<std::optional<std::uint8_t>> memory(RecordedSpace space, std::uint64_t address, std::uint32_t count,
                                                    std::uint32_t lane = 0) const;
    /// What the checkers found in the step that comes next.
    std::vector<const Finding*> findings() const;

private:
    template <class F>
    void eachChange(std::size_t from, std::size_t bytes, F f) const;
    void flip(std::size_t from, std::size_t bytes);

    std::shared_ptr<const Recording> m_recording;
    std::vector<std::vector<std::uint32_t>> m_state; ///< words, by region
    std::vector<std::vector<std::uint32_t>> m_stepsOfPlace;
    std::uint32_t m_position = 0;
    std::size_t m_at = 0; ///< in the log: behind what came before the next step
};

/// The recording as bytes, and back; its findings travel beside them. Errors of `unpack` (Cause::rejected) say what
/// does not fit: every index and every change is checked, so that what it answers can be walked safely wherever the
/// bytes came from.
std::vector<std::uint8_t> pack(const Recording& recording);
Expected<Recording> unpack(std::span<const std::uint8_t> bytes, std::vector<Finding> findings);

} // namespace ptxwb::emulator
