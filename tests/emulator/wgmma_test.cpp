// wgmma gives A * B + C for every type, for A in registers and in shared memory, for all layouts and swizzles: compared
// with the product of small whole numbers. The matrices are laid out here as the ISA draws the canonical layouts: tiles
// of 8 rows (or 8 columns) as wide as the swizzle, whose 16-byte pieces trade places by row.
#include "kernel_run.h"

#include <QTest>
#include <bit>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

struct Types {
    const char *a, *b, *d;
    unsigned k, bits;
};
constexpr Types types[] = {
    {"f16", "f16", "f32", 16, 16},  {"f16", "f16", "f16", 16, 16},  {"bf16", "bf16", "f32", 16, 16},
    {"tf32", "tf32", "f32", 8, 32}, {"e4m3", "e4m3", "f32", 32, 8}, {"e4m3", "e5m2", "f32", 32, 8},
    {"e5m2", "e4m3", "f16", 32, 8}, {"s8", "s8", "s32", 32, 8},     {"u8", "s8", "s32", 32, 8},
    {"s8", "u8", "s32", 32, 8},     {"u8", "u8", "s32", 32, 8},     {"b1", "b1", "s32", 256, 1}};

bool isWhole(std::string_view t) {
    return t == "s8" || t == "u8" || t == "b1";
}

/// 0 to 3 as bits of the type.
std::uint32_t bitsOf(std::string_view t, int value) {
    if (isWhole(t)) return static_cast<std::uint32_t>(value);
    constexpr std::uint32_t f16[] = {0, 0x3C00, 0x4000, 0x4200}, bf16[] = {0, 0x3F80, 0x4000, 0x4040},
                            e4m3[] = {0, 0x38, 0x40, 0x44}, e5m2[] = {0, 0x3C, 0x40, 0x42};
    if (t == "f16") return f16[value];
    if (t == "bf16") return bf16[value];
    if (t == "e4m3") return e4m3[value];
    if (t == "e5m2") return e5m2[value];
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

int valueA(unsigned m, unsigned k, bool bit) {
    return static_cast<int>((m * 3 + k * 5 + m / 8) % (bit ? 2 : 4));
}
int valueB(unsigned k, unsigned n, bool bit) {
    return static_cast<int>((k + n * 2 + n / 16 + k / 4) % (bit ? 2 : 3));
}

/// One matrix in shared memory, with its descriptor (without the start).
struct Laid {
    std::vector<std::uint8_t> bytes;
    std::uint64_t descriptor = 0;
};

/// `rows` of M or N. `together`: M or N lies together. `swizzle`: bytes, 16 for none.
template <class F>
Laid laidOut(unsigned rows, unsigned k, unsigned bits, bool together, unsigned swizzle, F value) {
    Laid out;
    out.bytes.resize(65536);
    const unsigned tileBytes = 8 * swizzle;
    std::uint32_t leading = 0, stride = 0;
    const auto put = [&](std::uint32_t offset, std::uint32_t v, unsigned bit) {
        const std::uint32_t row = offset / 128 % (swizzle / 16); // of the pattern
        const std::uint32_t at = offset ^ row << 4;
        if (bits == 1)
            out.bytes[at] = static_cast<std::uint8_t>(out.bytes[at] | v << bit);
        else
            std::memcpy(out.bytes.data() + at, &v, bits / 8);
    };
    if (!together) {
        // Tiles of 8 rows; without a swizzle a second row of tiles for the second 16 bytes of K.
        leading = tileBytes * ((rows + 7) / 8);
        stride = tileBytes;
        for (unsigned r = 0; r < rows; ++r)
            for (unsigned i = 0; i < k; ++i) {
                const unsigned byte = i * bits / 8;
                const std::uint32_t at =
                    r / 8 * stride + r % 8 * swizzle + (swizzle == 16 ? byte / 16 * leading + byte % 16 : byte);
                put(at, value(r, i), i % 8);
            }
    } else {
        // Tiles of 8 k, each with swizzle / 2 rows together.
        const unsigned wide = swizzle / 2, tiles = (rows + wide - 1) / wide;
        const std::uint32_t nextRows = swizzle == 16 ? tileBytes : 2 * tileBytes,
                            nextK = swizzle == 16 ? tileBytes * tiles : tileBytes;
        leading = swizzle == 16 ? nextK : nextRows;
        stride = swizzle == 16 ? nextRows : nextK;
        for (unsigned r = 0; r < rows; ++r)
            for (unsigned i = 0; i < k; ++i)
                put(r / wide * nextRows + i / 8 * nextK + i % 8 * swizzle + r % wide * 2, value(r, i), 0);
    }
    const std::uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
    out.descriptor = std::uint64_t{leading >> 4} << 16 | std::uint64_t{stride >> 4} << 32 | mode << 62;
    return out;
}

double floatOf(std::string_view type, std::uint32_t word, unsigned half) {
    if (type == "s32") return static_cast<std::int32_t>(word);
    if (type == "f32") return std::bit_cast<float>(word);
    const std::uint32_t h = word >> (16 * half) & 0xFFFF;
    if (!(h & 0x7FFF)) return 0;
    const std::uint32_t wide = (h & 0x8000) << 16 | ((h >> 10 & 31) + 112) << 23 | (h & 0x3FF) << 13;
    return std::bit_cast<float>(wide);
}

std::string list(const char* name, unsigned count) {
    std::string out;
    for (unsigned i = 0; i < count; ++i) out += fmt::format("{}%{}{}", i ? ", " : "", name, i);
    return out;
}

struct Case {
    Types t;
    unsigned n = 8, swizzleA = 16, swizzleB = 16;
    bool registersA = false, togetherA = false, togetherB = false;
    bool scaleD = true, negateA = false, negateB = false;
    bool satfinite = false;
};

constexpr unsigned atB = 65536; ///< of shared memory and of the input

std::string kernelText(const Case& c, std::uint64_t descriptorA, std::uint64_t descriptorB) {
    const bool isFloat = !isWhole(c.t.a), canTurn = c.t.bits == 16;
    const bool wide = std::string_view(c.t.d) != "f16";
    const unsigned count = wide ? c.n / 2 : c.n / 4;
    std::string out = fmt::format(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 tile[];\n"
        ".visible .entry k(.param .u64 out, .param .u64 in)\n{{\n"
        ".reg .b64 %rd<8>; .reg .b32 %t, %v, %a<4>, %i, %s; .reg .b32 %d<{}>; .reg .pred %p, %scale;\n"
        "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [in];\nmov.u32 %t, %tid.x;\nmov.u32 %i, 0;\n"
        // 128 threads bring the matrices, 16 bytes each at a time.
        "COPY:\nmad.lo.u32 %s, %i, 2048, 0;\nshl.b32 %v, %t, 4;\nadd.u32 %s, %s, %v;\ncvt.u64.u32 %rd2, %s;\n"
        "add.u64 %rd2, %rd1, %rd2;\nmov.u32 %v, tile;\nadd.u32 %s, %s, %v;\n"
        "ld.global.v4.u32 {{%a0, %a1, %a2, %a3}}, [%rd2];\nst.shared.v4.u32 [%s], {{%a0, %a1, %a2, %a3}};\n"
        "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 64;\n@%p bra COPY;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n",
        count);
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t one = wide ? (isFloat ? 0x3F800000U : 1U) : 0x3C003C00U;
        out += fmt::format("mov.b32 %d{}, 0x{:08x};\n", i, one);
    }
    if (c.registersA) { // behind B: words by thread
        out += "mul.wide.u32 %rd2, %t, 16;\nadd.u64 %rd2, %rd1, %rd2;\n"
               "ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%rd2+131072];\n";
    }
    out += fmt::format("mov.b64 %rd3, 0x{:016x};\nmov.b64 %rd4, 0x{:016x};\n"
                       "mov.u32 %v, tile;\nshr.u32 %v, %v, 4;\ncvt.u64.u32 %rd5, %v;\n"
                       "or.b64 %rd3, %rd3, %rd5;\nadd.u64 %rd5, %rd5, {};\nor.b64 %rd4, %rd4, %rd5;\n"
                       "setp.eq.u32 %scale, 0, {};\nwgmma.fence.sync.aligned;\n",
                       descriptorA, descriptorB, atB >> 4, c.scaleD ? 0 : 1);
    out += fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}{}.{}.{}.{}{} {{{}}}, {}, %rd4, %scale", c.n, c.t.k,
                       c.satfinite ? ".satfinite" : "", c.t.d, c.t.a, c.t.b, c.t.bits == 1 ? ".and.popc" : "",
                       list("d", count), c.registersA ? "{%a0, %a1, %a2, %a3}" : "%rd3");
    if (isFloat) out += fmt::format(", {}, {}", c.negateA ? -1 : 1, c.negateB ? -1 : 1);
    if (canTurn && !c.registersA) out += fmt::format(", {}", c.togetherA ? 1 : 0);
    if (canTurn) out += fmt::format(", {}", c.togetherB ? 1 : 0);
    out += fmt::format(";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
                       "mul.wide.u32 %rd2, %t, {};\nadd.u64 %rd0, %rd0, %rd2;\n",
                       4 * count);
    for (unsigned i = 0; i < count; ++i) out += fmt::format("st.global.b32 [%rd0+{}], %d{};\n", 4 * i, i);
    return out + "ret;\n}\n";
}

} // namespace

class WgmmaTest : public QObject {
    Q_OBJECT

    void verify(const Case& c) {
        const bool bit = c.t.bits == 1;
        const auto a = [&](unsigned m, unsigned k) { return bitsOf(c.t.a, valueA(m, k, bit)); };
        const auto b = [&](unsigned n, unsigned k) { return bitsOf(c.t.b, valueB(k, n, bit)); };
        const Laid laidA = laidOut(64, c.t.k, c.t.bits, c.togetherA, c.swizzleA, a);
        const Laid laidB = laidOut(c.n, c.t.k, c.t.bits, c.togetherB, c.swizzleB, b);
        KernelRun r;
        r.entry = "k";
        r.block = {128, 1, 1};
        r.dynamicSharedBytes = 131072;
        r.text = kernelText(c, laidA.descriptor, laidB.descriptor);
        r.input = laidA.bytes;
        r.input.insert(r.input.end(), laidB.bytes.begin(), laidB.bytes.end());
        r.input.resize(131072 + 2048);
        // The fragment of A: PTX ISA 9.0, figures of 9.7.15.5.1: word i of a thread, elements of 32 bits together.
        const unsigned each = 32 / c.t.bits;
        for (unsigned thread = 0; thread < 128; ++thread)
            for (unsigned i = 0; i < 4; ++i) {
                const unsigned row = thread / 32 * 16 + thread % 32 / 4 + (i % 2 ? 8 : 0);
                const unsigned first = (thread % 4 + (i / 2 ? 4 : 0)) * each;
                std::uint32_t word = 0;
                for (unsigned e = 0; e < each; ++e) word |= a(row, first + e) << (e * c.t.bits % 32);
                std::memcpy(r.input.data() + 131072 + thread * 16 + i * 4, &word, 4);
            }
        const bool wide = std::string_view(c.t.d) != "f16";
        const unsigned count = wide ? c.n / 2 : c.n / 4;
        r.outWords = std::size_t{128} * count;
        const KernelAnswer answer = runKernel(r);
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        for (const Finding& f : answer.result.findings) QVERIFY2(false, summary(f).c_str());
        const int sign = c.negateA == c.negateB ? 1 : -1;
        for (unsigned thread = 0; thread < 128; ++thread)
            for (unsigned e = 0; e < c.n / 2; ++e) { // element: column pairs, then rows 8 apart, then 8 columns on
                const unsigned row = thread / 32 * 16 + thread % 32 / 4 + (e / 2 % 2) * 8;
                const unsigned column = e / 4 * 8 + thread % 4 * 2 + e % 2;
                double expected = c.scaleD ? 1 : 0;
                for (unsigned k = 0; k < c.t.k; ++k) expected += sign * valueA(row, k, bit) * valueB(k, column, bit);
                const std::size_t word = std::size_t{thread} * count + (wide ? e : e / 2);
                QVERIFY(answer.out[word] != "null");
                const auto got =
                    floatOf(c.t.d, static_cast<std::uint32_t>(std::stoul(answer.out[word], nullptr, 16)), e % 2);
                QVERIFY2(
                    got == expected,
                    qPrintable(QString("row %1 column %2: %3, not %4").arg(row).arg(column).arg(got).arg(expected)));
            }
    }

private slots:
    void typesAndSizes_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("n");
        QTest::addColumn<bool>("registersA");
        for (int t = 0; t < static_cast<int>(std::size(types)); ++t)
            for (const int n : {8, 24, 64, 256})
                for (const bool registersA : {false, true})
                    QTest::addRow("%s %s %s n%d %s", types[t].d, types[t].a, types[t].b, n,
                                  registersA ? "registers" : "shared")
                        << t << n << registersA;
    }
    void typesAndSizes() {
        QFETCH(int, type);
        QFETCH(int, n);
        QFETCH(bool, registersA);
        Case c;
        c.t = types[type];
        c.n = static_cast<unsigned>(n);
        c.registersA = registersA;
        verify(c);
    }

    void everyN() {
        for (unsigned n = 8; n <= 256; n += 8) {
            Case c;
            c.t = types[2];
            c.n = n;
            c.swizzleA = c.swizzleB = 128;
            verify(c);
        }
    }

    void layouts_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("swizzleA");
        QTest::addColumn<int>("swizzleB");
        QTest::addColumn<bool>("togetherA");
        QTest::addColumn<bool>("togetherB");
        for (const int t : {0, 2, 3, 4, 7})
            for (const int swizzleA : {16, 32, 64, 128})
                for (const int swizzleB : {16, 32, 64, 128})
                    for (int turned = 0; turned < (types[t].bits == 16 ? 4 : 1); ++turned)
                        QTest::addRow("%s swizzles %d %d turned %d", types[t].a, swizzleA, swizzleB, turned)
                            << t << swizzleA << swizzleB << bool(turned & 1) << bool(turned & 2);
    }
    void layouts() {
        QFETCH(int, type);
        QFETCH(int, swizzleA);
        QFETCH(int, swizzleB);
        QFETCH(bool, togetherA);
        QFETCH(bool, togetherB);
        Case c;
        c.t = types[type];
        c.n = 128;
        c.swizzleA = static_cast<unsigned>(swizzleA);
        c.swizzleB = static_cast<unsigned>(swizzleB);
        c.togetherA = togetherA;
        c.togetherB = togetherB;
        verify(c);
    }

    void scalesAndSigns() {
        for (const int t : {0, 1, 2, 3, 4, 7})
            for (int way = 0; way < 16; ++way) {
                Case c;
                c.t = types[t];
                c.n = 16;
                c.scaleD = way & 1;
                c.negateA = way & 2 && !isWhole(c.t.a);
                c.negateB = way & 4 && !isWhole(c.t.a);
                c.registersA = way & 8;
                verify(c);
            }
    }

    /// Sums beyond 32 bits stop at the ends with .satfinite: here they only must not change.
    void saturates() {
        Case c;
        c.t = types[7];
        c.satfinite = true;
        verify(c);
    }
};

QTEST_APPLESS_MAIN(WgmmaTest)
#include "wgmma_test.moc"
