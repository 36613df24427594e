#include "verify/tensor_maps.h"

#include <algorithm>

namespace ptxwb::verify {

namespace {

/// Of types that a map does not know, those of the same size: a copy moves bits.
struct Types {
    ptx::ScalarType emulated;
    gpu::TensorMapIn::Type gpu;
};
Types typesOf(kernel::ElementType type) {
    using E = kernel::ElementType;
    using S = ptx::ScalarType;
    using G = gpu::TensorMapIn::Type;
    switch (type) {
    case E::f16: return {S::f16, G::f16};
    case E::bf16: return {S::bf16, G::bf16};
    case E::tf32:
    case E::f32: return {S::f32, G::f32};
    case E::f64: return {S::f64, G::f64};
    case E::s32: return {S::s32, G::s32};
    case E::s64: return {S::s64, G::s64};
    default: break;
    }
    switch (kernel::sizeOf(type)) {
    case 1: return {S::u8, G::u8};
    case 2: return {S::u16, G::u16};
    case 4: return {S::u32, G::u32};
    default: return {S::u64, G::u64};
    }
}

} // namespace

emulator::TensorMap emulatedMap(const kernel::TensorMap& map, std::uint64_t base) {
    emulator::TensorMap out;
    out.type = typesOf(map.type).emulated;
    out.rank = static_cast<unsigned>(map.sizes.size());
    out.base = base;
    std::ranges::copy(map.sizes, out.sizes.begin());
    std::ranges::copy(map.strides, out.strides.begin());
    std::ranges::copy(map.box, out.box.begin());
    std::ranges::copy(map.elementStrides, out.elementStrides.begin());
    out.swizzle = static_cast<emulator::TensorMap::Swizzle>(map.swizzle);
    out.fill = static_cast<emulator::TensorMap::Fill>(map.fill);
    return out;
}

gpu::TensorMapIn gpuMap(const kernel::TensorMap& map, std::uint32_t offset) {
    gpu::TensorMapIn out;
    out.offset = offset;
    out.buffer = map.buffer;
    out.type = typesOf(map.type).gpu;
    out.sizes = map.sizes;
    out.strides = map.strides;
    out.box = map.box;
    out.elementStrides = map.elementStrides;
    out.swizzleBytes = map.swizzle == kernel::TensorMap::Swizzle::none ? 0 : 16U << static_cast<unsigned>(map.swizzle);
    out.l2PromotionBytes = map.l2PromotionBytes;
    out.fillsWithNaN = map.fill == kernel::TensorMap::Fill::nan;
    return out;
}

} // namespace ptxwb::verify
