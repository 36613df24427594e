// What is under way in a running block apart from its threads: bulk copies, products of warpgroups, and which writes of
// threads these may see. Kept by bulk_copy.cpp, tensor_copy.cpp and warpgroup.cpp, asked by every access to shared
// memory.
//
// A copy or product is made when its instruction is executed. What it reads or writes of shared memory stays marked
// (Block::inFlight) until somebody has waited for it: whoever touches a marked word meanwhile is reported.
#pragma once

#include "emulator/race_shadow.h"

#include <map>
#include <vector>

namespace ptxwb::emulator {

struct Frame;
struct WarpgroupOp;

struct AsyncProxy {
    static constexpr std::uint32_t none = ~0U;
    /// Of a mark in Block::inFlight: the word is being read, and may be read by others.
    static constexpr std::uint32_t readMark = 1U << 31;

    /// A bulk copy for which nobody has waited yet.
    struct Transfer {
        bool reads = false; ///< shared memory; else it writes it
        std::uint32_t warp = 0, lane = 0;
        std::uint32_t place = 0;             ///< as placeNumber gives it
        std::uint32_t offset = 0, bytes = 0; ///< of shared memory
        std::uint32_t group = 0;             ///< of its thread, where no mbarrier tells
        std::uint32_t mbarrier = none;       ///< offset of the one that tells of its end
        std::uint64_t phase = 0;             ///< of that one
    };

    /// A wgmma.mma_async of one warp.
    struct Product {
        std::uint32_t group = 0, place = 0;
        const WarpgroupOp* op = nullptr;
        const Frame* frame = nullptr;
        std::vector<std::uint32_t> chunks; ///< offsets of the 16-byte pieces of shared memory that it reads
    };

    struct Warp {
        std::uint32_t committed = 0; ///< groups of products
        bool fenced = false;         ///< has executed wgmma.fence
        std::vector<Product> pending;
        struct Touched {
            std::uint32_t slot = 0, place = 0;
        };
        std::vector<Touched> touched; ///< registers of products that it has written since its last wgmma.fence
    };

    std::vector<Transfer> transfers;
    /// Under which swizzle the copy with a tensor map at a place (placeNumber) last wrote: its span, 0 to 3 as in
    /// TensorMap::Swizzle.
    std::map<std::uint32_t, unsigned> swizzles;
    std::vector<std::uint32_t> groups; ///< of bulk copies committed so far, by thread; empty until there are any
    std::vector<Warp> warps;           ///< empty until the block executes wgmma
    /// By warp: up to which stamp its writes lie before some fence.proxy.async.
    RaceShadow::Clocks fenced{};

    void startBlock() {
        transfers.clear();
        swizzles.clear();
        groups.clear();
        warps.clear();
        fenced = {};
    }
};

} // namespace ptxwb::emulator
