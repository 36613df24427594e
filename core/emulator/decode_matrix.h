// What the decoders of mma and of wmma share. Used by decode_matrix.cpp and decode_wmma.cpp only.
#pragma once

#include "emulator/emitter.h"

namespace ptxwb::emulator {

/// The registers of `{a, b, ...}` or of a single operand, of `bytes` each; empty where they are not `count`.
std::vector<SlotRef> registersOf(Emitter& e, const ptx::Operand& operand, std::size_t count, std::uint8_t bytes,
                                 bool isDestination);
/// A collective of all 32 lanes.
bool emitMatrix(Emitter& e, CollectiveKind kind, MatrixOp op);

bool decodeWmma(Emitter& e);

} // namespace ptxwb::emulator
