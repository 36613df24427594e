// The matrices of wgmma in shared memory: what a descriptor means, and the fragments of mma.sync taken from there.
// Used by warpgroup.cpp.
#pragma once

#include "emulator/state.h"

namespace ptxwb::emulator {

/// Source: PTX ISA 9.0, 9.7.15.5.1.2 matrix descriptor.
struct MatrixDescriptor {
    std::uint32_t start = 0;               ///< offset in shared memory
    std::uint32_t leading = 0, stride = 0; ///< bytes
    std::uint32_t base = 0;                ///< where the swizzle's pattern begins, in units of 128 bytes
    unsigned swizzle = 0;                  ///< 0 to 3: no, 32, 64, 128 bytes
};
MatrixDescriptor matrixDescriptor(std::uint64_t bits);

/// `rows` of M (or columns of N) from `first` on, 32 bytes of K, as pieces of 16 bytes in shared memory.
///
/// K together: piece 2 r + c holds bytes 16 c to 16 c + 15 of row `first` + r. M (or N) together, elements of 16 bits:
/// piece k * rows / 8 + u holds the 8 rows from `first` + 8 u on at K = k.
struct MatrixPieces {
    bool together = false; ///< M (or N) lies together, not K
    unsigned rows = 0;
    std::vector<std::uint32_t> offsets;

    /// 32 bits of row r at byte `at` of K.
    std::uint32_t word(const std::uint8_t* shared, unsigned r, unsigned at) const;
};
MatrixPieces matrixPieces(const MatrixDescriptor& descriptor, bool together, unsigned first, unsigned rows);

} // namespace ptxwb::emulator
