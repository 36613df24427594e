#include "kernel/element_type.h"
#include "kernel/random.h"

#include <QtTest>
#include <bit>
#include <cmath>
#include <limits>

using namespace ptxwb::kernel;

namespace {

constexpr ElementType smallFloats[] = {ElementType::f16, ElementType::bf16, ElementType::e4m3, ElementType::e5m2};

/// Doubles of all magnitudes that matter for `type`, ends of its range included.
double drawn(ElementType type, std::uint64_t i) {
    const auto format = floatFormat(type);
    const auto word = randomWord(7, i);
    const int exponent =
        static_cast<int>(word % static_cast<std::uint64_t>((1 << format.exponentBits) + format.mantissaBits + 6)) -
        format.bias - format.mantissaBits - 3;
    const double mantissa = 1 + static_cast<double>(randomWord(8, i) >> 12) * 0x1p-52;
    return std::ldexp(word >> 63 ? -mantissa : mantissa, exponent);
}

} // namespace

class ElementTypeTest : public QObject {
    Q_OBJECT

private slots:
    void everyBitPatternSurvives() {
        for (const auto type : smallFloats) {
            const std::uint64_t patterns = std::uint64_t{1} << (8 * sizeOf(type));
            for (std::uint64_t bits = 0; bits < patterns; ++bits) {
                const double value = decodeFloat(type, bits);
                if (std::isnan(value))
                    QVERIFY(std::isnan(decodeFloat(type, encodeFloat(type, value))));
                else
                    QCOMPARE(encodeFloat(type, value), bits);
            }
        }
    }

    void f32AndF64AreTheHostsOwn() {
        for (std::uint64_t i = 0; i < 200000; ++i) {
            const double value = drawn(ElementType::f32, i);
            QCOMPARE(encodeFloat(ElementType::f32, value),
                     std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(value))});
            QCOMPARE(encodeFloat(ElementType::f64, value), std::bit_cast<std::uint64_t>(value));
            const auto bits = static_cast<std::uint32_t>(randomWord(9, i));
            const float single = std::bit_cast<float>(bits);
            if (!std::isnan(single)) QCOMPARE(decodeFloat(ElementType::f32, bits), static_cast<double>(single));
        }
    }

    /// No other value of the type is nearer, and of two equally near ones the even one is taken.
    void roundsToNearestEven() {
        for (const auto type : smallFloats) {
            for (std::uint64_t i = 0; i < 60000; ++i) {
                // Also exact ties: halfway between two neighbours.
                double value = std::abs(drawn(type, i));
                if (i % 3 == 0 && value < largestFinite(type)) {
                    const auto low = encodeFloat(type, value);
                    const double a = decodeFloat(type, low), b = decodeFloat(type, low + 1);
                    if (std::isfinite(a) && std::isfinite(b)) value = a / 2 + b / 2;
                }
                const auto bits = encodeFloat(type, value);
                const double got = decodeFloat(type, bits);
                const double beyond = largestFinite(type) + spacingAt(type, largestFinite(type)) / 2;
                if (value > beyond || (value == beyond && type != ElementType::e4m3)) {
                    QVERIFY(type == ElementType::e4m3 ? std::isnan(got) : std::isinf(got));
                    continue;
                }
                if (!std::isfinite(got)) continue;
                const double distance = std::abs(got - value);
                for (const auto neighbour : {bits - 1, bits + 1}) {
                    if (bits == 0 && neighbour != 1) continue;
                    const double other = decodeFloat(type, neighbour);
                    if (!std::isfinite(other)) continue;
                    QVERIFY(distance <= std::abs(other - value));
                    if (distance == std::abs(other - value)) QVERIFY2((bits & 1) == 0, std::to_string(value).c_str());
                }
            }
        }
    }

    void knownValues() {
        QCOMPARE(encodeFloat(ElementType::f16, 1.0), 0x3C00U);
        QCOMPARE(encodeFloat(ElementType::f16, 65504.0), 0x7BFFU);
        QCOMPARE(encodeFloat(ElementType::f16, 65519.9), 0x7BFFU);
        QCOMPARE(encodeFloat(ElementType::f16, 65520.0), 0x7C00U);
        QCOMPARE(encodeFloat(ElementType::f16, -0x1p-24), 0x8001U);
        QCOMPARE(encodeFloat(ElementType::f16, 0x1p-25), 0x0000U);
        QCOMPARE(encodeFloat(ElementType::f16, 0x1.8p-25), 0x0001U);
        QCOMPARE(encodeFloat(ElementType::f16, 0x1.ffep-15), 0x0400U); // rounds up into the normal numbers
        QCOMPARE(encodeFloat(ElementType::bf16, 1.0), 0x3F80U);
        QCOMPARE(encodeFloat(ElementType::bf16, 3.14159265), 0x4049U);
        QCOMPARE(encodeFloat(ElementType::tf32, 1.0 + 0x1p-11), 0x3F800000U); // tie to even
        QCOMPARE(encodeFloat(ElementType::tf32, 1.0 + 0x1.8p-11), 0x3F802000U);
        QCOMPARE(encodeFloat(ElementType::e4m3, 448.0), 0x7EU);
        QCOMPARE(encodeFloat(ElementType::e4m3, 464.0), 0x7EU); // halfway to what would be 480: even
        QCOMPARE(encodeFloat(ElementType::e4m3, 464.1), 0x7FU);
        QCOMPARE(encodeFloat(ElementType::e4m3, 0x1p-9), 0x01U);
        QCOMPARE(encodeFloat(ElementType::e5m2, 57344.0), 0x7BU);
        QCOMPARE(encodeFloat(ElementType::e5m2, 61440.0), 0x7CU);
        QCOMPARE(encodeFloat(ElementType::f32, -0.0), 0x80000000U);
        QCOMPARE(largestFinite(ElementType::e4m3), 448.0);
        QCOMPARE(largestFinite(ElementType::f32), static_cast<double>(std::numeric_limits<float>::max()));
        QCOMPARE(largestFinite(ElementType::f64), std::numeric_limits<double>::max());
    }

    void roundoffsAndSpacing() {
        QCOMPARE(unitRoundoff(ElementType::f32), 0x1p-24);
        QCOMPARE(unitRoundoff(ElementType::tf32), 0x1p-11);
        QCOMPARE(unitRoundoff(ElementType::bf16), 0x1p-8);
        QCOMPARE(unitRoundoff(ElementType::e4m3), 0x1p-4);
        QCOMPARE(unitRoundoff(ElementType::s32), 0.0);
        QCOMPARE(spacingAt(ElementType::f32, 1.0), 0x1p-23);
        QCOMPARE(spacingAt(ElementType::f32, -1.99), 0x1p-23);
        QCOMPARE(spacingAt(ElementType::f32, 0.0), 0x1p-149);
        QCOMPARE(spacingAt(ElementType::f16, 1e9), 32.0);
    }

    void integers() {
        QCOMPARE(asDouble(ElementType::s8, 0xFF), -1.0);
        QCOMPARE(asDouble(ElementType::u8, 0xFF), 255.0);
        QCOMPARE(asDouble(ElementType::s64, ~std::uint64_t{0}), -1.0);
        QCOMPARE(integerRange(ElementType::s8).low, std::int64_t{-128});
        QCOMPARE(integerRange(ElementType::s8).high, std::uint64_t{127});
        QCOMPARE(integerRange(ElementType::b16).low, std::int64_t{-32768});
        QCOMPARE(integerRange(ElementType::b16).high, std::uint64_t{65535});
        QCOMPARE(integerRange(ElementType::u64).high, ~std::uint64_t{0});
        QCOMPARE(integerRange(ElementType::s64).low, std::numeric_limits<std::int64_t>::min());
    }

    void names() {
        QCOMPARE(elementTypeNames().size(), std::size_t{19});
        for (const auto text : elementTypeNames()) QVERIFY(name(*elementType(text)) == text);
        QVERIFY(!elementType("float"));
    }
};

QTEST_APPLESS_MAIN(ElementTypeTest)
#include "element_type_test.moc"
