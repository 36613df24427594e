// f16 and bf16 operations in the modes that have no vector row, and the conversions to the narrow formats.
// Chosen by decode_half.cpp and decode_conversion.cpp.
#pragma once

#include "emulator/scalar_functions.h"

namespace ptxwb::emulator {

/// f16, f16x2, bf16, bf16x2.
bool isHalf(ptx::ScalarType type);
bool isPackedHalf(ptx::ScalarType type);

struct HalfMode {
    bool flush = false;    ///< .ftz, f16 only
    bool saturate = false; ///< .sat, f16 only
    bool relu = false;     ///< negative results become 0, a NaN stays one
};
/// add, subtract, multiply and fma, rounded to nearest; nullptr where the mode does not exist for the type.
ScalarFunction halfFunction(FloatOp op, ptx::ScalarType type, HalfMode mode);

struct ExtremeMode {
    bool maximum = false;
    bool flush = false;
    bool propagateNaN = false;
    bool xorSign = false; ///< .xorsign.abs: magnitudes are compared, the sign is the product's
};
/// min and max of halves and of f32.
ScalarFunction extremeFunction(ptx::ScalarType type, ExtremeMode mode);

/// ex2 and tanh: the correctly rounded value, which lies inside the error that the ISA allows.
ScalarFunction halfApproximation(Approximation op, ptx::ScalarType type);

enum class NarrowRounding : std::uint8_t { nearest, zero, down, up, nearestAway };
/// (.ftz changes nothing: the hardware keeps the subnormals of both sides.)
struct NarrowMode {
    NarrowRounding rounding = NarrowRounding::nearest;
    bool saturate = false; ///< .sat: to [0, 1]
    bool relu = false;
    bool finite = false; ///< .satfinite: the largest number instead of infinity
};
/// To f16, bf16 or tf32 from f32, f64 or an integer; nullptr for other pairs.
ScalarFunction narrow(ptx::ScalarType to, ptx::ScalarType from, NarrowMode mode);
/// To f16x2, bf16x2, e4m3x2 or e5m2x2 from two f32, the first of which goes to the upper half.
ScalarFunction narrowPair(ptx::ScalarType to, NarrowMode mode);
/// To e4m3x2 or e5m2x2 from f16x2.
ScalarFunction narrowHalves(ptx::ScalarType to, NarrowMode mode);
/// To f16x2 from e4m3x2 or e5m2x2.
ScalarFunction widenBytes(ptx::ScalarType from, bool relu);

} // namespace ptxwb::emulator
