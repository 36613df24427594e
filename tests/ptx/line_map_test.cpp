// From PTX lines to CUDA lines and back.
#include "ptx/line_map.h"
#include "test_data.h"

using namespace ptxwb::ptx;

class LineMapTest : public QObject {
    Q_OBJECT

private slots:
    void decodesNames() {
        QCOMPARE(decodeFileName(R"(my k\303\251rnels (v2)/a b.cu)"), std::string("my k\xC3\xA9rnels (v2)/a b.cu"));
        QCOMPARE(decodeFileName(R"(a\\b\"c)"), std::string("a\\b\"c"));
        QCOMPARE(decodeFileName(R"(\1011)"), std::string("A1"));
        QCOMPARE(decodeFileName("end\\"), std::string("end\\"));
    }

    void bothWays() {
        const auto module = parse(".version 8.0\n.target sm_90\n.visible .entry k() {\n.reg .b32 %r<3>;\n.loc 1 10 "
                                  "5\nmov.u32 %r1, 1;\nmov.u32 %r2, 2;\n"
                                  ".loc 2 7 9, function_name $L__info_string0, inlined_at 1 10 5\nadd.u32 %r1, %r1, "
                                  "%r2;\n.loc 1 11 1\nret;\n}\n"
                                  ".file 1 \"/home/me/k\\303\\251.cu\"\n.file 2 \"/home/me/f.cuh\"\n.section "
                                  ".debug_str\n{\n$L__info_string0:\n.b8 115,113,114,0\n}\n");
        QVERIFY(module->diagnostics.empty());
        const LineMap map(*module);
        QVERIFY(!map.empty());
        QVERIFY(map.sourceOf(4).empty());
        const auto plain = map.sourceOf(7);
        QCOMPARE(plain.size(), std::size_t{1});
        QCOMPARE(plain[0].file, std::string_view("/home/me/k\xC3\xA9.cu"));
        QCOMPARE(plain[0].line, 10u);
        QCOMPARE(plain[0].column, 5u);
        const auto chain = map.sourceOf(9);
        QCOMPARE(chain.size(), std::size_t{2});
        QCOMPARE(chain[0].file, std::string_view("/home/me/f.cuh"));
        QCOMPARE(chain[0].line, 7u);
        QCOMPARE(chain[0].function, std::string_view("sqr"));
        QCOMPARE(chain[1].line, 10u);
        QCOMPARE(map.linesOf("k\xC3\xA9.cu", 10), (std::vector<std::uint32_t>{6, 7, 9}));
        QCOMPARE(map.linesOf("/home/me/f.cuh", 7), (std::vector<std::uint32_t>{9}));
        QVERIFY(map.linesOf("f.cuh", 8).empty());
        QCOMPARE(map.files().size(), std::size_t{2});
    }

    void recordedLineInformation() {
        const auto module = parse(readText(dataFolder() / "nvcc/kernels.lineinfo.ptx"));
        const LineMap map(*module);
        const auto lines = map.linesOf("a.cu", 8); // saxpy
        QVERIFY(!lines.empty());
        for (const std::uint32_t line : lines) QCOMPARE(map.sourceOf(line).back().line, 8u);
        std::size_t inlined = 0, named = 0;
        for (std::uint32_t line = 1; line <= module->lineStarts.size(); ++line) {
            const auto chain = map.sourceOf(line);
            inlined += chain.size() > 1;
            named += chain.size() > 1 && !chain[0].function.empty();
        }
        QVERIFY(inlined > 5);
        QCOMPARE(named, inlined);
    }
};

QTEST_APPLESS_MAIN(LineMapTest)
#include "line_map_test.moc"
