// A launch's tensor maps as the emulator and the GPU take them.
// Called by execute.cpp and gpu_executor.cpp.
#pragma once

#include "emulator/tensor_map.h"
#include "gpu/gpu.h"
#include "kernel/tensor_map.h"

namespace ptxwb::verify {

/// `base`: where the map's buffer lies.
emulator::TensorMap emulatedMap(const kernel::TensorMap& map, std::uint64_t base);

/// `offset`: of the parameter in the block.
gpu::TensorMapIn gpuMap(const kernel::TensorMap& map, std::uint32_t offset);

} // namespace ptxwb::verify
