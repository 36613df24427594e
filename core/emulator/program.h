// A decoded entry: the code of every function that it reaches, constants, and where everything lies.
// Made by `decode`, shared read-only by all host threads of a run.
#pragma once

#include "emulator/emulator.h"
#include "emulator/micro_op.h"

#include <array>
#include <map>

namespace ptxwb::emulator {

// Windows of the generic address space. Global allocations lie far above (memory.cpp).
inline constexpr std::uint64_t functionWindow = 0x1000'0000; ///< no memory: what the address of a function is
inline constexpr std::uint64_t sharedWindow = 0x1'0000'0000;
inline constexpr std::uint64_t localWindow = 0x2'0000'0000;
inline constexpr std::uint64_t parameterWindow = 0x3'0000'0000;
inline constexpr std::uint64_t imageWindow = 0x4'0000'0000; ///< module variables of .global and .const
inline constexpr std::uint64_t windowSize = 0x1'0000'0000;

/// A register (or constant) operand with the width of its words.
struct SlotRef {
    Slot slot = noSlot;
    std::uint8_t bytes = 4; ///< 4 or 8; predicates 0
};

struct AddressOperand {
    Slot base = noSlot; ///< noSlot: `offset` alone
    bool base64 = true;
    std::int64_t offset = 0;
};

struct MemoryOp {
    ptx::StateSpace space = ptx::StateSpace::none;
    std::uint8_t bytes = 4; ///< of one element
    std::uint8_t count = 1; ///< elements: 1, 2, 4, 8
    bool isSigned = false;
    bool strong =
        false; ///< volatile, relaxed, acquire, release: synchronises, never a data race with another strong access
    // Of global memory only: shared memory's strong accesses all order (race_shadow.h).
    bool acquires = false, releases = false, blockScope = false;
    bool readOnlyPath = false; ///< ld.global.nc
    bool firstGuess = false;   ///< what it loads a compare-and-swap compares: an atomic may change it meanwhile
    AddressOperand address;
    std::array<SlotRef, 8> values; ///< noSlot for `_`
    bool frameLocal = false;       ///< space param inside a function: `address.offset` is an offset in the frame
};

/// cp.async: `bytes` (4, 8 or 16) from global to shared memory.
struct AsyncCopyOp {
    AddressOperand to, from;
    std::uint32_t bytes = 16;
    Slot sourceBytes = noSlot;  ///< only so many are read, the rest is 0
    Slot ignoreSource = noSlot; ///< predicate: all is 0
};

enum class AtomicKind : std::uint8_t { add, min, max, inc, dec, cas, exch, bitAnd, bitOr, bitXor };

struct AtomicOp {
    ptx::StateSpace space = ptx::StateSpace::none;
    AtomicKind kind = AtomicKind::add;
    ptx::ScalarType type = ptx::ScalarType::none;
    AddressOperand address;
    SlotRef d, b, c; ///< d.slot is noSlot for red
    bool acquires = false, releases = false, blockScope = false;
    ScalarFunction halfAdd = nullptr; ///< the addition of f16, bf16 and their pairs
};

/// cp.async.bulk, cp.reduce.async.bulk and their tensor forms, between global memory and the block's shared memory, or
/// from that to the shared memory of a block of the cluster.
struct BulkOp {
    bool toGlobal = false;
    bool between = false; ///< `global` is the source, in the block's own shared memory
    bool reduces = false; ///< as `reduce` says
    AddressOperand shared;
    AddressOperand global;    ///< with `rank`: of the tensor map, generic
    AddressOperand mbarrier;  ///< that tells of the end of a copy to shared memory
    Slot bytes = noSlot;      ///< word of 4 bytes; without a tensor map
    Slot byteMask = noSlot;   ///< .cp_mask
    Slot blocks = noSlot;     ///< .multicast::cluster: ranks, one a bit
    unsigned rank = 0;        ///< 0: no tensor map
    std::array<Slot, 5> at{}; ///< coordinates, words of 4 bytes
    AtomicOp reduce;          ///< kind, type and function
};

/// tex, txq, suld, sust and suq of an object whose handle is in a register.
struct TextureOp {
    enum class Kind : std::uint8_t { fetch, load, store, query };
    enum class Outside : std::uint8_t { trap, clamp, zero }; ///< of a surface

    Kind kind = Kind::fetch;
    bool ofSurface = false; ///< of a query
    unsigned dims = 1;      ///< of a query: which one is asked for
    Slot handle = noSlot;   ///< words of 8 bytes
    std::array<Slot, 3> at{};
    bool floatCoordinates = false, givesFloat = false; ///< of a fetch
    Outside outside = Outside::trap;
    MemoryOp access; ///< `values`, and of a surface `bytes` and `count`
};

/// st.async and red.async: into the shared memory of a block of the cluster, whose mbarrier is told.
struct AsyncStoreOp {
    AddressOperand to, mbarrier;
    std::uint8_t bytes = 4, count = 1; ///< of one element; elements
    std::array<SlotRef, 4> values;
    bool reduces = false;
    AtomicOp reduce; ///< kind and type
};

enum class CollectiveKind : std::uint8_t {
    shflUp,
    shflDown,
    shflBfly,
    shflIdx,
    voteAny,
    voteAll,
    voteUni,
    voteBallot,
    matchAny,
    matchAll,
    reduceAddU32,
    reduceMinU32,
    reduceMaxU32,
    reduceMinS32,
    reduceMaxS32,
    reduceAnd,
    reduceOr,
    reduceXor,
    warpBarrier,
    elect,
    matrixProduct, ///< `matrix` indexes DecodedFunction::matrices, here and below
    matrixQuads,
    matrixLoad,
    matrixStore,
    matrixTranspose,
    warpgroupProduct, ///< `matrix` indexes DecodedFunction::warpgroupProducts
};

struct CollectiveOp {
    CollectiveKind kind = CollectiveKind::warpBarrier;
    Slot d = noSlot, p = noSlot; ///< result, result predicate
    Slot a = noSlot, b = noSlot, c = noSlot;
    bool negated = false;   ///< of the source predicate
    std::uint8_t bytes = 4; ///< of the words of a and d
    Slot members = noSlot;  ///< member mask; noSlot: the lanes that execute
    std::uint32_t matrix = 0;
};

/// mma: registers of the fragments, shape and types. ldmatrix: a holds the four words of a row, d the fragments;
/// stmatrix: the other way round.
struct MatrixOp {
    std::vector<SlotRef> d, a, b, c;
    unsigned k = 0;
    ptx::ScalarType typeA = ptx::ScalarType::none, typeB = ptx::ScalarType::none;
    ptx::ScalarType accumulator = ptx::ScalarType::none;
    ptx::ScalarType accumulatorC = ptx::ScalarType::none; ///< where C has another type than D
    bool saturate = false, transposed = false;
    bool columnsA = false, rowsB = false; ///< m8n8k4 of f16: A by column, B by row
    bool bitsAnd = false;                 ///< of .b1: and instead of xor
};

/// wgmma.mma_async. Each warp of the warpgroup makes its 16 rows as mma.sync products of 16 x 8.
struct WarpgroupOp {
    MatrixOp product;                                ///< of 8 columns; its fragments of A and B may be temporaries
    std::vector<SlotRef> d;                          ///< accumulators of all columns
    std::vector<SlotRef> a;                          ///< fragments of A where they are in registers
    Slot descriptorA = noSlot, descriptorB = noSlot; ///< words of 8 bytes; A's: noSlot where A is in registers
    Slot scaleD = noSlot;    ///< predicate: false where the accumulators count as 0; noSlot: true
    Slot zero = noSlot;      ///< a word of 4 bytes
    std::uint32_t signs = 0; ///< sign bits of a word's elements
    unsigned columns = 8;
    bool columnsA = false, rowsB = false; ///< A lies by column (M together), B by row (N together)
    bool negateA = false, negateB = false;
};

enum class MbarrierKind : std::uint8_t {
    init,
    inval,
    expectBytes,
    completeBytes,
    arrive,
    arriveDrop,
    arriveCopies, ///< cp.async.mbarrier.arrive
    testWait,
    tryWait,
    pendingCount,
};

struct MbarrierOp {
    MbarrierKind kind = MbarrierKind::init;
    bool isGeneric = false;                       ///< the address lies in the window of shared memory
    bool isParity = false;                        ///< `state` is the parity of a phase, else what an arrival gave
    bool expectsBytes = false, staysOpen = false; ///< .expect_tx; .noComplete, or without .noinc
    bool orders = true;                           ///< arrivals release, waits acquire: not .relaxed
    AddressOperand address;
    Slot d = noSlot; ///< 8-byte state, predicate or 4-byte count
    Slot count = noSlot, state = noSlot;
};

enum class BarrierKind : std::uint8_t { sync, arrive, reduceAnd, reduceOr, reducePopc };

struct BarrierOp {
    BarrierKind kind = BarrierKind::sync;
    bool aligned = true;
    Slot id = noSlot, count = noSlot;        ///< words of 4 bytes; noSlot: 0, all threads
    Slot d = noSlot, p = noSlot, c = noSlot; ///< of reductions: result (popc or predicate), source predicate
    bool negated = false;
};

/// `bytes` from the caller's frame (or an operand) to the callee's frame.
struct ArgumentCopy {
    std::uint32_t from = 0, to = 0, bytes = 0; ///< offsets in the frames' local areas
};

struct CallOp {
    std::uint32_t function = 0;          ///< index into Program::functions
    std::vector<ArgumentCopy> arguments; ///< caller to callee
    std::vector<ArgumentCopy> results;   ///< callee to caller
};

/// A call through a register: of whichever of these functions has the address.
struct IndirectCallOp {
    std::vector<std::uint32_t> calls; ///< into DecodedFunction::calls
};

/// A function that the device's runtime has and the module only declares.
enum class DeviceCallKind : std::uint8_t { print, assertFail };
struct DeviceCallOp {
    DeviceCallKind kind = DeviceCallKind::print;
    std::vector<ArgumentCopy> arguments; ///< `from` and `bytes` in the caller's frame
    std::uint32_t result = ~0U;          ///< place in the caller's frame; ~0 where the call takes none
};

/// What an instruction reads and writes of the tracked registers: those that some path reads unwritten.
struct RegisterUse {
    std::vector<std::uint32_t> reads, writes;      ///< tracked numbers
    std::vector<Slot> fragments, writtenFragments; ///< registers of some wgmma.mma_async; those that are written
};

struct DecodedFunction {
    const ptx::Function* source = nullptr;
    std::vector<MicroOp> code;
    std::uint32_t registerBytes = 0;
    std::uint32_t localBytes = 0; ///< of one thread: .local and .param variables, parameters, results
    std::vector<MemoryOp> memory;
    std::vector<AsyncCopyOp> asyncCopies;
    std::vector<AtomicOp> atomics;
    std::vector<CollectiveOp> collectives;
    std::vector<MatrixOp> matrices;
    std::vector<BulkOp> bulkCopies;
    std::vector<AsyncStoreOp> asyncStores;
    std::vector<TextureOp> textures;
    std::vector<WarpgroupOp> warpgroupProducts;
    std::vector<BarrierOp> barriers;
    std::vector<MbarrierOp> mbarriers;
    std::vector<CallOp> calls;
    std::vector<IndirectCallOp> indirectCalls;
    std::vector<DeviceCallOp> deviceCalls;
    std::vector<std::vector<std::uint32_t>> targetLists;
    std::vector<RegisterUse> registerUses;
    std::vector<ptx::Index> tracked; ///< register id by tracked number
    std::vector<SlotRef> trackedSlots;
    std::vector<SlotRef> registerSlots; ///< by register id
    // Where variables lie: .local and .param ones in the thread's local area, .shared ones in shared memory, others in
    // the image.
    std::vector<std::uint64_t> variableOffsets;
    std::vector<std::uint32_t> parameterOffsets, resultOffsets; ///< in the local area, for functions that are called
};

enum class Special : std::uint8_t {
    tidX,
    tidY,
    tidZ,
    ntidX,
    ntidY,
    ntidZ,
    ctaidX,
    ctaidY,
    ctaidZ,
    nctaidX,
    nctaidY,
    nctaidZ,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    lanemaskEq,
    lanemaskLe,
    lanemaskLt,
    lanemaskGe,
    lanemaskGt,
    dynamicSmemSize,
    totalSmemSize,
    clusteridX,
    clusteridY,
    clusteridZ,
    nclusteridX,
    nclusteridY,
    nclusteridZ,
    clusterCtaidX,
    clusterCtaidY,
    clusterCtaidZ,
    clusterNctaidX,
    clusterNctaidY,
    clusterNctaidZ,
    clusterCtarank,
    clusterNctarank,
    isExplicitCluster,
    count_
};
inline constexpr std::uint32_t specialSlotBytes = 128;

/// The address of Program::functions[index].
constexpr std::uint64_t functionAddress(std::uint64_t index) {
    return functionWindow + 16 * index;
}

struct Program {
    std::shared_ptr<const ptx::Module> module;
    std::vector<DecodedFunction> functions; ///< the entry is number 0
    std::vector<std::uint8_t> constants;    ///< slots of 32 equal words of 4 or 8 bytes
    std::vector<std::string> texts;         ///< why an instruction is unsupported, by MicroOp::extra
    std::vector<ParameterLayout> parameters;
    std::uint32_t parameterBytes = 0;
    std::uint32_t staticSharedBytes = 0;
    std::uint32_t sharedGranule = 4; ///< bytes of the smallest access to shared memory: 1, 2 or 4
    std::uint32_t globalGranule = 4; ///< likewise, to global memory
    /// Blocks may speak to each other (atomics or strong accesses outside of shared memory): all run on one host
    /// thread, so that their order depends on nothing.
    bool ordersBlocks = false;
    bool usesClusters = false; ///< some instruction reaches other blocks of the cluster or waits for them
    std::map<std::string_view, std::uint64_t>
        variableAddresses; ///< of module variables: generic address; .shared: offset; of functions
    std::vector<std::pair<const ptx::Variable*, std::uint64_t>> image; ///< module variables of .global and .const
};

} // namespace ptxwb::emulator
