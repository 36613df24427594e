// The state of a running grid, as data: a block can be left at any instruction and taken up again.
//
// Divergence. The lanes of a warp are kept in splits; a split is a set of lanes at one place of one frame that execute
// together. The split with the lowest place runs until it reaches the next one's place, where they merge: code is laid
// out so that joins lie behind the branches that they close. A split that ran for long while others wait (a lane
// spinning on a lock that another lane of its warp holds) gives way, so every lane makes progress, as on sm_70 and
// later.
#pragma once

#include "emulator/async_proxy.h"
#include "emulator/findings.h"
#include "emulator/global_shadow.h"
#include "emulator/instruction_pool.h"

#include <bit>
#include <map>
#include <memory>
#include <random>

namespace ptxwb::emulator {

struct Frame {
    const DecodedFunction* function = nullptr;
    Frame* parent = nullptr;
    std::uint32_t returnPc = 0; ///< in the parent
    const CallOp* call = nullptr;
    std::uint32_t localBase = 0; ///< in the thread's local memory
    std::uint32_t depth = 0;
    std::uint32_t lanes = 0;                    ///< that have not returned
    std::vector<std::uint64_t> registerStorage; ///< 64-byte aligned start in `registers`
    std::uint8_t* registers = nullptr;
    std::vector<std::uint32_t> written; ///< by tracked register: lanes that have written it
};

enum class SplitState : std::uint8_t { ready, atCollective, atBarrier, arrived, atMbarrier, atCluster };

struct Split {
    std::uint32_t mask = 0;
    std::uint32_t pc = 0;
    Frame* frame = nullptr;
    SplitState state = SplitState::ready;
    std::uint32_t barrier = 0; ///< number, where it has arrived at one; offset of the mbarrier for which it waits
    std::uint64_t ranAt = 0;   ///< Warp::executed when it last ran
};

/// A cp.async that its thread has not waited for.
struct AsyncCopy {
    std::uint32_t lane = 0, group = 0;
    std::uint32_t offset = 0, bytes = 0; ///< of shared memory
    std::uint32_t place = 0;             ///< as placeNumber gives it
    static constexpr std::uint32_t none = ~0U;
    std::uint32_t mbarrier = none; ///< offset of the one at which it arrives
    std::uint64_t phase = 0;       ///< of that one
};

/// An mbarrier object of the block (mbarrier.cpp).
struct Mbarrier {
    std::uint32_t expected = 0, pending = 0; ///< arrivals of each phase; those that this phase lacks
    std::int64_t bytes = 0;                  ///< that this phase lacks
    std::uint64_t phase = 0;
    EarlierAccess made{};                       ///< by which thread, where
    std::uint32_t madeAt = 0;                   ///< the stamp of its warp
    RaceShadow::Clocks arriving{}, completed{}; ///< what happened before the arrivals of this phase, of those before
};

struct Warp {
    std::uint32_t index = 0;
    std::uint32_t live = 0; ///< lanes that have not exited
    std::vector<Split> splits;
    std::vector<std::unique_ptr<Frame>> frames;
    std::vector<std::unique_ptr<Frame>> spareFrames;
    std::vector<std::uint8_t> local;            ///< 32 lanes of localCapacity bytes
    std::vector<std::uint8_t> localWritten;     ///< one a byte
    std::vector<std::uint64_t> specials;        ///< broadcast and per-lane slots, by Special
    std::vector<AsyncCopy> copies;              ///< in order of issue
    std::size_t copiesKept = 0;                 ///< when overwritten ones were last taken out
    std::array<std::uint32_t, 32> copyGroups{}; ///< committed so far, by lane
    std::uint32_t clusterArrived = 0;           ///< lanes at barrier.cluster; those of a phase that is complete,
    std::uint32_t clusterDone = 0;              ///< which have not waited for it yet
    std::uint64_t executed = 0;                 ///< warp instructions
    std::uint64_t overtaken = 0; ///< warp instructions that one split ran while others were ready and waited
};

struct BarrierState {
    std::uint32_t arrivedThreads = 0;
    std::uint32_t expected = 0; ///< 0: all that have not exited
    std::uint32_t warps = 0;    ///< bit by warp: took part
    std::uint32_t popc = 0;
    bool all = true, any = false;
    const DecodedFunction* function = nullptr;
    const MicroOp* op = nullptr;
};

struct Cluster; // cluster.h

struct Block {
    std::uint64_t linear = 0;
    Index3 index{};
    Cluster* cluster = nullptr;
    std::uint32_t rank = 0; ///< in the cluster
    std::vector<std::unique_ptr<Warp>> warps;
    std::vector<std::uint8_t> shared;
    /// Word by word of shared memory: which cp.async is in flight there (async_copy.cpp), 0 for none. Empty until the
    /// block executes one.
    std::vector<std::uint32_t> inFlight;
    AsyncProxy async;
    RaceShadow shadow;
    BlockOrder order;
    std::map<std::uint32_t, Mbarrier> mbarriers; ///< by offset in shared memory
    std::uint32_t quietRounds = 0;               ///< waits timed out since an mbarrier or barrier last completed
    std::array<BarrierState, 16> barriers;
    std::uint32_t liveThreads = 0;
    std::uint32_t threads = 0;
    std::mt19937_64 random;
};

/// What one call of vprintf printed.
struct Printed {
    std::uint64_t block = 0;
    std::string text;
};

class Observer; // observer.h

/// One host thread's view of the run.
struct Engine {
    const Program& program;
    Memory& memory;
    Memory& image; ///< this run's copy of the module's variables
    const Launch& launch;
    const Options& options;
    std::stop_token stop;
    FindingCollector findings;
    Counters counters;
    InstructionPool& pool;
    std::uint64_t instructionsLeft = 0; ///< taken from the pool and not yet used
    bool stopped = false;               ///< a finding ended the run in this block
    bool outOfTime = false;
    Allocation* lastAllocation = nullptr;
    std::uint32_t localCapacity = 0;
    std::vector<std::optional<Writer>> lastWriters = {}; ///< of each of Options::watched
    std::vector<Printed> printed = {};
    std::size_t printedBytes = 0;
    std::unique_ptr<GlobalShadow> global = {};        ///< where races in global memory are looked for
    bool blocksRaced = false;                         ///< two blocks did
    std::uint64_t lookedAt = 0, longestUnwatched = 0; ///< in Counters::warpInstructions
    std::size_t frameBytes = 0;                       ///< of registers, in all frames
    Observer* observer = nullptr;                     ///< of counts and of a recording; mostly there is none
};

/// Whether the run is to end now: the stop token asked for it, or the deadline has come.
bool isOver(Engine& engine);

/// The thread of `lane` in `warp`.
Index3 threadIndex(const Launch& launch, std::uint32_t warp, std::uint32_t lane);

/// What every operation gets.
struct Step {
    Engine& engine;
    Block& block;
    Warp& warp;
    Split& split;
    const MicroOp& op;
    std::uint32_t mask; ///< lanes whose guard holds
    const LaneContext& lanes;

    Frame& frame() const { return *split.frame; }
    const DecodedFunction& function() const { return *split.frame->function; }
    CodePlace place() const { return {split.frame->function, &op}; }
    std::uint8_t* slot(Slot s) const { return lanes.bases[s >> slotBaseShift] + (s & slotOffsetMask); }
    std::uint32_t& word32(Slot s, unsigned lane) const { return reinterpret_cast<std::uint32_t*>(slot(s))[lane]; }
    std::uint64_t& word64(Slot s, unsigned lane) const { return reinterpret_cast<std::uint64_t*>(slot(s))[lane]; }
    std::uint64_t value(SlotRef r, unsigned lane) const {
        return r.bytes == 8 ? word64(r.slot, lane) : word32(r.slot, lane);
    }
    void set(SlotRef r, unsigned lane, std::uint64_t v) const {
        if (r.bytes == 8)
            word64(r.slot, lane) = v;
        else
            word32(r.slot, lane) = static_cast<std::uint32_t>(v);
    }
    std::uint32_t& predicate(Slot s) const { return *reinterpret_cast<std::uint32_t*>(slot(s)); }
};

/// How many lanes; the common answer without a call, since not every processor that we build for counts bits itself.
inline unsigned lanesIn(std::uint32_t mask) {
    return mask == ~0U ? 32U : static_cast<unsigned>(std::popcount(mask));
}

/// Calls f(lane) for each lane of the mask, lowest first.
template <class F>
void forLanes(std::uint32_t mask, F f) {
    for (; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// Adds a finding of `lane` at this step unless its place is known; fills block, thread and the place.
void report(const Step& step, unsigned lane, Finding finding, CodePlace other = {});

// memory_access.cpp
void load(const Step& step);
void loadParameter(const Step& step);
void store(const Step& step);
void atomic(const Step& step);

// global_access.cpp
void fence(const Step& step);
/// What a warp of the block learned or released by a way that is followed for shared memory only.
void learnFromBlock(const Step& step);

// last_writers.cpp
/// The lanes of the mask write `bytes` at their addresses in global memory: keeps those that were asked for.
void noteWriters(const Step& step, const Addresses& addresses, std::uint32_t mask, std::uint32_t bytes);

// collectives.cpp
/// Whether every living lane that the member masks name is in the split.
bool hasAllMembers(const Step& step);
/// Executes the collective for the lanes of step.mask. `op`: the step's own, with its operands where `step` finds them.
void collective(const Step& step, const CollectiveOp& op);

// frames.cpp
Frame* newFrame(Engine& engine, Warp& warp, const DecodedFunction& function, Frame* parent, std::uint32_t lanes);
enum class Leaving : std::uint8_t { byReturn, byExit };
/// Lanes that have left a frame for good (with all its parents, where they exit); frames without lanes are dropped.
void leaveFrame(Warp& warp, Frame* frame, std::uint32_t lanes, Leaving leaving);
/// Between the local areas of two frames of the warp.
void copyArguments(const Step& step, const Frame& from, const Frame& to, const std::vector<ArgumentCopy>& copies,
                   std::uint32_t mask);

// lane_by_lane.cpp
/// Reports reads of registers that nothing wrote, and notes what the instruction writes.
void checkRegisters(const Step& step);
void runScalar(const Step& step);
void runCarry(const Step& step);

// async_copy.cpp
void asyncCopy(const Step& step);
void asyncCommit(const Step& step);
void asyncWait(const Step& step);
/// The bytes of a copy are no longer in flight.
void clearInFlight(Block& block, const AsyncCopy& copy, std::uint32_t warp);

// bulk_copy.cpp
void bulkCopy(const Step& step);
void bulkCommit(const Step& step);
void bulkWait(const Step& step);

// remote_store.cpp
void asyncStore(const Step& step);

// texture_access.cpp
void textureStep(const Step& step);

// async_proxy.cpp
void proxyFence(const Step& step);

// warpgroup.cpp
void warpgroupProduct(const Step& step, const WarpgroupOp& op);
void productFence(const Step& step);
void productCommit(const Step& step);
void productWait(const Step& step);
/// The instruction touches registers that products may be using: a finding where one that is pending does.
void checkFragments(const Step& step, const RegisterUse& use);

// warp.cpp, warp_control.cpp
enum class Progress : std::uint8_t { none, some };
/// Runs the warp's splits for about `slice` warp instructions, or until none is ready.
Progress runWarp(Engine& engine, Block& block, Warp& warp, std::uint64_t slice);
void startWarp(Engine& engine, Block& block, Warp& warp);
/// Takes lanes out of the warp for good.
void exitLanes(Block& block, Warp& warp, std::uint32_t mask);

// block.cpp
void startBlock(Engine& engine, Block& block, std::uint64_t linear);
/// The split's lanes arrive at the barrier before which they stand; sets the split's state.
void arriveAtBarrier(const Step& step, Split& split);
/// `waiting`: for other blocks of its cluster.
enum class BlockState : std::uint8_t { finished, suspended, stopped, waiting };
/// None of the blocks' threads can go on: a finding that ends the run.
void reportDeadlock(Engine& engine, std::span<Block* const> blocks);
/// Runs until every thread has exited, the run must stop, or `slice` warp instructions are over.
BlockState runBlock(Engine& engine, Block& block, std::uint64_t slice);

// special_registers.cpp
void fillSpecials(const Engine& engine, const Block& block, Warp& warp);

} // namespace ptxwb::emulator
