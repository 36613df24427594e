// A launch's textures and surfaces as the emulator and the GPU take them.
// Called by execute.cpp and gpu_executor.cpp.
#pragma once

#include "emulator/texture.h"
#include "gpu/gpu.h"
#include "kernel/texture.h"

namespace ptxwb::verify {

/// `base`: where the texture's buffer lies.
emulator::Texture emulatedTexture(const kernel::Texture& texture, std::uint64_t base);

/// `offset`: of the parameter in the block.
gpu::TextureIn gpuTexture(const kernel::Texture& texture, std::uint32_t offset);

} // namespace ptxwb::verify
