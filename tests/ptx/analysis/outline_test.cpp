// Functions and blocks with their lines.
#include "ptx/analysis/outline.h"

#include "../test_data.h"

using namespace ptxwb::ptx;

class OutlineTest : public QObject {
    Q_OBJECT

private slots:
    void linesAndLoops() {
        const auto module =
            parse(".version 8.0\n.target sm_90\n.address_size 64\n.func helper()\n{\n    ret;\n}\n"
                  ".extern .func outside();\n.visible .entry k()\n{\n    .reg .pred p;\n    mov.pred p, 1;\n"
                  "$L__BB0_1:\nagain:\n    @p bra $L__BB0_1;\n    ret;\n}\n",
                  "o.ptx");
        const auto all = outline(*module);
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].name, std::string("helper"));
        QVERIFY(!all[0].isEntry);
        QCOMPARE(all[0].firstLine, 4u);
        QCOMPARE(all[0].lastLine, 7u);
        QCOMPARE(all[1].name, std::string("k"));
        QVERIFY(all[1].isEntry);
        QCOMPARE(all[1].firstLine, 9u);
        QCOMPARE(all[1].lastLine, 17u);
        QCOMPARE(all[1].blocks.size(), std::size_t{3});
        const OutlineBlock& loop = all[1].blocks[1];
        QCOMPARE(loop.name, std::string("$L__BB0_1, again"));
        QCOMPARE(loop.firstLine, 13u);
        QCOMPARE(loop.lastLine, 15u);
        QCOMPARE(loop.loopDepth, 1u);
        QVERIFY(loop.isLoopHeader);
        QCOMPARE(all[1].blocks[2].loopDepth, 0u);
        QCOMPARE(all[1].blocks[0].firstLine, 12u);
    }

    void anEmptyBody() {
        const auto module = parse(".version 8.0\n.target sm_90\n.visible .entry k() {}\n", "o.ptx");
        QCOMPARE(outline(*module).size(), std::size_t{1});
        QVERIFY(outline(*module)[0].blocks.empty());
    }
};

QTEST_APPLESS_MAIN(OutlineTest)
#include "outline_test.moc"
