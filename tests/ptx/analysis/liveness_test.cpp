// What is live where, how many registers that takes, and what a range of lines gets and leaves.
#include "ptx/analysis/liveness.h"

#include "kernel_text.h"

using namespace ptxwb::ptx;

class LivenessTest : public QObject {
    Q_OBJECT

private slots:
    void before_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("instruction");
        QTest::addColumn<QString>("live");
        const auto row = [](const char* name, const char* body, int instruction, const char* live) {
            QTest::newRow(name) << QString(body) << instruction << QString(live);
        };
        row("nothing is needed", "mov.u32 a1, 1; ret;", 0, "");
        row("between write and read", "mov.u32 a1, 1; mov.u32 a2, a1; ret;", 1, "a1");
        row("a write ends it", "mov.u32 a1, a2; mov.u32 a1, 5; st.shared.u32 [a3], a1; ret;", 1, "a3");
        row("read and written at once", "add.u32 a1, a1, 1; st.shared.u32 [a3], a1; ret;", 0, "a1 a3");
        row("a guarded write keeps the old value", "@p1 mov.u32 a1, 5; st.shared.u32 [a3], a1; ret;", 0, "a1 a3 p1");
        row("a guard is read", "@p1 ret; ret;", 0, "p1");
        row("around a loop", "L: add.u32 a2, a2, a1; @p1 bra L; ret;", 1, "a1 a2 p1");
        row("one way only", "@p1 bra E; mov.u32 a1, a2; E: ret;", 0, "a2 p1");
        row("a vector's elements", "mov.b64 {a1, a2}, d1; mov.u32 a3, a2; ret;", 1, "a2");
        row("addresses are read", "st.shared.u32 [a1+4], a2; ret;", 0, "a1 a2");
        row("the pair's predicate is written", "setp.eq.u32 p1|p2, a1, a2; @p2 ret; ret;", 0, "a1 a2");
    }

    void before() {
        QFETCH(QString, body);
        QFETCH(int, instruction);
        const Subject subject(body.toStdString());
        const Liveness live = liveness(subject.function, subject.flow);
        QTEST(subject.names(live.liveBefore(subject.flow, static_cast<std::uint32_t>(instruction))), "live");
    }

    void pressure() {
        const Subject subject("mov.u32 a1, 1;\nmov.u64 d1, 2;\nsetp.eq.u32 p1, a1, 3;\n@p1 st.shared.u64 [a1], d1;\n"
                              "mov.u32 a2, 7;\nret;");
        const auto all = registerPressure(subject.function, subject.flow, liveness(subject.function, subject.flow));
        const std::vector<Pressure> expected{{1, 0}, {3, 0}, {3, 1}, {3, 1}, {1, 0}, {0, 0}};
        QVERIFY(all == expected);
    }

    void region_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("last");
        QTest::addColumn<QString>("in");
        QTest::addColumn<QString>("out");
        // Line 7 is the first behind the declarations of `kernel` and `Subject`.
        QTest::newRow("the loop") << 8 << 9 << "a1 a2 p1" << "a2";
        QTest::newRow("its first line") << 8 << 8 << "a1 a2" << "a2";
        QTest::newRow("its condition") << 9 << 9 << "p1" << "";
        QTest::newRow("the start") << 7 << 7 << "" << "a1 a2";
        QTest::newRow("all") << 7 << 11 << "p1" << "";
        QTest::newRow("no instruction there") << 100 << 200 << "" << "";
        QTest::newRow("what passes through is neither") << 9 << 9 << "p1" << "";
    }

    void region() {
        QFETCH(int, first);
        QFETCH(int, last);
        const Subject subject("mov.u32 a1, 1; mov.u32 a2, 0;\nL: add.u32 a2, a2, a1;\n@p1 bra L;\n"
                              "st.shared.u32 [a2], a2;\nret;");
        QCOMPARE(subject.module->lineOf(subject.function.instructions[0].span.offset), 7u);
        const RegionLiveness region =
            regionLiveness(*subject.module, subject.function, subject.flow, liveness(subject.function, subject.flow),
                           static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
        QTEST(subject.names(region.liveIn), "in");
        QTEST(subject.names(region.liveOut), "out");
    }

    void manyDeclaredRegistersCostNothing() {
        const auto module = kernel(".reg .b32 %r<4000000>; mov.u32 %r3999999, 1; ret;");
        const Function& function = module->functions.back();
        const Liveness live = liveness(function, controlFlow(*module, function));
        QCOMPARE(live.registers.size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(LivenessTest)
#include "liveness_test.moc"
