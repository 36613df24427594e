// wmma.load, wmma.mma and wmma.store together give A * B + C, whatever the shape, the types, the layouts in memory and
// the way the stride is given: compared with the product of small whole numbers, which every type holds exactly.
#include "kernel_run.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

struct Product {
    const char* shape;
    unsigned m, n, k;
    const char* factors;     ///< "f16"
    const char* accumulator; ///< "f32"
    unsigned a, b, c;        ///< registers
};
constexpr Product shapes[] = {
    {"m16n16k16", 16, 16, 16, "f16", "f32", 8, 8, 8},  {"m32n8k16", 32, 8, 16, "f16", "f32", 8, 8, 8},
    {"m8n32k16", 8, 32, 16, "f16", "f32", 8, 8, 8},    {"m16n16k16", 16, 16, 16, "f16", "f16", 8, 8, 4},
    {"m32n8k16", 32, 8, 16, "f16", "f16", 8, 8, 4},    {"m8n32k16", 8, 32, 16, "f16", "f16", 8, 8, 4},
    {"m16n16k16", 16, 16, 16, "bf16", "f32", 4, 4, 8}, {"m32n8k16", 32, 8, 16, "bf16", "f32", 8, 2, 8},
    {"m8n32k16", 8, 32, 16, "bf16", "f32", 2, 8, 8},   {"m16n16k16", 16, 16, 16, "s8", "s32", 2, 2, 8},
    {"m32n8k16", 32, 8, 16, "u8", "s32", 4, 1, 8},     {"m8n32k16", 8, 32, 16, "s8", "s32", 1, 4, 8},
    {"m16n16k8", 16, 16, 8, "tf32", "f32", 4, 4, 8},   {"m8n8k4", 8, 8, 4, "f64", "f64", 1, 1, 2},
};

unsigned bytesOf(std::string_view type) {
    return type == "f64" ? 8 : type == "f16" || type == "bf16" ? 2 : type == "s8" || type == "u8" ? 1 : 4;
}

/// A small whole number from 0 to 7 as bits of the type.
std::uint64_t bitsOf(std::string_view type, unsigned value) {
    if (type == "s8" || type == "u8" || type == "s32") return value;
    const double number = value;
    const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(number));
    if (type == "f64") return std::bit_cast<std::uint64_t>(number);
    if (type == "bf16") return single >> 16;
    if (type != "f16") return single;
    return value ? (((single >> 23) - 127 + 15) << 10) | (single >> 13 & 0x3FF) : 0;
}

std::string registers(char letter, unsigned count) {
    std::string out;
    for (unsigned i = 0; i < count; ++i) out += fmt::format("{}%{}{}", i ? ", " : "", letter, i);
    return out;
}

/// Value of an element of A, B and C, which lie 8 KiB apart in the input.
unsigned a(unsigned row, unsigned column) {
    return (row * 3 + column * 5) % 7;
}
unsigned b(unsigned row, unsigned column) {
    return (row + column * 2) % 5;
}
unsigned c(unsigned row, unsigned column) {
    return (row * 2 + column) % 6;
}

template <class F>
void fill(std::vector<std::uint8_t>& input, std::size_t at, std::string_view type, unsigned rows, unsigned columns,
          bool byRow, unsigned stride, F value) {
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column) {
            const std::uint64_t bits = bitsOf(type, value(row, column));
            const unsigned index = byRow ? row * stride + column : column * stride + row;
            std::memcpy(input.data() + at + std::size_t{index} * bytesOf(type), &bits, bytesOf(type));
        }
}

} // namespace

class WmmaTest : public QObject {
    Q_OBJECT

private slots:
    void products_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<bool>("rowA");
        QTest::addColumn<bool>("rowB");
        QTest::addColumn<bool>("rowC");
        QTest::addColumn<QString>("stride");
        for (int i = 0; i < static_cast<int>(std::size(shapes)); ++i)
            for (int layout = 0; layout < 8; ++layout)
                for (const char* stride : {"", "number", "register"}) {
                    const Product& p = shapes[i];
                    if (std::string_view(p.factors) == "f64" && (layout & 3) != 1) continue; // row.col alone
                    QTest::addRow("%s %s.%s layouts %d stride %s", p.shape, p.accumulator, p.factors, layout, stride)
                        << i << bool(layout & 1) << bool(layout & 2) << bool(layout & 4) << QString(stride);
                }
    }
    void products() {
        QFETCH(int, number);
        QFETCH(bool, rowA);
        QFETCH(bool, rowB);
        QFETCH(bool, rowC);
        QFETCH(QString, stride);
        const Product& p = shapes[number];
        const bool half = std::string_view(p.factors) == "f16";
        const auto order = [](bool byRow) { return byRow ? "row" : "col"; };
        const auto leading = [&](bool byRow, unsigned rows, unsigned columns) {
            return (byRow ? columns : rows) + (stride.isEmpty() ? 0 : 16);
        };
        const unsigned strideA = leading(rowA, p.m, p.k), strideB = leading(rowB, p.k, p.n),
                       strideC = leading(rowC, p.m, p.n);
        const char factorLetter = std::string_view(p.factors) == "f64" ? 'd' : 'a';
        const auto letter = [&](char other) { return factorLetter == 'd' ? static_cast<char>(other + 4) : other; };
        const auto strideText = [&](unsigned value, const char* name) {
            return stride.isEmpty()     ? std::string()
                   : stride == "number" ? fmt::format(", {}", value)
                                        : fmt::format(", %{}", name);
        };
        const std::string word = factorLetter == 'd' ? "b64" : "b32";
        const std::string types = half ? fmt::format("{}.{}", p.accumulator, p.accumulator)
                                       : fmt::format("{0}.{1}.{1}.{0}", p.accumulator, p.factors);
        KernelRun r;
        r.entry = "k";
        r.block = {32, 1, 1};
        r.text = fmt::format(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 in)\n{{\n"
            ".reg .b64 %rd<4>; .reg .{} %{}<8>, %{}<8>, %{}<8>; .reg .b32 %sa, %sb, %sc;\n"
            "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [in];\n"
            "mov.u32 %sa, {}; mov.u32 %sb, {}; mov.u32 %sc, {};\n",
            word, letter('a'), letter('b'), letter('c'), strideA, strideB, strideC);
        r.text += fmt::format("wmma.load.a.sync.aligned.{}.{}.global.{} {{{}}}, [%rd1]{};\n", order(rowA), p.shape,
                              p.factors, registers(letter('a'), p.a), strideText(strideA, "sa"));
        r.text += fmt::format("wmma.load.b.sync.aligned.{}.{}.{} {{{}}}, [%rd1+8192]{};\n", order(rowB), p.shape,
                              p.factors, registers(letter('b'), p.b), strideText(strideB, "sb"));
        r.text += fmt::format("wmma.load.c.sync.aligned.{}.{}.global.{} {{{}}}, [%rd1+16384]{};\n", order(rowC),
                              p.shape, p.accumulator, registers(letter('c'), p.c), strideText(strideC, "sc"));
        r.text += fmt::format("wmma.mma.sync.aligned.{}.{}.{}.{} {{{}}}, {{{}}}, {{{}}}, {{{}}};\n", order(rowA),
                              order(rowB), p.shape, types, registers(letter('c'), p.c), registers(letter('a'), p.a),
                              registers(letter('b'), p.b), registers(letter('c'), p.c));
        r.text += fmt::format("wmma.store.d.sync.aligned.{}.{}.global.{} [%rd0], {{{}}}{};\nret;\n}}\n", order(rowC),
                              p.shape, p.accumulator, registers(letter('c'), p.c), strideText(strideC, "sc"));
        r.input.resize(24576);
        fill(r.input, 0, p.factors, p.m, p.k, rowA, strideA, a);
        fill(r.input, 8192, p.factors, p.k, p.n, rowB, strideB, b);
        fill(r.input, 16384, p.accumulator, p.m, p.n, rowC, strideC, c);
        r.outWords = 2048;
        const KernelAnswer answer = runKernel(r);
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        for (const Finding& f : answer.result.findings) QVERIFY2(false, summary(f).c_str());
        std::vector<std::uint8_t> bytes(r.outWords * 4);
        for (std::size_t i = 0; i < r.outWords; ++i) {
            const auto w =
                answer.out[i] == "null" ? 0U : static_cast<std::uint32_t>(std::stoul(answer.out[i], nullptr, 16));
            std::memcpy(bytes.data() + i * 4, &w, 4);
        }
        for (unsigned row = 0; row < p.m; ++row)
            for (unsigned column = 0; column < p.n; ++column) {
                unsigned sum = c(row, column);
                for (unsigned i = 0; i < p.k; ++i) sum += a(row, i) * b(i, column);
                std::uint64_t got = 0;
                const unsigned index = rowC ? row * strideC + column : column * strideC + row;
                std::memcpy(&got, bytes.data() + std::size_t{index} * bytesOf(p.accumulator), bytesOf(p.accumulator));
                QVERIFY2(got == bitsOf(p.accumulator, sum),
                         fmt::format("element {}, {}: got {:x}, must be {:x}\n{}", row, column, got,
                                     bitsOf(p.accumulator, sum), r.text)
                             .c_str());
            }
    }
};

QTEST_APPLESS_MAIN(WmmaTest)
#include "wmma_test.moc"
