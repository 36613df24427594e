// From TensorMapIn to the 128 bytes that the hardware reads. The driver alone knows their meaning.
#include "gpu/gpu_state.h"

#include <cstring>

namespace ptxwb::gpu {

namespace {

static_assert(static_cast<int>(TensorMapIn::Type::u32) == CU_TENSOR_MAP_DATA_TYPE_UINT32 &&
              static_cast<int>(TensorMapIn::Type::f16) == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 &&
              static_cast<int>(TensorMapIn::Type::bf16) == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);

CUtensorMapSwizzle swizzleOf(std::uint32_t bytes) {
    switch (bytes) {
    case 32: return CU_TENSOR_MAP_SWIZZLE_32B;
    case 64: return CU_TENSOR_MAP_SWIZZLE_64B;
    case 128: return CU_TENSOR_MAP_SWIZZLE_128B;
    default: return CU_TENSOR_MAP_SWIZZLE_NONE;
    }
}

CUtensorMapL2promotion promotionOf(std::uint32_t bytes) {
    switch (bytes) {
    case 64: return CU_TENSOR_MAP_L2_PROMOTION_L2_64B;
    case 128: return CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
    case 256: return CU_TENSOR_MAP_L2_PROMOTION_L2_256B;
    default: return CU_TENSOR_MAP_L2_PROMOTION_NONE;
    }
}

} // namespace

CUresult encodeTensorMaps(const Gpu::State& gpu, const LaunchTarget& target, const std::vector<CUdeviceptr>& addresses,
                          std::vector<std::uint8_t>& parameters) {
    for (std::size_t i = 0; i < target.tensorMaps.size(); ++i) {
        const TensorMapIn& map = target.tensorMaps[i];
        CUtensorMap encoded{};
        const CUresult result = gpu.api->encodeTensorMap(
            &encoded, static_cast<CUtensorMapDataType>(map.type), static_cast<cuuint32_t>(map.sizes.size()),
            reinterpret_cast<void*>(addresses[i]), map.sizes.data(), map.strides.data() + 1, map.box.data(),
            map.elementStrides.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzleOf(map.swizzleBytes),
            promotionOf(map.l2PromotionBytes),
            map.fillsWithNaN ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        if (result != CUDA_SUCCESS) return result;
        std::memcpy(parameters.data() + map.offset, &encoded, sizeof encoded);
    }
    return CUDA_SUCCESS;
}

} // namespace ptxwb::gpu
