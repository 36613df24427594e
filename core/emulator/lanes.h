// The operations of one warp that touch registers only, 32 lanes at a time.
// Written by the decoder into micro-operations, called by the warp's loop.
#pragma once

#include <cstdint>

namespace ptxwb::emulator {

struct MicroOp;

/// Where a micro-operation finds its operands. A slot is 32 words of 4 bytes (types up to 32 bits), 32 words of 8
/// bytes, or one 32-bit mask (predicates); an operand is an offset from one of three bases, told by its two top bits.
struct LaneContext {
    std::uint8_t* bases[3];        ///< registers of the frame, constants of the program, special registers of the warp
    std::uint32_t mask;            ///< lanes that execute
    const std::uint32_t* expanded; ///< the same mask as 32 words of all ones or zero
};

using LaneFunction = void (*)(const LaneContext&, const MicroOp&);

using Slot = std::uint32_t;
inline constexpr unsigned slotBaseShift = 30;
inline constexpr Slot slotOffsetMask = (Slot{1} << slotBaseShift) - 1;
enum class SlotBase : std::uint32_t { registers = 0, constants = 1, specials = 2 };
inline constexpr Slot noSlot = ~Slot{0};

/// One enumerator a row of lane_rows.def.
enum class Lane : std::uint16_t {
#define PTXWB_LANES1(id, ...) id,
#define PTXWB_LANES2(id, ...) id,
#define PTXWB_LANES3(id, ...) id,
#define PTXWB_COMPARE(id, ...) id,
#include "emulator/lane_rows.def"
    copy32,
    copy64,
    select32,
    select64,
    logic3,    ///< lop3: bit (a << 2 | b << 1 | c) of the 8-bit table in `immediate`
    predicate, ///< d = bit (a | b << 1) of the 4-bit table in `immediate`
    count_
};

/// The addresses of one memory instruction. Lanes that do not execute hold the address of one that does.
struct Addresses {
    alignas(64) std::uint64_t at[32];
    std::uint64_t lowest, highest;
    std::uint64_t bits; ///< all addresses or-ed: its low bits are zero where every address is aligned
    bool contiguous;    ///< all 32 lanes execute and lane i is at at[0] + i * bytes
};
/// `base`: 32 words of 8 or 4 bytes (zero-extended), or nullptr for `offset` alone. `mask` is not 0. `bytes`: of one
/// lane's access.
using AddressFunction = void (*)(const void* base, bool base64, std::int64_t offset, std::uint32_t mask,
                                 std::uint32_t bytes, Addresses&);
AddressFunction addressFunction();

/// to[i] = the 4 bytes that device address at[i] names, for the lanes of the mask (of others `to` keeps what it has).
/// `bytes` is the host's copy of the device address `start`. Every address, of other lanes too, must lie inside.
using GatherFunction = void (*)(const std::uint8_t* bytes, std::uint64_t start, const Addresses&, std::uint32_t mask,
                                std::uint32_t* to);
GatherFunction gatherFunction();

/// One mma.sync of 16 rows, 8 columns and `k` products a sum, with f32 accumulators: the registers of its fragments, 32
/// words each.
struct FragmentProduct {
    enum class Format : std::uint8_t { f16, bf16, tf32 };
    Format format;
    unsigned k;
    const std::uint32_t* a[4];
    const std::uint32_t* b[2];
    const std::uint32_t* c[4];
    std::uint32_t* d[4];
};
/// False, and nothing done, where numbers are too extreme for the short way.
using ProductFunction = bool (*)(const FragmentProduct&);
ProductFunction productFunction();

/// One register of the fragments of ldmatrix (lane_fragments.inc): of matrix number `matrix`, from the four words that
/// each lane loaded.
using FragmentFunction = void (*)(const std::uint32_t* const (&words)[4], unsigned matrix, bool transposed,
                                  std::uint32_t* to);
FragmentFunction fragmentFunction();

/// Which lane touches which cell of shared memory in one instruction, relative to the lowest cell. The race shadow
/// keeps those of the last instructions: a kernel's patterns recur.
struct CellPattern {
    static constexpr std::uint32_t maxCells = 512;
    static constexpr std::uint8_t many = 32, nobody = 255;
    std::uint32_t index[32]; ///< each lane's first cell
    std::uint32_t mask = 0, cellsPerLane = 0;
    std::uint32_t cells = 0;         ///< up to the last one that is touched
    bool shared = false;             ///< some cell is touched by several lanes
    std::uint8_t who[maxCells + 16]; ///< by cell: its lane, `many` or `nobody`
};
/// A pattern put on the race shadow (race_shadow.h tells what the arrays hold); they start at its lowest cell. Arrays
/// may be read and written up to 15 cells behind the pattern's last.
struct CellRun {
    const CellPattern* pattern;
    std::uint32_t *writeClock, *writePlace;
    std::uint16_t* writeThread;
    std::uint32_t *readTag, *readPlace; ///< of warp 0; those of the next `stride` further on
    std::uint32_t stride, warps, warp;
    std::uint32_t* lastRead; ///< greatest stamp of any warp's reads
    const std::uint32_t* knows;
    std::uint32_t leastKnown, start, now, place;
};
/// Records the accesses where none of them needs a finding; else false and nothing done.
using CellFunction = bool (*)(const CellRun&);
CellFunction readCellsFunction();
/// Reads of four cells in a row by each lane of the mask, from cells[lane] on: rows of matrices, which lie far apart.
/// `run` begins at cell 0 and has no pattern. Answers the lanes that may need a finding, of which nothing is recorded.
using QuadFunction = std::uint32_t (*)(const CellRun& run, const std::uint32_t* cells, std::uint32_t mask);
QuadFunction readQuadsFunction();
CellFunction writeCellsFunction(); ///< for patterns that are not `shared`

/// An atomic of one cell a lane: each lane synchronises with the cell and then writes it, in order of lanes.
struct AtomicRun {
    /// Clocks share a word with the lane. A block that comes this far (2^26 atomics of one lane) goes on with a clock
    /// that stands still: races may be missed from then on, none is invented.
    static constexpr std::uint32_t lastClock = (1U << 26) - 1;
    const std::uint32_t* cells; ///< by lane
    std::uint32_t mask;
    bool needsWritten; ///< stop at a cell that nothing wrote
    std::uint32_t *writeClock, *writePlace;
    std::uint16_t* writeThread;
    const std::uint32_t *readTag, *readPlace, *lastRead;
    std::uint32_t stride, warps, warp;
    std::uint32_t* released; ///< of each cell what who touches it next comes to know, `width` words
    std::uint32_t* knows;    ///< `width` words: a multiple of 16
    std::uint32_t width, leastKnown, start, now, place;
};
/// Answers the lanes that were recorded: those before the first that may need a finding. Changes `knows` and `now`.
using AtomicFunction = std::uint32_t (*)(AtomicRun&);
AtomicFunction atomicCellsFunction();

/// The function for this processor (AVX-512, AVX2 or plain), by row.
LaneFunction laneFunction(Lane row);
/// What `laneFunction` chose, for `ptxwb doctor` and the benches: "avx512", "avx2", "generic".
const char* laneInstructionSet();

/// What one lanes_*.cpp offers: Lane::count_ functions and the collection of addresses.
struct LaneTable {
    const LaneFunction* functions;
    AddressFunction addresses;
    GatherFunction gather;
    ProductFunction product;
    FragmentFunction fragment;
    CellFunction readCells, writeCells;
    QuadFunction readQuads;
    AtomicFunction atomicCells;
    const char* name;
};
extern const LaneTable lanesGeneric;
extern const LaneTable lanesAvx2;
extern const LaneTable lanesAvx512;

} // namespace ptxwb::emulator
