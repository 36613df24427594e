// The emulated GPU's global memory: named allocations with gaps between them, and which bytes were written.
// Made by the funnel and `ptxwb run` before a launch; read by the emulator's loads and stores.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ptxwb::emulator {

enum class Access : std::uint8_t { readWrite, readOnly };
enum class Initially : std::uint8_t {
    written,  ///< every byte counts as initialised (inputs, zeroed scratch)
    unwritten ///< a read before a write is a finding (outputs)
};

struct Allocation {
    std::string name;
    std::uint64_t address = 0; ///< device address of the first byte
    std::uint64_t size = 0;    ///< bytes
    Access access = Access::readWrite;
    bool initiallyWritten = false;   ///< Initially::written: `written` needs no look
    std::vector<std::uint8_t> bytes; ///< host copy, `size` bytes
    /// One byte for each 4-byte word of the device address space that the allocation touches; its low four bits tell
    /// which of the word's bytes were written. Word 0 holds `address & ~3`. A byte a word, so that blocks on different
    /// host threads never share one unless they write the same word.
    std::vector<std::uint8_t> written;

    bool holds(std::uint64_t at, std::uint64_t count) const {
        return at >= address && at - address <= size && count <= size - (at - address);
    }
    bool wasWritten(std::uint64_t offset) const {
        const std::uint64_t at = address + offset;
        return written[(at >> 2) - (address >> 2)] >> (at & 3) & 1;
    }
};

/// Global memory of one emulated device. Not thread-safe while allocations are made; launches may then read and write
/// it from several threads, each byte from one thread at a time unless the kernel itself races or uses atomics.
class Memory {
public:
    /// Default limit: 4 GiB in all.
    explicit Memory(std::uint64_t limitBytes = std::uint64_t{4} << 30);

    /// Reserves `size` bytes (0 is allowed: an address that nothing may be read from) at an address that is a multiple
    /// of `align` and of nothing larger, so that a kernel which assumes more is found out. `align`: a power of two,
    /// bytes. The address stays valid until the Memory ends. Errors: over the limit (Cause::badRequest).
    Expected<std::uint64_t> allocate(std::string name, std::uint64_t size, std::uint32_t align, Access access,
                                     Initially initially);

    /// Likewise at a given address, above those of all other allocations.
    Allocation& place(std::string name, std::uint64_t address, std::uint64_t size, Access access, Initially initially);

    /// The allocation that holds `address`, else nullptr.
    Allocation* find(std::uint64_t address);
    const Allocation* find(std::uint64_t address) const;
    Allocation* named(std::string_view name);
    /// For messages: the allocation whose end or start is nearest to `address`, nullptr where there is none.
    const Allocation* nearest(std::uint64_t address) const;
    std::span<const std::unique_ptr<Allocation>> allocations() const { return m_allocations; }

private:
    std::vector<std::unique_ptr<Allocation>> m_allocations; ///< in order of address
    std::uint64_t m_next;
    std::uint64_t m_left;
};

} // namespace ptxwb::emulator
