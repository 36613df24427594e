// Switches the processor's rounding for one operation. For scalar_functions.cpp and conversions.cpp, which are compiled
// with -frounding-math; operands pass through volatile so that nothing is computed before the switch.
#pragma once

#include "emulator/scalar_functions.h"

#include <bit>
#include <cfenv>
#include <cmath>

namespace ptxwb::emulator {

class RoundingScope {
public:
    explicit RoundingScope(Rounding rounding) : m_changed(rounding != Rounding::nearest) {
        if (!m_changed) return;
        constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
        std::fesetround(modes[static_cast<int>(rounding)]);
    }
    ~RoundingScope() {
        if (m_changed) std::fesetround(FE_TONEAREST);
    }
    RoundingScope(const RoundingScope&) = delete;
    RoundingScope& operator=(const RoundingScope&) = delete;

private:
    bool m_changed;
};

inline float asFloat(std::uint64_t x) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(x));
}
inline double asDouble(std::uint64_t x) {
    return std::bit_cast<double>(x);
}
inline float flushed(float x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}

/// The word of an f32 result: every NaN is 0x7FFFFFFF.
inline std::uint64_t wordOf(float x) {
    return std::isnan(x) ? 0x7FFFFFFFU : std::bit_cast<std::uint32_t>(x);
}
inline std::uint64_t wordOf(double x) {
    return std::bit_cast<std::uint64_t>(x);
}

template <class F>
F saturated(F x) {
    return std::isnan(x) || x <= 0 ? F{0} : x > 1 ? F{1} : x;
}

} // namespace ptxwb::emulator
