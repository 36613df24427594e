#include "emulator/access_shape.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

template <class F>
void eachLane(std::uint32_t mask, F f) {
    for (; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

constexpr unsigned sectorShift = 5;

/// How many different numbers f(lane) gives. Neighbours mostly lie near each other: a bitmap; else by sorting.
template <class F>
std::uint32_t differentValues(std::uint32_t mask, F f) {
    constexpr std::uint64_t bits = 1024;
    std::uint64_t values[32];
    std::uint32_t count = 0;
    std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
    eachLane(mask, [&](unsigned lane) {
        const std::uint64_t v = f(lane);
        values[count++] = v;
        lowest = std::min(lowest, v);
        highest = std::max(highest, v);
    });
    if (lowest == highest) return 1;
    if (highest - lowest < bits) {
        std::uint64_t map[bits / 64] = {};
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t at = values[i] - lowest;
            map[at / 64] |= std::uint64_t{1} << (at % 64);
        }
        int different = 0;
        for (std::uint64_t word = 0; word <= (highest - lowest) / 64; ++word) different += std::popcount(map[word]);
        return static_cast<std::uint32_t>(different);
    }
    std::sort(values, values + count);
    return static_cast<std::uint32_t>(std::unique(values, values + count) - values);
}

bool lieInRow(const LaneAddresses& lanes) {
    if (lanes.mask != ~0U) return false;
    std::uint64_t differs = 0;
    for (unsigned lane = 0; lane < 32; ++lane) differs |= lanes.at[lane] - lanes.at[0] - lane * lanes.bytes;
    return !differs;
}

/// Whether all active lanes n and n ^ step have the same address.
bool arePairs(const LaneAddresses& lanes, unsigned step) {
    bool all = true;
    eachLane(lanes.mask, [&](unsigned lane) {
        const unsigned other = lane ^ step;
        if (lanes.mask >> other & 1 && lanes.at[other] != lanes.at[lane]) all = false;
    });
    return all;
}

/// The most different words that the lanes of `mask` have in one bank.
std::uint32_t waysOf(const LaneAddresses& lanes, std::uint32_t mask) {
    std::uint64_t words[32][32];
    std::uint8_t counts[32] = {};
    std::uint8_t most = 0;
    eachLane(mask, [&](unsigned lane) {
        const std::uint64_t first = lanes.at[lane] >> 2;
        const std::uint64_t last = (lanes.at[lane] + lanes.bytes - 1) >> 2;
        for (std::uint64_t word = first; word <= last; ++word) {
            const auto bank = static_cast<unsigned>(word & 31);
            const auto end = words[bank] + counts[bank];
            if (std::find(words[bank], end, word) != end) continue;
            *end = word;
            most = std::max(most, ++counts[bank]);
        }
    });
    return most;
}

} // namespace

SectorShape sectorShape(const LaneAddresses& lanes) {
    const auto filled = [&](std::uint32_t different) { return (different * lanes.bytes + 31) >> sectorShift; };
    if (lieInRow(lanes)) {
        const std::uint64_t first = lanes.at[0] >> sectorShift;
        const std::uint64_t last = (lanes.at[31] + lanes.bytes - 1) >> sectorShift;
        return {static_cast<std::uint32_t>(last - first + 1), filled(32), 32};
    }
    const int shift = std::countr_zero(lanes.bytes);
    const std::uint32_t different = differentValues(lanes.mask, [&](unsigned lane) { return lanes.at[lane] >> shift; });
    const std::uint32_t sectors =
        differentValues(lanes.mask, [&](unsigned lane) { return lanes.at[lane] >> sectorShift; });
    return {sectors, filled(different), different};
}

BankShape bankShape(const LaneAddresses& lanes, SharedAccess access) {
    if (lanes.bytes <= 4 && lieInRow(lanes)) return {1, 1, 1};
    // Parts of as many lanes as 128 bytes hold.
    unsigned width = lanes.bytes <= 4 ? 32 : 128 / std::min(lanes.bytes, 128U);
    if (access == SharedAccess::load && width < 32 && (arePairs(lanes, 1) || arePairs(lanes, 2))) width *= 2;
    BankShape shape;
    for (unsigned first = 0; first < 32; first += width) {
        const std::uint32_t part = width == 32 ? ~0U : ((1U << width) - 1) << first;
        if (!(lanes.mask & part)) continue;
        const std::uint32_t ways = waysOf(lanes, lanes.mask & part);
        ++shape.ideal;
        shape.wavefronts += ways;
        shape.ways = std::max(shape.ways, ways);
    }
    return shape;
}

std::uint32_t localSectors(const LaneAddresses& lanes) {
    // Eight lanes' words of one number make a sector.
    std::uint32_t sectors = 0;
    for (std::uint32_t word = 0; word < std::max(1U, lanes.bytes / 4); ++word)
        sectors +=
            differentValues(lanes.mask, [&](unsigned lane) { return (lanes.at[lane] / 4 + word) * 4 + lane / 8; });
    return sectors;
}

std::uint32_t collisions(const LaneAddresses& lanes) {
    const std::uint32_t different = differentValues(lanes.mask, [&](unsigned lane) { return lanes.at[lane]; });
    return static_cast<std::uint32_t>(std::popcount(lanes.mask)) - different;
}

} // namespace ptxwb::emulator
