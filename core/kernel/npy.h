// Input data from files that travel with a spec: raw elements (.bin) and NumPy arrays (.npy).
// Called by layout.
#pragma once

#include "kernel/element_type.h"
#include "support/diagnostic.h"

#include <string>
#include <vector>

namespace ptxwb::kernel {

/// `count` elements of `type`, little-endian, row-major, from the file's content. A .npy file must be in C order with a
/// little-endian type of the same kind and size (f16 '<f2', f32 '<f4', s32 '<i4', b32 any of four bytes, bf16 and fp8
/// as unsigned integers of their size). Errors name the file, what it holds and what is needed. Source: NumPy
/// Enhancement Proposal 1, format versions 1.0 to 3.0.
Expected<std::vector<std::uint8_t>> fileElements(const std::string& file, std::string_view content, ElementType type,
                                                 std::uint64_t count);

} // namespace ptxwb::kernel
