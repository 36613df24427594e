// Which branches can take the lanes of a warp apart.
#include "ptx/analysis/uniformity.h"

#include "kernel_text.h"

using namespace ptxwb::ptx;

class UniformityTest : public QObject {
    Q_OBJECT

private slots:
    void branches_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("divergent"); // instructions
        const auto row = [](const char* name, const char* body, const char* divergent) {
            QTest::newRow(name) << QString(body) << QString(divergent);
        };
        row("by the thread's number", "mov.u32 a1, %tid.x; setp.eq.u32 p1, a1, 0; @p1 bra E; E: ret;", "2");
        row("by the block's number", "mov.u32 a1, %ctaid.x; setp.eq.u32 p1, a1, 0; @p1 bra E; E: ret;", "");
        row("by a parameter", "ld.param.u32 a1, [N]; setp.eq.u32 p1, a1, 0; @p1 bra E; E: ret;", "");
        row("by memory at one address",
            "ld.param.u64 d1, [P]; ld.global.u32 a1, [d1]; setp.eq.u32 p1, a1, 0; @p1 ret; ret;", "");
        row("by memory at many",
            "mov.u32 a1, %tid.x; cvt.u64.u32 d1, a1; ld.global.u32 a2, [d1]; setp.eq.u32 p1, a2, 0; @p1 ret; ret;",
            "4");
        row("a vote is one answer",
            "mov.u32 a1, %tid.x; setp.eq.u32 p1, a1, 0; vote.sync.any.pred p2, p1, -1; @p2 bra E; E: ret;", "");
        row("an atomic gives each lane its own",
            "atom.shared.add.u32 a1, [a2], 1; setp.eq.u32 p1, a1, 0; @p1 ret; ret;", "2");
        row("what one way wrote differs after it",
            "mov.u32 a1, %tid.x; setp.eq.u32 p1, a1, 0; mov.u32 a2, 1; @p1 bra E; mov.u32 a2, 2; E: setp.eq.u32 p2, "
            "a2, 1; "
            "@p2 bra F; F: ret;",
            "3 6");
        row("what a guard wrote differs",
            "mov.u32 a1, %laneid; setp.eq.u32 p1, a1, 0; mov.u32 a2, 1; @p1 mov.u32 a2, 2; setp.eq.u32 p2, a2, 1; @p2 "
            "bra F; "
            "F: ret;",
            "5");
        row("rounds of a loop that lanes leave one by one",
            "mov.u32 a1, %tid.x; mov.u32 a2, 0; L: add.u32 a2, a2, 1; setp.lt.u32 p1, a2, a1; @p1 bra L; "
            "setp.eq.u32 p2, a2, 3; @p2 bra F; F: ret;",
            "4 6");
        row("a loop that all go through alike",
            "mov.u32 a2, 0; L: add.u32 a2, a2, 1; setp.lt.u32 p1, a2, 9; @p1 bra L; ret;", "");
    }

    void branches() {
        QFETCH(QString, body);
        const Subject subject(body.toStdString());
        const Uniformity answer = uniformity(*subject.module, subject.function, subject.flow);
        QStringList divergent;
        for (std::size_t i = 0; i < answer.divergentBranch.size(); ++i)
            if (answer.divergentBranch[i]) divergent << QString::number(i);
        QTEST(divergent.join(' '), "divergent");
    }

    void blocksBetweenBranchAndMeeting() {
        const Subject subject("mov.u32 a1, %tid.x; setp.eq.u32 p1, a1, 0; @p1 bra E; mov.u32 a2, 1; E: ret;");
        const Uniformity answer = uniformity(*subject.module, subject.function, subject.flow);
        QCOMPARE(answer.divergentBlock, (std::vector<bool>{false, true, false}));
    }

    void afterADivergentReturnLanesAreMissing() {
        const Subject subject("mov.u32 a1, %tid.x; setp.eq.u32 p1, a1, 0; @p1 ret; mov.u32 a2, 1; ret;");
        const Uniformity answer = uniformity(*subject.module, subject.function, subject.flow);
        QCOMPARE(answer.divergentBlock, (std::vector<bool>{false, true}));
    }
};

QTEST_APPLESS_MAIN(UniformityTest)
#include "uniformity_test.moc"
