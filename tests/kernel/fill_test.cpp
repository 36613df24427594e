#include "kernel/fill.h"

#include "kernel/random.h"
#include "story.h"
#include "support/sha256.h"

#include <cmath>
#include <fstream>

using namespace ptxwb;
using namespace ptxwb::kernel;

namespace {

std::vector<std::uint8_t> filled(const Fill& fill, ElementType type, std::uint64_t seed, std::size_t count) {
    std::vector<std::uint8_t> bytes(count * sizeOf(type));
    fillBuffer(fill, type, fillKey(seed, "x"), bytes);
    return bytes;
}

std::vector<double> values(const Fill& fill, ElementType type, std::size_t count, std::uint64_t seed = 1) {
    const auto bytes = filled(fill, type, seed, count);
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(asDouble(type, loadBits(type, bytes, i)));
    return result;
}

Fill of(FillKind kind) {
    return {kind, {}, {}, {}, {}, {}, {}};
}

double meanOf(const std::vector<double>& list) {
    double sum = 0;
    for (const double value : list) sum += value;
    return sum / static_cast<double>(list.size());
}

} // namespace

class FillTest : public QObject {
    Q_OBJECT

private slots:
    /// fills.json holds the SHA-256 of 1,000 elements of every fill in every type: the same on every machine, for ever.
    void digests() {
        const auto file = test::dataFolder() / "fills.json";
        auto expected = test::readStory(file);
        nlohmann::ordered_json got = nlohmann::ordered_json::object();
        for (const auto type : {ElementType::f64, ElementType::f32, ElementType::tf32, ElementType::f16,
                                ElementType::bf16, ElementType::e4m3, ElementType::e5m2, ElementType::s8,
                                ElementType::u16, ElementType::s32, ElementType::u64, ElementType::b32}) {
            for (int kind = 0; kind < static_cast<int>(FillKind::file); ++kind) {
                const auto fill = of(static_cast<FillKind>(kind));
                const auto bytes = filled(fill, type, 42, 1000);
                const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                got[std::string(name(type))][std::string(name(fill.kind))] = sha256Hex(text).substr(0, 16);
            }
        }
        if (test::updating()) std::ofstream(file) << got.dump(1) << "\n";
        for (const auto& [type, fills] : expected.items())
            for (const auto& [kind, digest] : fills.items())
                QVERIFY2(got[type][kind] == digest, (type + " " + kind).c_str());
        QCOMPARE(got.size(), expected.size());
    }

    void firstElements() {
        // Written down once: a change of the generator must not pass unseen.
        QCOMPARE(randomWord(0, 0), 0xE220A8397B1DCDAFU); // first output of splitmix64 seeded with 0
        QCOMPARE(randomWord(0, 1), 0x6E789E6AA1B965F4U);
    }

    void anElementDoesNotDependOnTheSize() {
        for (int kind = 0; kind < static_cast<int>(FillKind::file); ++kind) {
            const auto fill = of(static_cast<FillKind>(kind));
            const auto large = filled(fill, ElementType::f32, 3, 500), small = filled(fill, ElementType::f32, 3, 7);
            QVERIFY(std::equal(small.begin(), small.end(), large.begin()));
        }
    }

    void seedAndArgumentMatter() {
        QVERIFY(filled(of(FillKind::normal), ElementType::f32, 1, 8) !=
                filled(of(FillKind::normal), ElementType::f32, 2, 8));
        QVERIFY(fillKey(1, "x") != fillKey(1, "y"));
    }

    void normalHasItsMeanAndSpread() {
        const auto list = values(of(FillKind::normal), ElementType::f32, 20000);
        const double mean = meanOf(list);
        double variance = 0;
        for (const double value : list) variance += (value - mean) * (value - mean) / static_cast<double>(list.size());
        QVERIFY(std::abs(mean - 0.5) < 0.03);
        QVERIFY(std::abs(variance - 1) < 0.05);
        QVERIFY(*std::ranges::max_element(list) <= 6.5 && *std::ranges::min_element(list) >= -5.5);
        Fill moved = of(FillKind::normal);
        moved.mean = -3;
        moved.scale = 0.5;
        QVERIFY(std::abs(meanOf(values(moved, ElementType::f64, 20000)) + 3) < 0.02);
        QVERIFY(std::abs(meanOf(values(of(FillKind::normal), ElementType::s32, 20000)) - 5) < 0.3);
    }

    void meansAreNotZero() {
        for (const auto type : {ElementType::f16, ElementType::bf16, ElementType::e4m3, ElementType::s8,
                                ElementType::u8, ElementType::s64})
            for (const auto kind :
                 {FillKind::normal, FillKind::uniform, FillKind::integers, FillKind::constant, FillKind::ones})
                QVERIFY2(std::abs(meanOf(values(of(kind), type, 4000))) > 0.2, std::string(name(kind)).c_str());
    }

    void uniformStaysInside() {
        Fill fill = of(FillKind::uniform);
        fill.low = -2;
        fill.high = 3;
        for (const double value : values(fill, ElementType::f64, 5000)) QVERIFY(value >= -2 && value < 3);
        bool low = false, high = false;
        for (const double value : values(fill, ElementType::s32, 5000)) {
            QVERIFY(value >= -2 && value <= 3);
            low |= value == -2;
            high |= value == 3;
        }
        QVERIFY(low && high);
        fill.low = -1000;
        fill.high = 1000;
        for (const double value : values(fill, ElementType::u8, 1000)) QVERIFY(value >= 0 && value <= 255);
    }

    void integersAreWholeInEveryType() {
        for (const auto type : {ElementType::e4m3, ElementType::e5m2, ElementType::bf16, ElementType::f32}) {
            if (type == ElementType::e5m2) continue; // two bits of mantissa hold whole numbers up to 8 only
            for (const double value : values(of(FillKind::integers), type, 2000))
                QVERIFY(value == std::floor(value) && value >= -3 && value <= 12);
        }
    }

    void iotaStaysExact() {
        const auto f16 = values(of(FillKind::iota), ElementType::f16, 5000);
        for (std::size_t i = 0; i < f16.size(); ++i) QCOMPARE(f16[i], static_cast<double>(i % 2048));
        const auto s8 = values(of(FillKind::iota), ElementType::s8, 300);
        QCOMPARE(s8[127], 127.0);
        QCOMPARE(s8[128], 0.0);
    }

    void sparseDenormalHuge() {
        const auto sparse = values(of(FillKind::sparse), ElementType::f32, 10000);
        const auto zeros = std::ranges::count(sparse, 0.0);
        QVERIFY(zeros > 8800 && zeros < 9200);
        for (const auto type : {ElementType::f64, ElementType::f32, ElementType::f16, ElementType::bf16,
                                ElementType::e4m3, ElementType::e5m2}) {
            const double least = std::ldexp(1.0, 1 - floatFormat(type).bias);
            for (const double value : values(of(FillKind::denormal), type, 1000))
                QVERIFY(value != 0 && std::abs(value) < least);
            for (const double value : values(of(FillKind::huge), type, 1000))
                QVERIFY(std::isfinite(value) && std::abs(value) >= largestFinite(type) * 0.2);
        }
        for (const double value : values(of(FillKind::huge), ElementType::s32, 1000))
            QVERIFY(value > 2147483631.0 || value < -2147483632.0);
    }

    void cancellingPairsAlmostVanish() {
        const auto list = values(of(FillKind::cancelling), ElementType::f32, 2000);
        std::size_t notExact = 0;
        for (std::size_t i = 0; i < list.size(); i += 2) {
            QVERIFY(std::abs(list[i] + list[i + 1]) <= std::abs(list[i]) * 0x1p-10);
            notExact += list[i] + list[i + 1] != 0;
        }
        QVERIFY(notExact > 900);
    }

    void specialHasAllOfThem() {
        const auto list = values(of(FillKind::special), ElementType::f16, 4000);
        const auto holds = [&list](auto predicate) { return std::ranges::any_of(list, predicate); };
        QVERIFY(holds([](double v) { return std::isnan(v); }));
        QVERIFY(holds([](double v) { return std::isinf(v) && v > 0; }));
        QVERIFY(holds([](double v) { return std::isinf(v) && v < 0; }));
        QVERIFY(holds([](double v) { return v == 0 && std::signbit(v); }));
        QVERIFY(holds([](double v) { return v == 65504; }));
        QVERIFY(holds([](double v) { return v == 0x1p-24; }));
    }

    void isolatedOnesStandAlone() {
        const auto list = values(of(FillKind::isolated), ElementType::f32, 64 * 400);
        std::size_t some = 0, infinite = 0;
        for (std::size_t stretch = 0; stretch < 400; ++stretch) {
            const auto count = std::ranges::count_if(list.begin() + static_cast<std::ptrdiff_t>(64 * stretch),
                                                     list.begin() + static_cast<std::ptrdiff_t>(64 * stretch + 64),
                                                     [](double v) { return !(std::abs(v) < 1e30); });
            QVERIFY(count <= 1);
            some += static_cast<std::size_t>(count);
        }
        for (const double value : list) infinite += std::isinf(value) ? 1U : 0U;
        QVERIFY(some > 260 && some < 340);
        QVERIFY(infinite > some / 3);
    }

    void negativeAndWide() {
        for (const auto type : {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::e4m3,
                                ElementType::s8, ElementType::s32, ElementType::s64})
            for (const double value : values(of(FillKind::negative), type, 2000))
                QVERIFY2(value < 0, std::string(name(type)).c_str());
        double least = 1, most = 1;
        for (const double value : values(of(FillKind::wide), ElementType::f32, 2000)) {
            QVERIFY(std::abs(value) >= 0x1p-20 && std::abs(value) < 0x1p21);
            least = std::min(least, std::abs(value));
            most = std::max(most, std::abs(value));
        }
        QVERIFY(least < 1e-5 && most > 1e6);
        for (const auto type : {ElementType::f16, ElementType::e4m3, ElementType::e5m2})
            for (const double value : values(of(FillKind::wide), type, 2000))
                QVERIFY2(std::isfinite(value * value) && value * value <= largestFinite(type) * 4 && value != 0,
                         std::string(name(type)).c_str());
        const auto integers = values(of(FillKind::wide), ElementType::u32, 2000);
        QVERIFY(std::ranges::any_of(integers, [](double v) { return v > 4e9; }) &&
                std::ranges::any_of(integers, [](double v) { return v < 100; }));
        QVERIFY(
            std::ranges::any_of(values(of(FillKind::wide), ElementType::s32, 2000), [](double v) { return v < -1e9; }));
    }

    void belowIsTheUpperHalfOfTheProduct() {
        QCOMPARE(below(~std::uint64_t{0}, 10), std::uint64_t{9});
        QCOMPARE(below(0, 10), std::uint64_t{0});
        QCOMPARE(below(std::uint64_t{1} << 63, 10), std::uint64_t{5});
        QCOMPARE(below(0xFFFFFFFFFFFFFFFFU, 0xFFFFFFFFFFFFFFFFU), 0xFFFFFFFFFFFFFFFEU);
        QCOMPARE(below(77, 0), std::uint64_t{77});
    }
};

QTEST_APPLESS_MAIN(FillTest)
#include "fill_test.moc"
