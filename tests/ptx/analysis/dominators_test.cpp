// Immediate dominators and loops of small graphs.
#include "ptx/analysis/dominators.h"

#include "kernel_text.h"

using namespace ptxwb::ptx;

namespace {

QString show(const std::vector<Index>& immediate) {
    QStringList all;
    for (const Index block : immediate) all << (block == noIndex ? QString(".") : QString::number(block));
    return all.join(' ');
}

/// "1:1,2 2:2^0": header, blocks, the loop around it.
QString show(const std::vector<Loop>& all) {
    QStringList texts;
    for (const Loop& loop : all) {
        QStringList blocks;
        for (const Index block : loop.blocks) blocks << QString::number(block);
        texts << QString::number(loop.header) + ":" + blocks.join(',') +
                     (loop.parent == noIndex ? QString() : "^" + QString::number(loop.parent));
    }
    return texts.join(' ');
}

} // namespace

class DominatorsTest : public QObject {
    Q_OBJECT

private slots:
    void graphs_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("immediate");
        QTest::addColumn<QString>("loops");
        const auto row = [](const char* name, const char* body, const char* immediate, const char* all) {
            QTest::newRow(name) << QString(body) << QString(immediate) << QString(all);
        };
        row("empty", "", "", "");
        row("straight", "mov.u32 a1, 1; ret;", ".", "");
        row("if else", "@p1 bra E; mov.u32 a1, 1; bra J; E: mov.u32 a1, 2; J: ret;", ". 0 0 0", "");
        row("loop", "mov.u32 a1, 0; L: add.u32 a1, a1, 1; @p1 bra L; ret;", ". 0 1", "1:1");
        row("nested", "A: mov.u32 a1, 0; B: add.u32 a1, a1, 1; @p1 bra B; @p2 bra A; ret;", ". 0 1 2", "0:0,1,2 1:1^0");
        row("two ways back are one loop", "L: @p1 bra L; @p2 bra L; ret;", ". 0 1", "0:0,1");
        row("two loops in a row", "A: @p1 bra A; B: @p1 bra B; ret;", ". 0 1", "0:0 1:1");
        row("unreachable", "ret; mov.u32 a1, 1; ret;", ". .", "");
        row("entered in two places", "@p1 bra B; A: mov.u32 a1, 1; B: @p2 bra A; ret;", ". 0 0 2", "");
        row("leaves from the middle", "L: @p1 bra X; mov.u32 a1, 1; bra L; X: ret;", ". 0 0", "0:0,1");
    }

    void graphs() {
        QFETCH(QString, body);
        const Subject subject(body.toStdString());
        const auto immediate = immediateDominators(subject.flow);
        QTEST(show(immediate), "immediate");
        QTEST(show(loops(subject.flow, immediate)), "loops");
    }

    void aBlockDominatesItself() {
        const Subject subject("@p1 bra E; mov.u32 a1, 1; E: ret;");
        const auto immediate = immediateDominators(subject.flow);
        QVERIFY(dominates(immediate, 2, 2));
        QVERIFY(dominates(immediate, 0, 2));
        QVERIFY(!dominates(immediate, 1, 2));
    }
};

QTEST_APPLESS_MAIN(DominatorsTest)
#include "dominators_test.moc"
