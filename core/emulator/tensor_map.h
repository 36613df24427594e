// Tensor maps of a launch: what cuTensorMapEncodeTiled describes. Made by whoever launches (the funnel, `ptxwb run`,
// tests), read by the tensor forms of cp.async.bulk.
//
// On a GPU the 128 bytes of a CUtensorMap are opaque. Here they hold which of the launch's maps is meant
// (`tensorMapParameter`), so that a kernel may copy them, and a buffer that is none is noticed.
#pragma once

#include "ptx/types.h"
#include "support/diagnostic.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace ptxwb::emulator {

struct TensorMap {
    static constexpr unsigned maxRank = 5;
    enum class Swizzle : std::uint8_t { none, b32, b64, b128 }; ///< the span in bytes
    enum class Fill : std::uint8_t { zeros, nan };              ///< of elements outside of the tensor

    ptx::ScalarType type = ptx::ScalarType::f32; ///< u8 u16 u32 s32 u64 s64 f16 bf16 f32 f64
    unsigned rank = 1;
    std::uint64_t base = 0;                                           ///< device address of element 0
    std::array<std::uint64_t, maxRank> sizes{};                       ///< elements; dimension 0 lies together in memory
    std::array<std::uint64_t, maxRank> strides{};                     ///< bytes; the first one is not looked at
    std::array<std::uint32_t, maxRank> box{};                         ///< elements of the traversed box
    std::array<std::uint32_t, maxRank> elementStrides{1, 1, 1, 1, 1}; ///< the first one is not looked at
    Swizzle swizzle = Swizzle::none;
    Fill fill = Fill::zeros;

    /// Elements that a copy brings along a dimension.
    std::uint32_t count(unsigned dimension) const {
        const std::uint32_t step = dimension ? elementStrides[dimension] : 1;
        return (box[dimension] + step - 1) / step;
    }
    /// Of shared memory that one copy fills.
    std::uint64_t boxBytes() const;
};

inline constexpr std::uint32_t tensorMapBytes = 128, tensorMapAlign = 64;

/// What cuTensorMapEncodeTiled would refuse, and types that have no emulation. Errors: Cause::rejected.
/// Source: CUDA Driver API 13.0, cuTensorMapEncodeTiled.
Expected<void> checkTensorMap(const TensorMap& map);

/// The kernel's parameter for the launch's map number `index`.
std::array<std::uint8_t, tensorMapBytes> tensorMapParameter(std::uint32_t index);
/// The number of the map whose parameter these are; empty where they are none.
std::optional<std::uint32_t> tensorMapIndex(std::span<const std::uint8_t, tensorMapBytes> bytes);

/// Where the byte at this offset of shared memory lies once the pattern is applied: an exchange of 16-byte pieces that
/// repeats every 256, 512 or 1024 bytes. Source: PTX ISA 9.0, 5.5.6 swizzling modes.
constexpr std::uint32_t swizzled(std::uint32_t offset, TensorMap::Swizzle swizzle) {
    const std::uint32_t bits = (1U << static_cast<unsigned>(swizzle)) - 1;
    return offset ^ ((offset >> 7 & bits) << 4);
}

} // namespace ptxwb::emulator
