// Shared pieces of bulk copies, their tensor forms and the products of warpgroups: what is in flight, what the
// asynchronous proxy may see. Used by bulk_copy.cpp, tensor_copy.cpp, warpgroup.cpp, async_copy.cpp and mbarrier.cpp.
#pragma once

#include "emulator/memory_access.h"
#include "emulator/tensor_map.h"

#include <vector>

namespace ptxwb::emulator {

/// How findings speak of an asynchronous operation.
struct AsyncUse {
    const char* name;
    const char* noun;
    const char* waitForReads;
    const char* waitForWrites;
};
AsyncUse asyncUseOf(const MicroOp& op);

/// Consecutive bytes of shared memory.
struct SharedPiece {
    std::uint32_t offset = 0, bytes = 0;
};

/// One lane's asynchronous operation is to read or write the piece, which lies inside: tells of races, of others in
/// flight there, of stores that the asynchronous proxy cannot see yet, of bytes that nobody wrote.
void checkAsyncRead(const Step& step, unsigned lane, SharedPiece piece);
void checkAsyncWrite(const Step& step, unsigned lane, SharedPiece piece);

// Marks in Block::inFlight.
std::uint32_t markOf(std::uint32_t place, std::uint32_t warp, std::uint32_t lane, bool reads);
void setMark(Block& block, SharedPiece piece, std::uint32_t mark);
/// Where it still stands.
void clearMark(Block& block, SharedPiece piece, std::uint32_t mark);

void beginTransfer(const Step& step, const AsyncProxy::Transfer& transfer);
void endTransfer(Block& block, const AsyncProxy::Transfer& transfer);

/// Ends the transfers for which `isOver` holds.
template <class F>
void landTransfers(Block& block, F isOver) {
    std::erase_if(block.async.transfers, [&](const AsyncProxy::Transfer& t) {
        if (!isOver(t)) return false;
        endTransfer(block, t);
        return true;
    });
}

/// `bytes` of global memory to or from `data`, one lane's; false (and a finding) where they do not lie in a buffer.
bool readGlobal(const Step& step, unsigned lane, std::uint64_t address, std::span<std::uint8_t> data);
bool writeGlobal(const Step& step, unsigned lane, std::uint64_t address, std::span<const std::uint8_t> data);
/// What a reduction does to halves; nullptr for other types.
ScalarFunction halfReduction(AtomicKind kind, ptx::ScalarType type);
/// Element by element, as the copy's operation says.
bool reduceGlobal(const Step& step, unsigned lane, const AtomicOp& op, std::uint64_t address,
                  std::span<const std::uint8_t> data);

/// The lane's copy with a tensor map; `shared` and `mbarrier` are offsets in the step's block.
void tensorCopy(const Step& step, const BulkOp& op, unsigned lane, std::uint64_t shared, std::uint64_t map,
                std::uint64_t mbarrier);

/// A finding of the lane that ends nothing: the copy is not made.
void refuseCopy(const Step& step, unsigned lane, FindingKind kind, const char* check, std::string message,
                std::string hint);

} // namespace ptxwb::emulator
