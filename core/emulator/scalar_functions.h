// Operations that kernels use too seldom for a vector row: one lane at a time, operands and result in 64-bit words.
// Chosen by the decoder. Narrow operands come zero-extended from their slot; results are extended as their type says.
#pragma once

#include "emulator/micro_op.h"
#include "ptx/types.h"

namespace ptxwb::emulator {

enum class Rounding : std::uint8_t { nearest, zero, down, up };

struct FloatMode {
    Rounding rounding = Rounding::nearest;
    bool flush = false;    ///< .ftz
    bool saturate = false; ///< .sat: to [0, 1], NaN to +0
};

enum class FloatOp : std::uint8_t { add, subtract, multiply, fma, divide, squareRoot, reciprocal };

/// nullptr where the type is neither f32 nor f64, or the mode does not exist for it.
ScalarFunction floatFunction(FloatOp op, ptx::ScalarType type, FloatMode mode);

enum class Approximation : std::uint8_t {
    reciprocal,
    squareRoot,
    reciprocalSquareRoot,
    sine,
    cosine,
    logarithm2,
    exponential2,
    tangentHyperbolic
};
/// f32 (and rsqrt f64, rcp and rsqrt f64 .ftz): the correctly rounded value, which lies inside the error that the ISA
/// allows.
ScalarFunction approximation(Approximation op, ptx::ScalarType type, bool flush);

// Integer operations, nullptr where the type is no integer type of the operation.
ScalarFunction multiplyHigh(ptx::ScalarType type);
ScalarFunction multiplyAddHigh(ptx::ScalarType type, bool saturate);
ScalarFunction addSaturated(bool subtract); ///< s32
ScalarFunction divide(ptx::ScalarType type);
ScalarFunction remainder(ptx::ScalarType type);
ScalarFunction multiply24(ptx::ScalarType type, bool high);
ScalarFunction multiplyAdd24(ptx::ScalarType type, bool high, bool saturate);
ScalarFunction absoluteDifferenceAdd(ptx::ScalarType type); ///< sad
ScalarFunction populationCount(ptx::ScalarType type);
ScalarFunction leadingZeros(ptx::ScalarType type);
ScalarFunction findLeadingBit(ptx::ScalarType type, bool shiftAmount); ///< bfind
ScalarFunction reverseBits(ptx::ScalarType type);
ScalarFunction extractField(ptx::ScalarType type); ///< bfe: a, position, length
ScalarFunction packField(ptx::ScalarType type);    ///< position and length in one word for insertField
ScalarFunction insertField(ptx::ScalarType type);  ///< bfi: a, b, packed field
ScalarFunction bitMask(bool wrap);                 ///< bmsk
ScalarFunction funnelShift(bool left, bool wrap);  ///< shf: low, high, amount
enum class PermuteMode : std::uint8_t { index, forward4, backward4, replicate8, edgeLeft, edgeRight, replicate16 };
ScalarFunction permuteBytes(PermuteMode mode);                     ///< prmt
ScalarFunction dotProduct4(bool signedA, bool signedB);            ///< dp4a
ScalarFunction dotProduct2(bool high, bool signedA, bool signedB); ///< dp2a
ScalarFunction extendBits(ptx::ScalarType type, bool wrap);        ///< szext
ScalarFunction findNthSet();                                       ///< fns
ScalarFunction addPairs();                                         ///< add.u16x2 and .s16x2
/// min and max of u16x2, of s16x2 and, with relu only, of s32.
ScalarFunction extremePairs(ptx::ScalarType type, bool maximum, bool relu);
ScalarFunction copySign(ptx::ScalarType type);
enum class FloatTest : std::uint8_t { finite, infinite, number, notANumber, normal, subnormal };
ScalarFunction testFloat(FloatTest test, ptx::ScalarType type);
ScalarFunction minimumF64(bool maximum);
ScalarFunction isInWindow(std::uint64_t window); ///< isspacep
ScalarFunction zeroIsOne(ptx::ScalarType type);  ///< cnot

// conversions.cpp
enum class IntegerRounding : std::uint8_t { none, nearest, zero, down, up }; ///< .rni .rzi .rmi .rpi
struct ConversionMode {
    IntegerRounding toInteger = IntegerRounding::none;
    FloatMode floating;
};
/// cvt; nullptr for f16, bf16 and narrower formats, which half_functions.h has.
ScalarFunction conversion(ptx::ScalarType to, ptx::ScalarType from, ConversionMode mode);

} // namespace ptxwb::emulator
