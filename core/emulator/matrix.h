// What mma, ldmatrix, stmatrix and movmatrix do with the registers of a whole warp.
// Called by collectives.cpp when all 32 lanes have come.
#pragma once

#include "emulator/state.h"

namespace ptxwb::emulator {

void matrixProduct(const Step& step, const MatrixOp& op);
/// mma.m8n8k4 of f16.
void matrixQuads(const Step& step, const MatrixOp& op);
/// Rows of 8x8 matrices of 16-bit elements (lane 8j + i holds row i of matrix j) to fragments and back.
void rowsToFragments(const Step& step, const MatrixOp& op);
void fragmentsToRows(const Step& step, const MatrixOp& op);
void transposeFragment(const Step& step, const MatrixOp& op);

// half_functions.cpp
std::uint32_t widenF16(std::uint16_t h);       ///< f32 bits
std::uint16_t narrowedF16(std::uint32_t bits); ///< of an f32, to nearest even

} // namespace ptxwb::emulator
