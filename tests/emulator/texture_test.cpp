// Textures and surfaces: the guide's formulas against values worked out by hand, and what is said of wrong uses.
#include "emulator/texture_sampling.h"
#include "kernel_run.h"

#include <QTest>
#include <bit>
#include <limits>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

using Address = Texture::Address;
using Filter = Texture::Filter;
using Read = Texture::Read;
using T = ptx::ScalarType;

template <class Element>
std::vector<std::uint8_t> bytesOf(const std::vector<Element>& elements) {
    std::vector<std::uint8_t> bytes(elements.size() * sizeof(Element));
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    return bytes;
}

/// Four texels in a row.
const std::vector<std::uint8_t> row = bytesOf<float>({10, 20, 40, 80});
/// Two slices of two rows of two texels.
const std::vector<std::uint8_t> cube = bytesOf<float>({0, 16, 32, 48, 64, 80, 96, 112});

Texture rowOf(Address address, Filter filter, bool normalized) {
    Texture t;
    t.size = {4, 1, 1};
    t.address = {address, address, address};
    t.filter = filter;
    t.normalized = normalized;
    return t;
}

float red(const Texture& t, const std::vector<std::uint8_t>& bytes, std::array<float, 3> at) {
    Footprint footprint;
    return std::bit_cast<float>(sampleTexture(t, bytes.data(), at, footprint)[0]);
}

/// An entry with output, input and one handle; `body` has %rd1 (output), %rd3 (handle), %r1 (the thread).
std::string entryWith(const std::string& body, const std::string& declared = {}) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n" + declared +
           ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 handle)\n{\n"
           ".reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<17>; .reg .b64 %rd<9>; .reg .f32 %f<17>;\n"
           "ld.param.u64 %rd1, [out];\nld.param.u64 %rd3, [handle];\nmov.u32 %r1, %tid.x;\n"
           "mul.wide.u32 %rd2, %r1, 16;\nadd.s64 %rd2, %rd1, %rd2;\ncvt.rn.f32.s32 %f9, %r1;\n" +
           body + "\nret;\n}\n";
}

KernelRun launchOf(const std::string& body, const Texture& texture, const std::vector<std::uint8_t>& input = row) {
    KernelRun run;
    run.text = entryWith(body);
    run.entry = "k";
    run.input = input;
    run.textures = {{texture}};
    return run;
}

Texture surfaceOf(std::array<std::uint64_t, 3> size, unsigned dims, T type = T::f32) {
    Texture t;
    t.use = Texture::Use::surface;
    t.type = type;
    t.dims = dims;
    t.size = size;
    return t;
}

std::string findingsOf(const KernelAnswer& answer) {
    std::string text = answer.error;
    for (const Finding& f : answer.result.findings) text += summary(f) + "\n";
    return text;
}

const char* const fetchFour = "st.global.v4.f32 [%rd2], {%f1, %f2, %f3, %f4};";

} // namespace

class TextureTest : public QObject {
    Q_OBJECT

private slots:
    void inOneDimension_data() {
        QTest::addColumn<int>("address");
        QTest::addColumn<bool>("linear");
        QTest::addColumn<bool>("normalized");
        QTest::addColumn<float>("x");
        QTest::addColumn<float>("expected");
        const auto add = [](Address address, Filter filter, bool normalized, float x, float expected) {
            QTest::addRow("mode %d%s%s at %g", static_cast<int>(address), filter == Filter::linear ? " linear" : "",
                          normalized ? " normalized" : "", double{x})
                << static_cast<int>(address) << (filter == Filter::linear) << normalized << x << expected;
        };
        // floor(x), from the edge on the last texel.
        for (const auto& [x, expected] : std::initializer_list<std::pair<float, float>>{
                 {-7, 10}, {-0.1F, 10}, {0, 10}, {0.99F, 10}, {1, 20}, {3.99F, 80}, {4, 80}, {1e30F, 80}})
            add(Address::clamp, Filter::point, false, x, expected);
        for (const auto& [x, expected] :
             std::initializer_list<std::pair<float, float>>{{-0.25F, 10}, {0.25F, 20}, {0.875F, 80}, {1.5F, 80}})
            add(Address::clamp, Filter::point, true, x, expected);
        for (const auto& [x, expected] :
             std::initializer_list<std::pair<float, float>>{{-0.1F, 0}, {0, 10}, {3.5F, 80}, {4, 0}, {-1e30F, 0}})
            add(Address::border, Filter::point, false, x, expected);
        // frac(x) of the width: 1.25 is 0.25, -0.25 is 0.75.
        for (const auto& [x, expected] : std::initializer_list<std::pair<float, float>>{
                 {0.3F, 20}, {1.25F, 20}, {-0.25F, 80}, {-3.9F, 10}, {16777216, 10}})
            add(Address::wrap, Filter::point, true, x, expected);
        // 1 - frac(x) where floor(x) is odd.
        for (const auto& [x, expected] : std::initializer_list<std::pair<float, float>>{
                 {0.3F, 20}, {1.125F, 80}, {1.9F, 10}, {-0.125F, 10}, {-0.9F, 80}, {2.3F, 20}})
            add(Address::mirror, Filter::point, true, x, expected);
        // xB = x - 0.5: at 1.25 texel 0 has a quarter and texel 1 three quarters.
        for (const auto& [x, expected] : std::initializer_list<std::pair<float, float>>{
                 {0, 10}, {0.5F, 10}, {1, 15}, {1.25F, 17.5F}, {2.5F, 40}, {3, 60}, {3.75F, 80}, {9, 80}})
            add(Address::clamp, Filter::linear, false, x, expected);
        // Weights have 8 bits of fraction: 1/1024 becomes none, 3/1024 becomes 1/256.
        add(Address::clamp, Filter::linear, false, 0.5F + 1 / 1024.F, 10);
        add(Address::clamp, Filter::linear, false, 0.5F + 3 / 1024.F, 10 + 10 / 256.F);
        add(Address::clamp, Filter::linear, false, 1.5F - 1 / 1024.F, 20);
        for (const auto& [x, expected] :
             std::initializer_list<std::pair<float, float>>{{0, 5}, {-0.25F, 2.5F}, {-0.5F, 0}, {4, 40}, {4.5F, 0}})
            add(Address::border, Filter::linear, false, x, expected);
        for (const auto& [x, expected] :
             std::initializer_list<std::pair<float, float>>{{0, 45}, {1, 45}, {0.125F, 10}, {-0.125F, 80}, {5.25F, 15}})
            add(Address::wrap, Filter::linear, true, x, expected);
        for (const auto& [x, expected] :
             std::initializer_list<std::pair<float, float>>{{0, 10}, {1, 80}, {1.25F, 60}, {-0.25F, 15}})
            add(Address::mirror, Filter::linear, true, x, expected);
    }
    void inOneDimension() {
        QFETCH(int, address);
        QFETCH(bool, linear);
        QFETCH(bool, normalized);
        QFETCH(float, x);
        QFETCH(float, expected);
        const Texture t = rowOf(static_cast<Address>(address), linear ? Filter::linear : Filter::point, normalized);
        QVERIFY(checkTexture(t));
        QCOMPARE(red(t, row, {x, 0, 0}), expected);
    }

    void inTwoAndThreeDimensions() {
        Texture t = rowOf(Address::clamp, Filter::linear, false);
        t.dims = 2;
        t.size = {2, 2, 1};
        // 16 (3/4 1/4) + 32 (1/4 3/4) + 48 (3/4 3/4)
        QCOMPARE(red(t, cube, {1.25F, 1.25F, 0}), 36.F);
        QCOMPARE(red(t, cube, {1.25F, 9, 0}), 44.F);
        t.address[1] = Address::border;
        QCOMPARE(red(t, cube, {0, 0, 0}), 0.F);
        QCOMPARE(red(t, cube, {9, 0, 0}), 8.F);
        t.dims = 3;
        t.size = {2, 2, 2};
        t.address[1] = Address::clamp;
        QCOMPARE(red(t, cube, {1.25F, 1.25F, 1.5F}), 100.F);
        QCOMPARE(red(t, cube, {1.25F, 1.25F, 1.25F}), 84.F);
        t.filter = Filter::point;
        QCOMPARE(red(t, cube, {1.25F, 0.25F, 1.25F}), 80.F);
        t.address[2] = Address::border;
        QCOMPARE(red(t, cube, {1.25F, 0.25F, 2}), 0.F);
        // A mode for each dimension.
        t.normalized = true;
        t.address = {Address::wrap, Address::mirror, Address::clamp};
        QCOMPARE(red(t, cube, {1.75F, 1.75F, 7}), 80.F);
    }

    void elementsAndChannels() {
        Texture t;
        const auto words = [&](T type, unsigned channels, Read read, const std::vector<std::uint8_t>& bytes) {
            t.type = type;
            t.channels = channels;
            t.read = read;
            Footprint footprint;
            const TexelWords w = fetchTexel(t, bytes.data(), {}, footprint);
            return fmt::format("{:08x} {:08x} {:08x} {:08x}", w[0], w[1], w[2], w[3]);
        };
        const auto is = [](const std::string& got, const char* expected) {
            QVERIFY2(got == expected, (got + " and not " + expected).c_str());
        };
        is(words(T::u8, 4, Read::element, {0, 1, 128, 255}), "00000000 00000001 00000080 000000ff");
        is(words(T::s8, 4, Read::element, {0, 1, 128, 255}), "00000000 00000001 ffffff80 ffffffff");
        is(words(T::u16, 2, Read::element, {1, 0, 0, 128}), "00000001 00008000 00000000 00000000");
        is(words(T::s16, 2, Read::element, {1, 0, 0, 128}), "00000001 ffff8000 00000000 00000000");
        is(words(T::u32, 1, Read::element, {1, 2, 3, 128}), "80030201 00000000 00000000 00000000");
        // 0.2, 1, 0, 128/255
        is(words(T::u8, 4, Read::normalizedFloat, {51, 255, 0, 128}), "3e4ccccd 3f800000 00000000 3f008081");
        is(words(T::s8, 4, Read::normalizedFloat, {127, 129, 128, 0}), "3f800000 bf800000 bf800000 00000000");
        is(words(T::u16, 2, Read::normalizedFloat, {255, 255, 51, 51}), "3f800000 3e4ccccd 00000000 00000000");
        is(words(T::s16, 2, Read::normalizedFloat, {255, 127, 0, 128}), "3f800000 bf800000 00000000 00000000");
        is(words(T::f16, 2, Read::element, {0, 0xC1, 1, 0}), "c0200000 33800000 00000000 00000000");
        is(words(T::f16, 2, Read::element, {0, 0x7C, 0xFF, 0xFB}), "7f800000 c77fe000 00000000 00000000");
        is(words(T::f32, 1, Read::element, {1, 0, 0xA0, 0x7F}), "7fa00001 00000000 00000000 00000000");
    }

    void kernelsFetch() {
        Texture linear = rowOf(Address::clamp, Filter::point, false);
        linear.memory = Texture::Memory::linear;
        KernelRun run = launchOf("sub.s32 %r2, %r1, 1;\ntex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd3, {%r2}];\n" +
                                     std::string(fetchFour),
                                 linear);
        run.block = {6, 1, 1};
        run.options.counting = true;
        const KernelAnswer answer = runKernel(run);
        QCOMPARE(QString::fromStdString(findingsOf(answer)), QString());
        // Texels -1 to 4: zero outside.
        const char* expected[] = {"00000000", "41200000", "41a00000", "42200000", "42a00000", "00000000"};
        for (std::size_t i = 0; i < 6; ++i)
            QCOMPARE(QString::fromStdString(answer.out[4 * i]), QString::fromLatin1(expected[i]));
        // A class of its own, and no sector: what is stored is all.
        const Work& work = answer.result.work.value();
        QCOMPARE(work.mix[static_cast<std::size_t>(InstructionClass::texture)].threadInstructions, 6ULL);
        QCOMPARE(work.total.globalRequests, 1ULL);
        QCOMPARE(work.total.globalBytes, 96ULL);
    }

    void kernelsAsk() {
        Texture body = surfaceOf({5, 3, 2}, 3);
        const KernelAnswer surface =
            runKernel(launchOf("suq.width.b32 %r2, [%rd3];\nsuq.height.b32 %r3, [%rd3];\nsuq.depth.b32 %r4, [%rd3];\n"
                               "st.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r1};",
                               body, std::vector<std::uint8_t>(120)));
        QCOMPARE(QString::fromStdString(findingsOf(surface)), QString());
        QCOMPARE(QString::fromStdString(surface.out[0] + surface.out[1] + surface.out[2]),
                 QStringLiteral("000000050000000300000002"));
        body.use = Texture::Use::texture;
        const KernelAnswer texture = runKernel(
            launchOf("txq.height.b32 %r2, [%rd3];\nst.global.u32 [%rd2], %r2;", body, std::vector<std::uint8_t>(120)));
        QCOMPARE(QString::fromStdString(texture.out[0]), QStringLiteral("00000003"));
    }

    void surfaces_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QStringList>("words"); ///< of the output: the surface, two rows of 4
        const QString at = "add.s32 %r2, %r1, -1;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r3, 1;\n"
                           "add.s32 %r4, %r1, 100;\n";
        // Threads 0 to 5 write columns -1 to 4 of row 1.
        QTest::newRow("zero") << at + "sust.b.2d.b32.zero [%rd3, {%r2, %r3}], %r4;"
                              << QStringList{"null", "null", "null", "null", "101", "102", "103", "104"};
        QTest::newRow("clamp") << at + "setp.eq.u32 %p1, %r1, 1;\nsetp.eq.or.u32 %p1, %r1, 4, %p1;\n"
                                       "@!%p1 sust.b.2d.b32.clamp [%rd3, {%r2, %r3}], %r4;"
                               << QStringList{"null", "null", "null", "null", "100", "102", "103", "105"};
        QTest::newRow("rows are clamped too")
            << QString("mov.u32 %r3, 7;\nshl.b32 %r2, %r1, 2;\nsetp.lt.u32 %p1, %r1, 4;\n"
                       "@%p1 sust.b.2d.b32.clamp [%rd3, {%r2, %r3}], %r1;")
            << QStringList{"null", "null", "null", "null", "0", "1", "2", "3"};
        QTest::newRow("pairs, and back") << QString(
                                                "setp.lt.u32 %p1, %r1, 2;\nshl.b32 %r2, %r1, 3;\nmov.u32 %r3, 0;\n"
                                                "@%p1 sust.b.2d.v2.b32.trap [%rd3, {%r2, %r3}], {%r1, 9};\n"
                                                "@%p1 suld.b.2d.v4.b16.trap {%h1, %h2, %h3, %h4}, [%rd3, {%r2, %r3}];\n"
                                                "@%p1 cvt.u32.u16 %r5, %h3;\nmov.u32 %r6, 1;\n"
                                                "@%p1 sust.b.2d.b32.trap [%rd3, {%r2, %r6}], %r5;")
                                         << QStringList{"0", "9", "1", "9", "9", "null", "9", "null"};
    }
    void surfaces() {
        QFETCH(QString, body);
        QFETCH(QStringList, words);
        KernelRun run = launchOf(body.toStdString(), surfaceOf({4, 2, 1}, 2));
        run.textures[0].ofInput = false;
        run.outWords = 8;
        run.block = {6, 1, 1};
        const KernelAnswer answer = runKernel(run);
        QCOMPARE(QString::fromStdString(findingsOf(answer)), QString());
        for (int i = 0; i < 8; ++i) {
            const QString got = QString::fromStdString(answer.out[static_cast<std::size_t>(i)]);
            QCOMPARE(got == "null" ? got : QString::number(got.toUInt(nullptr, 16)), words[i]);
        }
    }

    void wrongUses_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<Texture>("texture");
        QTest::addColumn<QString>("says");
        const Texture plain = rowOf(Address::clamp, Filter::point, false);
        Texture integers = plain, linear = plain, filtered = plain, plane = plain;
        integers.type = T::u32;
        linear.memory = Texture::Memory::linear;
        filtered.filter = Filter::linear;
        plane.dims = 2;
        plane.size = {2, 2, 1};
        const QString fetch = "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%f9}];";
        const QString store = "sust.b.1d.b32.trap [%rd3, {%r1}], %r1;";
        QTest::newRow("no handle") << "mov.u64 %rd3, 42;\n" + fetch << plain
                                   << "launch line 14 thread 0: 0x2a is the handle of no texture or surface\n";
        QTest::newRow("a pointer") << "mov.u64 %rd3, %rd1;\n" + fetch << plain << "is the handle of no texture";
        QTest::newRow("a surface for a fetch")
            << fetch << surfaceOf({4, 1, 1}, 1)
            << "launch line 13 thread 0: the handle is that of a surface, and this instruction takes a texture\n";
        QTest::newRow("a texture for a store")
            << store << plain
            << "launch line 13 thread 0: the handle is that of a texture, and this instruction takes a surface\n";
        QTest::newRow("dimensions") << fetch << plane << "a texture of 2 dimensions is accessed by 1 coordinates";
        QTest::newRow("integers as floats")
            << fetch << integers << "the fetch wants f32, and the texture gives integers";
        QTest::newRow("floats as integers") << "tex.1d.v4.u32.f32 {%r2, %r3, %r4, %r5}, [%rd3, {%f9}];" << plain
                                            << "the fetch wants integers, and the texture gives f32";
        QTest::newRow("linear memory") << fetch << linear << "linear memory is read by a floating-point coordinate";
        QTest::newRow("a filter and integers") << "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd3, {%r1}];" << filtered
                                               << "is read by integer coordinates: what that gives is not told";
        QTest::newRow("NaN") << "mov.f32 %f9, 0f7FC00000;\n" + fetch << plain << "a coordinate is infinite or NaN";
        QTest::newRow("a depth that is not there")
            << "txq.depth.b32 %r2, [%rd3];" << plane << "a texture of 2 dimensions is asked for dimension 3";
        QTest::newRow("behind the end")
            << "mov.u32 %r2, 16;\nsuld.b.1d.b32.trap %r3, [%rd3, {%r2}];" << surfaceOf({4, 1, 1}, 1)
            << "out_of_bounds line 14 thread 0: accesses 4 bytes at (16) of a surface of 16 bytes: .trap ends the "
               "kernel there\n";
        QTest::newRow("in front")
            << "mov.u32 %r2, -1;\nmov.u32 %r3, 0;\nsuld.b.2d.v2.b32.trap {%r4, %r5}, [%rd3, {%r3, %r2}];"
            << surfaceOf({2, 2, 1}, 2) << "accesses 8 bytes at (0, -1) of a surface of 8 bytes x 2: .trap ends";
        QTest::newRow("columns for bytes")
            << "mov.u32 %r2, 1;\nsuld.b.1d.b32.zero %r3, [%rd3, {%r2}];" << surfaceOf({4, 1, 1}, 1)
            << "misaligned line 14 thread 0: the x coordinate of a surface counts bytes, and 1 is no multiple of the 4";
        QTest::newRow("a store into an input") << "sust.b.1d.b32.trap [%rd3, {0}], %r1;" << surfaceOf({4, 1, 1}, 1)
                                               << "input_modified line 13 thread 0: writes 4 bytes at offset 0 of in";
        QTest::newRow("sust.p") << "sust.p.1d.b32.trap [%rd3, {%r1}], {%r1};" << surfaceOf({4, 1, 1}, 1)
                                << "unsupported line 13 thread 0: the emulator has no sust.p.1d.b32.trap in this form";
        QTest::newRow("mipmaps") << "tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%f9, %f9}], %f9;" << plane
                                 << "unsupported line 13 thread 0: the emulator has no tex.level.2d";
        QTest::newRow("layers") << "tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%r1, %f9, %f9, %f9}];" << plane
                                << "the emulator has no tex.a2d";
        QTest::newRow("an offset") << "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%f9}], {1};" << plain
                                   << "unsupported line 13";
    }
    void wrongUses() {
        QFETCH(QString, body);
        QFETCH(Texture, texture);
        QFETCH(QString, says);
        const KernelAnswer answer = runKernel(launchOf(body.toStdString(), texture));
        const QString said = QString::fromStdString(findingsOf(answer));
        QVERIFY2(said.contains(says) && !answer.result.findings.empty(), qPrintable(said));
        QCOMPARE(answer.result.findings.size(), std::size_t{1});
    }

    void declaredTexturesAreUnsupported() {
        KernelRun run = launchOf({}, rowOf(Address::clamp, Filter::point, false));
        run.text = entryWith("tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f9}];", ".global .texref image;\n");
        const QString said = QString::fromStdString(findingsOf(runKernel(run)));
        QVERIFY2(said.contains("unsupported line 14 thread 0") && said.contains(".texref, .samplerref or .surfref"),
                 qPrintable(said));
    }

    void fetchesAreChecked() {
        Texture t = rowOf(Address::clamp, Filter::linear, false);
        KernelRun run =
            launchOf("add.f32 %f9, %f9, 0f3F800000;\ntex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%f9}];", t);
        run.textures[0].ofInput = false;
        // Texels 0 and 1 are mixed at 1.0, and nothing has written them.
        QString said = QString::fromStdString(findingsOf(runKernel(run)));
        QVERIFY2(said.startsWith("uninitialized line 14 thread 0: reads 4 bytes at offset 0 of out"), qPrintable(said));
        run.text = entryWith("st.global.f32 [%rd1], %f9;\nst.global.f32 [%rd1+4], %f9;\nadd.f32 %f9, %f9, 0f3F800000;\n"
                             "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%f9}];");
        QCOMPARE(QString::fromStdString(findingsOf(runKernel(run))), QString());
        // A buffer of fewer texels than the texture.
        t.size[0] = 5;
        said = QString::fromStdString(
            findingsOf(runKernel(launchOf("tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%f9}];", t))));
        QVERIFY2(
            said.startsWith("out_of_bounds line 13 thread 0: reads 20 bytes at offset 0, 4 bytes past the end of in"),
            qPrintable(said));
    }

    void surfacesAreChecked() {
        KernelRun run = launchOf("suld.b.1d.b32.trap %r2, [%rd3, {0}];", surfaceOf({8, 1, 1}, 1));
        run.textures[0].ofInput = false;
        QString said = QString::fromStdString(findingsOf(runKernel(run)));
        QVERIFY2(said.startsWith("uninitialized line 13 thread 0: reads 4 bytes at offset 0 of out"), qPrintable(said));
        // Every thread writes its number into one texel.
        run.text = entryWith("sust.b.1d.b32.trap [%rd3, {0}], %r1;");
        run.block = {2, 1, 1};
        said = QString::fromStdString(findingsOf(runKernel(run)));
        QVERIFY2(said.startsWith("race line 13"), qPrintable(said));
        run.options.watched = {};
        run.text = entryWith("shl.b32 %r2, %r1, 2;\nsust.b.1d.b32.trap [%rd3, {%r2}], %r1;");
        run.watchedWords = {1};
        const KernelAnswer answer = runKernel(run);
        QCOMPARE(QString::fromStdString(findingsOf(answer)), QString());
        QVERIFY(answer.result.lastWriters.at(0).has_value());
        QCOMPARE(answer.result.lastWriters.at(0)->thread[0], 1U);
    }

    void refused_data() {
        QTest::addColumn<Texture>("texture");
        QTest::addColumn<QString>("says");
        Texture t = rowOf(Address::clamp, Filter::point, false);
        const auto add = [&](const char* what, auto change, const char* says) {
            Texture changed = t;
            change(changed);
            QTest::newRow(what) << changed << says;
        };
        add("f64", [](Texture& x) { x.type = T::f64; }, "element type is not emulated");
        add("three channels", [](Texture& x) { x.channels = 3; }, "1, 2 or 4 channels, not 3");
        add("no texels", [](Texture& x) { x.size[0] = 0; }, "dimension 0 of a texture has 0 texels");
        add("a filter of integers", [](Texture& x) { x.type = T::u8, x.filter = Filter::linear; }, "no linear filter");
        add("normalized words", [](Texture& x) { x.type = T::u32, x.read = Read::normalizedFloat; }, "8 or 16 bits");
        add("wrap", [](Texture& x) { x.address[0] = Address::wrap; }, "coordinates are not normalized");
        add(
            "linear", [](Texture& x) { x.memory = Texture::Memory::linear, x.filter = Filter::linear; },
            "one dimension, a point filter");
    }
    void refused() {
        QFETCH(Texture, texture);
        QFETCH(QString, says);
        const KernelAnswer answer = runKernel(launchOf("mov.u32 %r2, 0;", texture));
        QVERIFY2(QString::fromStdString(answer.error).contains(says), answer.error.c_str());
    }
};

QTEST_APPLESS_MAIN(TextureTest)
#include "texture_test.moc"
