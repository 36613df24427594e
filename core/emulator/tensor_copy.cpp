// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor in tiled mode. Source: PTX ISA 9.0, 5.5 tensors, 9.7.9.25.5.2
// and .3; CUDA Driver API 13.0, cuTensorMapEncodeTiled. Rows of the box lie together in shared memory, in the order of
// dimensions.
#include "emulator/bulk_copy.h"
#include "emulator/mbarrier.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t destinationAlign = 128;
/// Of the box's first byte in its row.
constexpr std::int64_t boxAlign = 16;

/// The map whose 128 bytes lie at a generic address; nullptr and a finding where none does.
const TensorMap* mapAt(const Step& step, unsigned lane, std::uint64_t address) {
    const Launch& launch = step.engine.launch;
    if (address % tensorMapAlign) {
        refuseCopy(step, lane, FindingKind::misaligned, "tensor_map",
                   fmt::format("the tensor map lies at 0x{:x}, which is no multiple of {}", address, tensorMapAlign),
                   "pass it as a `const __grid_constant__ CUtensorMap` parameter, or keep it aligned to 64 bytes");
        return nullptr;
    }
    const std::uint8_t* bytes = nullptr;
    const bool isParameter = windowOf(address) == Window::parameter;
    if (isParameter || address + tensorMapBytes <= launch.parameters.size()) {
        const std::uint64_t offset = address - (isParameter ? parameterWindow : 0);
        if (offset + tensorMapBytes <= launch.parameters.size()) bytes = launch.parameters.data() + offset;
    } else if (const Allocation* a = allocationOf(step.engine, address, address, tensorMapBytes)) {
        bytes = a->bytes.data() + (address - a->address);
    }
    const auto index =
        bytes ? tensorMapIndex(std::span<const std::uint8_t, tensorMapBytes>(bytes, tensorMapBytes)) : std::nullopt;
    if (index && *index < launch.tensorMaps.size()) return &launch.tensorMaps[*index];
    refuseCopy(step, lane, FindingKind::launch, "tensor_map", fmt::format("there is no tensor map at 0x{:x}", address),
               "the spec gives a tensor map as an argument of type \"tensormap\"");
    return nullptr;
}

/// The value of an element outside of the tensor: the NaN is what an H200 writes, for every type the same halves.
std::uint64_t fillOf(const TensorMap& map) {
    return map.fill == TensorMap::Fill::zeros ? 0 : 0x7FF7'7FF7'7FF7'7FF7ULL;
}

/// One row of the box: where it lies in shared memory (before the swizzle), where its first element inside of the
/// tensor lies in global memory, and which of its elements those are.
struct Row {
    std::uint32_t shared = 0;
    std::uint64_t global = 0;
    std::uint32_t first = 0, count = 0;
};

template <class F>
void forRows(const TensorMap& map, const std::array<std::int64_t, 5>& at, std::uint32_t shared, F f) {
    const std::uint32_t size = ptx::sizeBytes(map.type), rowBytes = map.count(0) * size;
    std::uint64_t rows = 1;
    for (unsigned d = 1; d < map.rank; ++d) rows *= map.count(d);
    const std::int64_t end = std::min<std::int64_t>(at[0] + map.count(0), static_cast<std::int64_t>(map.sizes[0]));
    const std::int64_t begin = std::max<std::int64_t>(at[0], 0);
    for (std::uint64_t r = 0; r < rows; ++r) {
        Row row;
        row.shared = shared + static_cast<std::uint32_t>(r) * rowBytes;
        std::uint64_t left = r;
        bool inside = begin < end;
        std::uint64_t address = map.base + static_cast<std::uint64_t>(begin) * size;
        for (unsigned d = 1; d < map.rank; ++d) {
            const std::int64_t index = at[d] + static_cast<std::int64_t>(left % map.count(d)) * map.elementStrides[d];
            left /= map.count(d);
            inside &= index >= 0 && index < static_cast<std::int64_t>(map.sizes[d]);
            address += static_cast<std::uint64_t>(index) * map.strides[d];
        }
        if (inside) {
            row.global = address;
            row.first = static_cast<std::uint32_t>(begin - at[0]);
            row.count = static_cast<std::uint32_t>(end - begin);
        }
        f(row);
    }
}

void loadRow(const Step& step, unsigned lane, const TensorMap& map, const Row& row, std::span<std::uint8_t> data) {
    const std::uint32_t size = ptx::sizeBytes(map.type);
    const std::uint64_t fill = fillOf(map);
    for (std::size_t i = 0; i < data.size(); i += size) std::memcpy(data.data() + i, &fill, size);
    if (row.count) readGlobal(step, lane, row.global, data.subspan(row.first * size, row.count * size));
    for (std::size_t i = 0; i < data.size(); i += 16)
        std::memcpy(step.block.shared.data() + swizzled(row.shared + static_cast<std::uint32_t>(i), map.swizzle),
                    data.data() + i, 16);
}

void storeRow(const Step& step, const BulkOp& op, unsigned lane, const TensorMap& map, const Row& row,
              std::span<std::uint8_t> data) {
    const std::uint32_t size = ptx::sizeBytes(map.type);
    if (!row.count) return;
    for (std::uint32_t i = 0; i < data.size(); i += 16) {
        const std::uint32_t at = swizzled(row.shared + i, map.swizzle);
        checkAsyncRead(step, lane, {at, 16});
        std::memcpy(data.data() + i, step.block.shared.data() + at, 16);
    }
    const auto inside = data.subspan(row.first * size, row.count * size);
    if (!op.reduces) {
        writeGlobal(step, lane, row.global, inside);
        return;
    }
    AtomicOp reduce = op.reduce;
    reduce.type = map.type;
    reduce.halfAdd = halfReduction(reduce.kind, map.type);
    reduceGlobal(step, lane, reduce, row.global, inside);
}

/// Which operation fits which elements. Source: PTX ISA 9.0, 9.7.9.25.5.3.
bool canReduce(AtomicKind kind, ptx::ScalarType type) {
    using T = ptx::ScalarType;
    switch (kind) {
    case AtomicKind::add: return type != T::s64 && ptx::sizeBytes(type) > 1 && type != T::u16;
    case AtomicKind::min:
    case AtomicKind::max:
        return type == T::u32 || type == T::s32 || type == T::u64 || type == T::s64 || type == T::f16 ||
               type == T::bf16;
    case AtomicKind::inc:
    case AtomicKind::dec: return type == T::u32;
    default: return !ptx::isFloat(type) && ptx::sizeBytes(type) >= 4;
    }
}

} // namespace

void tensorCopy(const Step& step, const BulkOp& op, unsigned lane, std::uint64_t at, std::uint64_t mapAddress,
                std::uint64_t mbarrier) {
    Block& block = step.block;
    const TensorMap* map = mapAt(step, lane, mapAddress);
    if (!map) return;
    if (map->rank != op.rank)
        return refuseCopy(
            step, lane, FindingKind::launch, "tensor_map",
            fmt::format("the tensor map has {} dimensions, and this copies with {} coordinates", map->rank, op.rank),
            "the instruction's .1d to .5d must be the map's rank");
    const std::uint32_t rowBytes = map->count(0) * ptx::sizeBytes(map->type);
    const std::uint32_t span = 16U << static_cast<unsigned>(map->swizzle);
    if (map->swizzle != TensorMap::Swizzle::none && rowBytes != span)
        return refuseCopy(
            step, lane, FindingKind::unsupported, "emulator",
            fmt::format("the box's rows have {} bytes and the swizzle spans {}: how they lie is not emulated", rowBytes,
                        span),
            "make the box's first dimension as wide as the swizzle, or verify it on a GPU");
    if (op.reduces && !canReduce(op.reduce.kind, map->type))
        return refuseCopy(step, lane, FindingKind::launch, "tensor_map",
                          "the tensor map's elements have no such reduction",
                          "see the ISA's table of reductions by type");
    const Direction direction = op.toGlobal ? Direction::read : Direction::write;
    if (at % destinationAlign) return reportMisaligned(step, lane, direction, Window::shared, at, destinationAlign);
    const std::uint64_t bytes = map->boxBytes();
    if (at > block.shared.size() || bytes > block.shared.size() - at)
        return reportOutOfBounds(step, lane, direction, Window::shared, at, static_cast<std::uint32_t>(bytes));
    const auto shared = static_cast<std::uint32_t>(at);
    std::array<std::int64_t, 5> from{};
    for (unsigned d = 0; d < op.rank; ++d) from[d] = static_cast<std::int32_t>(step.word32(op.at[d], lane));

    // Neither this nor the next is told by the ISA; both were seen on an H200.
    if (op.toGlobal && std::ranges::any_of(from, [](std::int64_t coordinate) { return coordinate < 0; })) {
        if (!step.engine.options.bounds) return;
        return refuseCopy(step, lane, FindingKind::outOfBounds, "bounds",
                          "the box begins in front of the tensor: the hardware takes such a store for an illegal "
                          "instruction",
                          "only loads may begin there; behind the tensor's end both may go on");
    }
    if (const std::int64_t begin = from[0] * ptx::sizeBytes(map->type); begin % boxAlign)
        return refuseCopy(step, lane, FindingKind::misaligned, "tensor_map",
                          fmt::format("the box begins {} bytes into the tensor's rows, which is no multiple of {}: the "
                                      "hardware takes it for an illegal instruction",
                                      begin, boxAlign),
                          "let the first coordinate go in steps of 16 bytes");

    AsyncProxy::Transfer t;
    t.reads = op.toGlobal;
    t.warp = step.warp.index;
    t.lane = lane;
    t.place = placeNumber(step);
    t.offset = shared;
    t.bytes = static_cast<std::uint32_t>(bytes);
    std::vector<std::uint8_t> data(rowBytes);
    if (op.toGlobal) {
        forRows(*map, from, shared, [&](const Row& row) { storeRow(step, op, lane, *map, row, data); });
        const auto& groups = block.async.groups;
        t.group = groups.empty() ? 0 : groups[t.warp * 32 + lane];
    } else {
        checkAsyncWrite(step, lane, {shared, t.bytes});
        block.async.swizzles[t.place] = static_cast<unsigned>(map->swizzle);
        forRows(*map, from, shared, [&](const Row& row) { loadRow(step, lane, *map, row, data); });
        if (!completeTransfer(step, lane, mbarrier, t.bytes, t)) return;
    }
    beginTransfer(step, t);
}

} // namespace ptxwb::emulator
