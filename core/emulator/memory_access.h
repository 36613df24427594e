// Shared pieces of loads, stores and atomics: which memory an address means, and what is said when it is wrong.
// Used by memory_access.cpp, shared_access.cpp and atomics.cpp only.
#pragma once

#include "emulator/program.h"
#include "emulator/state.h"

namespace ptxwb::emulator {

enum class Window : std::uint8_t { global, shared, local, parameter };

/// For a generic address.
Window windowOf(std::uint64_t address);

Addresses addressesOf(const Step& step, const AddressOperand& address, std::uint32_t bytes);

/// Loads of one or several 4-byte elements into 4-byte registers, many lanes at a time; false, and nothing done, where
/// the operation is another. `bytes` is the host's copy of the address `start`; the addresses of all lanes lie inside.
bool loadWords(const Step& step, const MemoryOp& m, const std::uint8_t* bytes, std::uint64_t start, const Addresses& a,
               std::uint32_t mask);
/// Stores likewise; the addresses of the lanes in `mask` lie inside.
bool storeWords(const Step& step, const MemoryOp& m, std::uint8_t* bytes, std::uint64_t start, const Addresses& a,
                std::uint32_t mask);

/// Splits the lanes of a generic access by window and calls f(window, lanes, base): `base` is what generic addresses of
/// the window have on top of the window's own.
template <class F>
void byWindow(const Addresses& a, std::uint32_t mask, F f) {
    const Window first = windowOf(a.lowest);
    // Global memory lies on both sides of the other windows.
    const bool one = first == windowOf(a.highest) &&
                     (first != Window::global || a.lowest >= imageWindow || a.highest < sharedWindow);
    if (one) return f(first, mask);
    for (const Window w : {Window::global, Window::shared, Window::local, Window::parameter}) {
        std::uint32_t lanes = 0;
        forLanes(mask, [&](unsigned lane) { lanes |= static_cast<std::uint32_t>(windowOf(a.at[lane]) == w) << lane; });
        if (lanes) f(w, lanes);
    }
}

/// The allocation that holds [lowest, highest + bytes), else nullptr.
Allocation* allocationOf(Engine& engine, std::uint64_t lowest, std::uint64_t highest, std::uint32_t bytes);

enum class Direction : std::uint8_t { read, write, atomic };
std::string_view name(Direction direction);

// Each reports a finding of `lane`. `address` is the device address (global), or the offset in the window.
void reportOutOfBounds(const Step& step, unsigned lane, Direction direction, Window window, std::uint64_t address,
                       std::uint32_t bytes);
void reportMisaligned(const Step& step, unsigned lane, Direction direction, Window window, std::uint64_t address,
                      std::uint32_t bytes);
void reportUninitialized(const Step& step, unsigned lane, Window window, std::uint64_t address, std::uint32_t bytes);
void reportReadOnly(const Step& step, unsigned lane, const Allocation& allocation, std::uint64_t address,
                    std::uint32_t bytes);
void reportRace(const Step& step, unsigned lane, Direction direction, std::uint32_t offset, std::uint32_t bytes,
                const EarlierAccess& earlier);

void reportGlobalRace(const Step& step, unsigned lane, Direction direction, std::uint64_t address, std::uint32_t bytes,
                      const EarlierGlobalAccess& earlier);

/// Reports lanes that touch bytes of shared memory into which a cp.async is in flight. Only where block.inFlight is not
/// empty; the lanes' accesses lie inside.
void checkInFlight(const Step& step, const Addresses& a, std::uint32_t mask, std::uint64_t base, std::uint32_t bytes,
                   Direction direction);

/// Whether all the bytes were written, by their device address.
bool wasWritten(const Allocation& allocation, std::uint64_t address, std::uint32_t bytes);

/// Lanes whose access is misaligned are reported and taken out of the answer.
std::uint32_t alignedLanes(const Step& step, const Addresses& a, std::uint32_t mask, Direction direction, Window window,
                           std::uint64_t base, std::uint32_t bytes);

/// Names the instruction for the race shadow: its number over all functions of the program.
std::uint32_t placeNumber(const Step& step);
CodePlace codePlace(const Program& program, std::uint32_t placeNumber);

/// `m.count` elements at `from` to the registers of `lane`; sign- or zero-extended to the registers' width.
void loadElements(const Step& step, const MemoryOp& m, unsigned lane, const std::uint8_t* from);
void storeElements(const Step& step, const MemoryOp& m, unsigned lane, std::uint8_t* to);
void zeroElements(const Step& step, const MemoryOp& m, unsigned lane);

// atomics.cpp
/// What an atomic operation leaves in the place of `old`.
std::uint64_t updatedBits(const AtomicOp& op, std::uint64_t old, std::uint64_t b, std::uint64_t c);

// global_access.cpp: the race check of global memory. Only where the engine has a shadow of it and the allocation may
// be written; the lanes' accesses are aligned and lie inside.
void noteLoad(const Step& step, const MemoryOp& m, const Allocation& allocation, const Addresses& a,
              std::uint32_t mask);
/// Stores, too.
void storeNoted(const Step& step, const MemoryOp& m, Allocation& allocation, const Addresses& a, std::uint32_t mask);
void noteAtomic(const Step& step, const AtomicOp& op, const Allocation& allocation, const Addresses& a, unsigned lane);
/// Bytes that a cp.async reads.
void noteCopy(const Step& step, unsigned lane, const Allocation& allocation, std::uint64_t address,
              std::uint32_t bytes);
/// Bytes that a bulk copy writes.
void noteCopyTo(const Step& step, unsigned lane, const Allocation& allocation, std::uint64_t address,
                std::uint32_t bytes);
/// Marks bytes as written, by their device address.
void setWritten(Allocation& allocation, std::uint64_t address, std::uint32_t bytes);

// shared_access.cpp. `base`: subtracted from the addresses (sharedWindow for generic ones).
void loadShared(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask, std::uint64_t base);
void storeShared(const Step& step, const MemoryOp& m, const Addresses& a, std::uint32_t mask, std::uint64_t base);

} // namespace ptxwb::emulator
