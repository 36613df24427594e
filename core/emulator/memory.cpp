#include "emulator/memory.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <fmt/format.h>
#include <utility>

namespace ptxwb::emulator {

namespace {
constexpr std::uint64_t firstAddress = 0x7f00'0000'0000;
/// Between two allocations: wide enough that a stray index of a small kernel lands in no neighbour.
constexpr std::uint64_t gap = std::uint64_t{1} << 20;
} // namespace

Memory::Memory(std::uint64_t limitBytes) : m_next(firstAddress), m_left(limitBytes) {}

Expected<std::uint64_t> Memory::allocate(std::string name, std::uint64_t size, std::uint32_t align, Access access,
                                         Initially initially) {
    assert(std::has_single_bit(align));
    if (size > m_left)
        return failure(
            Cause::badRequest,
            fmt::format("buffer \"{}\" needs {} bytes of emulated memory and {} are left", name, size, m_left),
            "choose smaller sizes for runs on the emulator");
    m_left -= size;
    // A multiple of `align` and of no larger power of two.
    const std::uint64_t step = std::uint64_t{align} * 2;
    const std::uint64_t address = (m_next + step - 1) / step * step + align;
    m_next = address + size + gap;
    place(std::move(name), address, size, access, initially);
    return address;
}

Allocation& Memory::place(std::string name, std::uint64_t address, std::uint64_t size, Access access,
                          Initially initially) {
    assert(m_allocations.empty() || m_allocations.back()->address + m_allocations.back()->size <= address);
    auto allocation = std::make_unique<Allocation>();
    allocation->name = std::move(name);
    allocation->address = address;
    allocation->size = size;
    allocation->access = access;
    allocation->initiallyWritten = initially == Initially::written;
    allocation->bytes.resize(size);
    allocation->written.assign(((address + size + 3) >> 2) - (address >> 2) + 1,
                               initially == Initially::written ? std::uint8_t{0x0F} : std::uint8_t{0});
    m_allocations.push_back(std::move(allocation));
    return *m_allocations.back();
}

const Allocation* Memory::find(std::uint64_t address) const {
    auto after = std::ranges::upper_bound(m_allocations, address, {}, [](const auto& a) { return a->address; });
    if (after == m_allocations.begin()) return nullptr;
    const Allocation& candidate = **std::prev(after);
    return candidate.holds(address, 1) ? &candidate : nullptr;
}

Allocation* Memory::find(std::uint64_t address) {
    return const_cast<Allocation*>(std::as_const(*this).find(address));
}

Allocation* Memory::named(std::string_view name) {
    auto it = std::ranges::find(m_allocations, name, [](const auto& a) -> std::string_view { return a->name; });
    return it == m_allocations.end() ? nullptr : it->get();
}

const Allocation* Memory::nearest(std::uint64_t address) const {
    auto distance = [address](const Allocation& a) {
        if (address < a.address) return a.address - address;
        const std::uint64_t end = a.address + a.size;
        return address < end ? 0 : address - end;
    };
    const Allocation* best = nullptr;
    for (const auto& a : m_allocations)
        if (!best || distance(*a) < distance(*best)) best = a.get();
    return best;
}

} // namespace ptxwb::emulator
