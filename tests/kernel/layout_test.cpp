#include "kernel/layout.h"
#include "kernel/spec_load.h"

#include "kernel/fill.h"
#include "story.h"

#include <cmath>

using namespace ptxwb;
using namespace ptxwb::kernel;

namespace {

Kernel kernelOf(const std::string& launch, const std::string& arguments, KernelFiles files = {}) {
    const auto text =
        R"({"schema": 1, "name": "k", "entry": "k", "symbols": {"m": {"function": [1]}, "n": {"function": [1]}}, "launch": )" +
        launch + ", \"arguments\": [" + arguments + "]}";
    auto loaded = loadSpec(text, "k.json", std::move(files));
    if (!loaded.kernel) qFatal("%s", format(loaded.diagnostics.front(), text).c_str());
    return std::move(*loaded.kernel);
}

const std::string plainLaunch = R"x({"grid": ["ceil_div(n, 256)", 1, 1], "block": [256, 1, 1]})x";

std::string refusal(const Expected<LaunchData>& data) {
    return data ? "accepted" : data.error().message;
}

float f32At(const Buffer& buffer, std::uint64_t element) {
    return static_cast<float>(
        asDouble(buffer.type, loadBits(buffer.type, buffer.bytes, elementOffset(buffer, element))));
}

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT

private slots:
    void saxpy() {
        const auto kernel = orFirstError(loadKernel(test::examplesFolder() / "saxpy/saxpy.kernel.json")).value();
        const auto data = buildLaunch(kernel, {{"n", 1000}}, {.seed = 7, .fill = {}}).value();
        QCOMPARE_TEXT(data.entry, "saxpy");
        QVERIFY((data.grid == std::array<std::uint32_t, 3>{4, 1, 1}) &&
                (data.block == std::array<std::uint32_t, 3>{256, 1, 1}));
        QCOMPARE(data.buffers.size(), std::size_t{2});
        QCOMPARE(data.buffers[0].bytes.size(), std::size_t{4000});
        QCOMPARE_TEXT(data.buffers[0].fill, "normal");
        QCOMPARE(data.parameters.size(), std::size_t{4});
        QVERIFY((data.parameters[0].bytes == std::vector<std::uint8_t>{0xE8, 3, 0, 0}));
        QVERIFY((data.parameters[1].bytes == std::vector<std::uint8_t>{0, 0, 0x20, 0x40}));
        QCOMPARE(data.parameters[3].relocations.at(0).buffer, 1U);
        QCOMPARE(data.parameters[3].bytes.size(), std::size_t{8});
        std::vector<std::uint8_t> expected(4000);
        fillBuffer(Fill{}, ElementType::f32, fillKey(7, "x"), expected);
        QVERIFY(data.buffers[0].bytes == expected);
        QVERIFY(buildLaunch(kernel, {{"n", 1000}}, {.seed = 8, .fill = {}}).value().buffers[0].bytes != expected);
    }

    void tensorMaps() {
        const std::string buffer =
            R"(, {"name": "a", "type": "bf16", "shape": ["m", "n"], "strides": ["n + 8", 1], "align": 16, "access": "in"})";
        const auto build = [&](const std::string& map, const std::string& of) {
            return buildLaunch(
                kernelOf(plainLaunch, R"({"name": "t", "type": "tensormap", "of": "a", )" + map + "}" + of),
                {{"m", 70}, {"n", 40}}, {});
        };
        const auto data = build(R"("box": [16, 32], "swizzle": "64B", "element_strides": [2, 1], "oob_fill": "nan",
                                    "l2_promotion": "128B")",
                                buffer);
        QCOMPARE_TEXT(refusal(data), "accepted");
        QCOMPARE(data->parameters.size(), std::size_t{1}); // the buffer is reached through the map
        const Parameter& parameter = data->parameters[0];
        QVERIFY(parameter.align == 128 && parameter.bytes == std::vector<std::uint8_t>(128, 0) && parameter.map);
        const TensorMap& map = *parameter.map;
        QVERIFY(map.buffer == 0 && map.type == ElementType::bf16);
        QVERIFY((map.sizes == std::vector<std::uint64_t>{40, 70}));
        QVERIFY((map.strides == std::vector<std::uint64_t>{2, 96}));
        QVERIFY((map.box == std::vector<std::uint32_t>{32, 16}));
        QVERIFY((map.elementStrides == std::vector<std::uint32_t>{1, 2}));
        QVERIFY(map.swizzle == TensorMap::Swizzle::b64 && map.fill == TensorMap::Fill::nan);
        QCOMPARE(map.l2PromotionBytes, 128U);
        QCOMPARE(build(R"("box": [16, 32], "align": 64)", buffer)->parameters[0].align, 64U);

        QCOMPARE_TEXT(refusal(build(R"("box": [16])", buffer)), "arguments[0].box: 1 numbers, and a has 2 dimensions");
        QCOMPARE_TEXT(refusal(build(R"("box": [16, 32], "element_strides": [2])", buffer)),
                      "arguments[0].element_strides: 1 numbers for 2 dimensions");
        QCOMPARE_TEXT(
            refusal(
                build(R"("box": [16, 32])",
                      R"(, {"name": "a", "type": "f32", "shape": ["m", "n"], "strides": [1, "m"], "access": "in"})")),
            "arguments[0]: elements of a lie 70 apart in the last dimension");
        QCOMPARE_TEXT(refusal(build(R"("box": [16, 32], "interleave": "16B")", buffer)),
                      "arguments[0].interleave: not supported yet: an interleaved tensor map (t)");
    }

    void texturesAndSurfaces() {
        const auto build = [&](const std::string& argument, const std::string& buffer, std::int64_t n = 40) {
            return buildLaunch(kernelOf(plainLaunch, R"({"name": "t", "of": "a", )" + argument +
                                                         R"(}, {"name": "a", )" + buffer + "}"),
                               {{"m", 70}, {"n", n}}, {});
        };
        const std::string quads = R"("type": "u8", "shape": ["m", "n", 4], "access": "in")";
        const auto data = build(R"("type": "texture", "channels": 4, "address": ["wrap", "mirror"], "filter": "linear",
                                    "normalized": true, "read": "normalized_float")",
                                quads);
        QCOMPARE_TEXT(refusal(data), "accepted");
        QCOMPARE(data->parameters.size(), std::size_t{1}); // the buffer is reached through the texture
        const Parameter& parameter = data->parameters[0];
        QVERIFY(parameter.align == 8 && parameter.bytes == std::vector<std::uint8_t>(8, 0) && parameter.texture);
        const Texture& t = *parameter.texture;
        QVERIFY(!t.isSurface && t.buffer == 0 && t.type == ElementType::u8 && t.channels == 4);
        QVERIFY((t.size == std::vector<std::uint64_t>{40, 70}));
        QVERIFY((t.address == std::vector{Texture::Address::wrap, Texture::Address::mirror}));
        QVERIFY(t.memory == Texture::Memory::array && t.filter == Texture::Filter::linear && t.normalized &&
                t.read == Texture::Read::normalizedFloat);
        // Without "channels" every dimension is one of the texture's, and one mode stands for all.
        const auto plain = build(R"("type": "texture", "address": "border")",
                                 R"("type": "f32", "shape": [2, "m", "n"], "access": "in")");
        QVERIFY((plain->parameters[0].texture->size == std::vector<std::uint64_t>{40, 70, 2}));
        QVERIFY((plain->parameters[0].texture->address == std::vector(3, Texture::Address::border)));
        QVERIFY(plain->parameters[0].texture->channels == 1 && !plain->parameters[0].texture->normalized);
        const auto linear =
            build(R"("type": "texture", "memory": "linear")", R"("type": "f32", "count": "n", "access": "in")");
        QVERIFY(linear->parameters[0].texture->memory == Texture::Memory::linear);
        const auto surface =
            build(R"("type": "surface", "channels": 2)", R"("type": "f16", "shape": ["n", 2], "access": "inout")");
        QVERIFY(surface->parameters[0].texture->isSurface && surface->parameters[0].texture->channels == 2);

        QCOMPARE_TEXT(refusal(build(R"("type": "texture", "channels": 2)", quads)),
                      "arguments[0].channels: 2, and the last dimension of a has 4");
        QCOMPARE_TEXT(refusal(build(R"("type": "texture", "channels": 4)", quads, 0)),
                      "arguments[0]: a makes a texture of 0 x 70 texels, and each dimension has 1 to 131072 x 65536");
        QCOMPARE_TEXT(refusal(build(R"("type": "surface")", R"("type": "u8", "count": "n", "access": "out")", 32769)),
                      "arguments[0]: a makes a surface of 32769 texels, and each dimension has 1 to 32768");
    }

    void anEmptyGridLaunchesNothing() {
        const auto kernel = kernelOf(plainLaunch, R"({"name": "x", "type": "f32", "count": "n", "access": "out"})");
        const auto data = buildLaunch(kernel, {{"m", 1}, {"n", 0}}).value();
        QVERIFY(data.isEmpty());
        QCOMPARE(data.buffers[0].bytes.size(), std::size_t{0});
    }

    void structsAndBytes() {
        const auto kernel = kernelOf(plainLaunch, R"({"name": "x", "type": "f32", "count": 2, "access": "in"},
            {"name": "p", "type": "struct", "size": 24, "align": 8, "fields": [{"offset": 0, "type": "u8", "value": 90},
              {"offset": 2, "type": "s16", "value": "-n"}, {"offset": 8, "buffer": "x"}, {"offset": 16, "type": "f64", "value": "n / 4"}]},
            {"name": "raw", "type": "bytes", "hex": "0102 ff"}, {"name": "none", "type": "null"},
            {"name": "big", "type": "u64", "value": 18446744073709551615}, {"name": "h", "type": "f16", "value": -2})");
        const auto data = buildLaunch(kernel, {{"m", 1}, {"n", 2}}).value();
        QCOMPARE(data.buffers.size(), std::size_t{1});
        QCOMPARE(data.parameters.size(), std::size_t{5}); // x is reached through p
        const auto& p = data.parameters[0];
        QVERIFY((p.bytes == std::vector<std::uint8_t>{90, 0, 0xFE, 0xFF, 0, 0, 0, 0, 0, 0, 0,    0,
                                                      0,  0, 0,    0,    0, 0, 0, 0, 0, 0, 0xE0, 0x3F}));
        QCOMPARE(p.align, 8U);
        QCOMPARE(p.relocations.size(), std::size_t{1});
        QCOMPARE(p.relocations[0].offset, 8U);
        QVERIFY((data.parameters[1].bytes == std::vector<std::uint8_t>{1, 2, 255}));
        QCOMPARE(data.parameters[2].bytes.size(), std::size_t{8});
        QVERIFY(data.parameters[3].bytes == std::vector<std::uint8_t>(8, 0xFF));
        QVERIFY((data.parameters[4].bytes == std::vector<std::uint8_t>{0x00, 0xC0}));
    }

    void stridesLeaveGuardedPadding() {
        const auto kernel =
            kernelOf(plainLaunch,
                     R"({"name": "a", "type": "f32", "shape": [3, "n"], "strides": ["n + 2", 1], "access": "inout"})");
        auto data = buildLaunch(kernel, {{"m", 1}, {"n", 4}}).value();
        auto& buffer = data.buffers[0];
        QCOMPARE(buffer.elementCount, std::uint64_t{12});
        QCOMPARE(buffer.bytes.size(), std::size_t{16 * 4}); // ends with the last element
        QCOMPARE(elementOffset(buffer, 5), std::uint64_t{7});
        QVERIFY((elementIndex(buffer, 5) == std::vector<std::uint64_t>{1, 1}));
        QCOMPARE(buffer.bytes[16], paddingByte);
        // The values are those of the dense buffer.
        std::vector<std::uint8_t> dense(48);
        fillBuffer(Fill{}, ElementType::f32, fillKey(1, "a"), dense);
        for (std::uint64_t i = 0; i < 12; ++i)
            QCOMPARE(f32At(buffer, i),
                     static_cast<float>(asDouble(ElementType::f32, loadBits(ElementType::f32, dense, i))));
        poison(buffer, Poison::first);
        QVERIFY(!damagedPadding(buffer, buffer.bytes));
        auto after = buffer.bytes;
        after[17] = 0;
        QCOMPARE(damagedPadding(buffer, after).value(), std::uint64_t{17});
    }

    void poisonTellsWhatWasWritten() {
        for (const auto type : elementTypeNames()) {
            const auto kernel = kernelOf(plainLaunch, R"({"name": "y", "type": ")" + std::string(type) +
                                                          R"(", "count": 4, "access": "out"})");
            auto first = buildLaunch(kernel, {{"m", 1}, {"n", 1}}).value().buffers[0];
            auto second = first;
            poison(first, Poison::first);
            poison(second, Poison::second);
            for (std::size_t i = 0; i < first.bytes.size(); ++i) QVERIFY(first.bytes[i] != second.bytes[i]);
            if (isFloat(first.type)) {
                QVERIFY(std::isnan(decodeFloat(first.type, loadBits(first.type, first.bytes, 0))));
                QVERIFY(std::isnan(decodeFloat(first.type, loadBits(first.type, second.bytes, 0))));
            }
            auto afterFirst = first.bytes, afterSecond = second.bytes;
            // Element 1 gets a value, element 2 gets what the first pattern happens to be.
            storeBits(first.type, afterFirst, 1, 0);
            storeBits(first.type, afterSecond, 1, 0);
            storeBits(first.type, afterSecond, 2, loadBits(first.type, first.bytes, 2));
            QVERIFY((writtenElements(first, afterFirst, afterSecond) == std::vector<std::uint8_t>{0, 1, 1, 0}));
        }
    }

    void sizesAreChecked() {
        const auto kernel = kernelOf(plainLaunch, R"({"name": "x", "type": "f32", "count": "n", "access": "in"})");
        QCOMPARE_TEXT(
            refusal(buildLaunch(kernel, {{"m", 1}, {"n", std::int64_t{1} << 38}})),
            "arguments[0]: x needs 1099511627776 bytes (1 TiB) (m = 1, n = 274877906944), and 4 GiB of 4 GiB are left");
        QCOMPARE_TEXT(refusal(buildLaunch(kernel, {{"m", 1}, {"n", INT64_MAX}})),
                      "launch.grid[0]: \"ceil_div(n, 256)\" = 36028797018963968 is not between 0 and 2147483647 (m = "
                      "1, n = 9223372036854775807)");
        const auto fixed = kernelOf(R"({"grid": [1], "block": [1]})",
                                    R"({"name": "x", "type": "f64", "shape": ["n", "m"], "access": "in"})");
        QCOMPARE_TEXT(refusal(buildLaunch(fixed, {{"m", INT64_MAX}, {"n", 4}})),
                      "arguments[0]: the size of x does not fit 64 bits (m = 9223372036854775807, n = 4)");
        QCOMPARE_TEXT(refusal(buildLaunch(fixed, {{"m", 1}, {"n", -4}})),
                      "arguments[0].shape[0]: \"n\" = -4 is negative (m = 1, n = -4)");
        QCOMPARE_TEXT(refusal(buildLaunch(fixed, {{"m", 1}})),
                      "arguments[0].shape[0]: n has no value in \"n\" at column 1");
        BuildOptions small;
        small.byteLimit = 100;
        QCOMPARE_TEXT(
            refusal(buildLaunch(fixed, {{"m", 1}, {"n", 13}}, small)),
            "arguments[0]: x needs 104 bytes (104 bytes) (m = 1, n = 13), and 100 bytes of 100 bytes are left");
        QVERIFY(buildLaunch(fixed, {{"m", 1}, {"n", 12}}, small));
    }

    void outputsMustLieApart() {
        const auto kernel = kernelOf(
            plainLaunch, R"({"name": "y", "type": "f32", "shape": [4, 8], "strides": [4, 1], "access": "out"})");
        QCOMPARE_TEXT(refusal(buildLaunch(kernel, {{"m", 1}, {"n", 1}})),
                      "arguments[0].strides[0]: 4 elements overlap the 8 of the inner dimensions (m = 1, n = 1)");
        QVERIFY(
            buildLaunch(kernelOf(plainLaunch,
                                 R"({"name": "x", "type": "f32", "shape": [4, 8], "strides": [0, 1], "access": "in"})"),
                        {{"m", 1}, {"n", 1}}));
    }

    void scalarsMustFit() {
        const auto build = [](const std::string& type, const std::string& value) {
            return refusal(buildLaunch(
                kernelOf(plainLaunch, R"({"name": "a", "type": ")" + type + R"(", "value": )" + value + "}"),
                {{"m", 1}, {"n", 300}}));
        };
        QCOMPARE_TEXT(build("u8", "\"n\""), "arguments[0].value: 300 does not fit u8 (0 to 255) (m = 1, n = 300)");
        QCOMPARE_TEXT(build("s8", "-129"), "arguments[0].value: -129 does not fit s8 (-128 to 127) (m = 1, n = 300)");
        QCOMPARE_TEXT(build("u32", "-1"), "arguments[0].value: -1 does not fit u32 (0 to 4294967295) (m = 1, n = 300)");
        QCOMPARE_TEXT(build("b32", "-1"), "accepted");
        QCOMPARE_TEXT(build("b32", "4294967295"), "accepted");
        QCOMPARE_TEXT(build("f16", "1e6"), "arguments[0].value: 1000000 is beyond the largest f16, 65504");
        QCOMPARE_TEXT(build("f16", "\"inf\""), "accepted");
        QCOMPARE_TEXT(build("f32", "\"1 / (n - 300)\""), "accepted"); // an infinity, as IEEE 754 has it
    }

    void launchesAreChecked() {
        const auto build = [](const std::string& launch) {
            return refusal(buildLaunch(kernelOf(launch, ""), {{"m", 70000}, {"n", 2}}));
        };
        QCOMPARE_TEXT(build(R"({"grid": [1, "m"], "block": [1]})"),
                      "launch.grid[1]: \"m\" = 70000 is not between 0 and 65535 (m = 70000, n = 2)");
        QCOMPARE_TEXT(build(R"({"grid": ["n - 3"], "block": [1]})"),
                      "launch.grid[0]: \"n - 3\" = -1 is not between 0 and 2147483647 (m = 70000, n = 2)");
        QCOMPARE_TEXT(build(R"({"grid": [1], "block": [64, 32]})"),
                      "launch.block: 64 x 32 x 1 = 2048 threads (m = 70000, n = 2)");
        QCOMPARE_TEXT(build(R"({"grid": [1], "block": ["n - 2"]})"),
                      "launch.block: 0 x 1 x 1 = 0 threads (m = 70000, n = 2)");
        QCOMPARE_TEXT(build(R"({"grid": [1], "block": [1], "shared_bytes": "m * 100"})"),
                      "launch.shared_bytes: 7000000 bytes (m = 70000, n = 2)");
        QCOMPARE_TEXT(build(R"({"grid": [36], "block": [1], "cluster": [4, 3, 3]})"),
                      "launch.cluster: 4 x 3 x 3 = 36 blocks (m = 70000, n = 2)");
        QCOMPARE_TEXT(build(R"({"grid": [3], "block": [1], "cluster": ["n"]})"),
                      "launch.cluster[0]: 2 does not divide the grid's 3 (m = 70000, n = 2)");
    }

    void theCandidatesOwnLaunch() {
        const auto kernel = kernelOf(plainLaunch, R"({"name": "n", "type": "s32", "value": "n"})");
        const auto launch = [](const std::string& json) {
            return readCandidateHeader("//@ launch " + json + "\n", {"m", "n"}).value().launch.value();
        };
        auto own = launch(R"({"grid": ["n / 512", 1, 1], "block": [128, 1, 1]})");
        BuildOptions options;
        options.launch = &own;
        const auto data = buildLaunch(kernel, {{"m", 1}, {"n", 1024}}, options).value();
        QVERIFY(data.grid[0] == 2 && data.block[0] == 128);
        const auto empty = buildLaunch(kernel, {{"m", 1}, {"n", 100}}, options);
        QCOMPARE_TEXT(refusal(empty),
                      "//@ launch: grid [0, 1, 1] launches nothing (m = 1, n = 100), the spec launches [1, 1, 1]");
        QCOMPARE(empty.error().cause, Cause::rejected);
        QCOMPARE_TEXT(empty.error().kind, "launch");
        QVERIFY(
            buildLaunch(kernel, {{"m", 1}, {"n", 0}}, options).value().isEmpty()); // the spec launches nothing either
        own = launch(R"({"block": [2048]})");
        QCOMPARE_TEXT(refusal(buildLaunch(kernel, {{"m", 1}, {"n", 1}}, options)),
                      "//@ launch: block[0]: \"2048\" = 2048 is not between 0 and 1024 (m = 1, n = 1)");
        own = launch(R"({"cluster": [2, 1, 1], "grid": [4], "cooperative": true})");
        const auto together = buildLaunch(kernel, {{"m", 1}, {"n", 1}}, options).value();
        QVERIFY(together.cluster[0] == 2 && together.cooperative);
        own = launch(R"({"cluster": [2, 1, 1], "grid": [1]})");
        QCOMPARE_TEXT(refusal(buildLaunch(kernel, {{"m", 1}, {"n", 1}}, options)),
                      "//@ launch: cluster[0]: 2 does not divide the grid's 1 (m = 1, n = 1)");
        own = launch(R"({"shared_bytes": 512})");
        QCOMPARE(buildLaunch(kernel, {{"m", 1}, {"n", 1}}, options).value().sharedBytes, 512U);
    }

    void otherFillsOnlyWhereAllowed() {
        const auto kernel = kernelOf(plainLaunch, R"({"name": "x", "type": "f32", "count": 4, "access": "in"},
            {"name": "index", "type": "s32", "count": 4, "access": "in", "fill": {"kind": "integers", "low": 0, "high": 3}},
            {"name": "bounded", "type": "f32", "count": 4, "access": "in", "fill": {"kind": "uniform", "low": 1, "high": 2}},
            {"name": "mask", "type": "u8", "count": 4, "access": "in"},
            {"name": "s", "type": "f32", "count": 4, "access": "scratch"}, {"name": "y", "type": "f32", "count": 4, "access": "out"})");
        BuildOptions options;
        options.fill = Fill{FillKind::huge, {}, {}, {}, {}, {}, {}};
        const auto data = buildLaunch(kernel, {{"m", 1}, {"n", 1}}, options).value();
        std::string fills;
        for (const auto& buffer : data.buffers) fills += buffer.fill + " ";
        QCOMPARE_TEXT(fills, "huge integers uniform huge zeros  ");
        for (std::uint64_t i = 0; i < 4; ++i) QCOMPARE(f32At(data.buffers[4], i), 0.0f);
    }

    void filesAsInput() {
        const std::string content("\0\0\x80\x3f\0\0\0\x40", 8);
        const auto kernel = kernelOf(
            plainLaunch, R"({"name": "x", "type": "f32", "count": "n", "access": "in", "fill": {"file": "x.bin"}})",
            {{"x.bin", content}});
        const auto data = buildLaunch(kernel, {{"m", 1}, {"n", 2}}).value();
        QCOMPARE(f32At(data.buffers[0], 0), 1.0f);
        QCOMPARE(f32At(data.buffers[0], 1), 2.0f);
        QCOMPARE_TEXT(refusal(buildLaunch(kernel, {{"m", 1}, {"n", 3}})),
                      "arguments[0].fill.file: x.bin holds 2 elements (8 bytes), but 3 elements of f32 are needed");
    }
};

QTEST_APPLESS_MAIN(LayoutTest)
#include "layout_test.moc"
