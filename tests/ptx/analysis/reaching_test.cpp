// Which writes a read may see, and the live ranges made of them.
#include "ptx/analysis/reaching.h"

#include "kernel_text.h"

using namespace ptxwb::ptx;

namespace {

QString show(const std::vector<std::uint32_t>& all) {
    QStringList texts;
    for (const std::uint32_t one : all) texts << QString::number(one);
    return texts.join(',');
}

} // namespace

class ReachingTest : public QObject {
    Q_OBJECT

private slots:
    void definitions_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("instruction");
        QTest::addColumn<QString>("seen");
        const auto row = [](const char* name, const char* body, int instruction, const char* seen) {
            QTest::newRow(name) << QString(body) << instruction << QString(seen);
        };
        row("the last one", "mov.u32 a1, 1; mov.u32 a1, 2; mov.u32 a2, a1; ret;", 2, "1");
        row("one on each way", "@p1 bra E; mov.u32 a1, 1; bra J; E: mov.u32 a1, 2; J: mov.u32 a2, a1; ret;", 4, "1 3");
        row("around a loop", "mov.u32 a1, 0; L: add.u32 a1, a1, 1; @p1 bra L; ret;", 1, "0 1");
        row("a guarded write hides nothing", "mov.u32 a1, 1; @p1 mov.u32 a1, 2; mov.u32 a2, a1; ret;", 2, "0 1");
        row("none at all", "mov.u32 a2, a1; ret;", 0, "none");
        row("none on one way", "@p1 bra J; mov.u32 a1, 1; J: mov.u32 a2, a1; ret;", 2, "1 none");
        row("itself, the round before", "L: mov.u32 a2, a1; mov.u32 a1, 3; @p1 bra L; ret;", 0, "1 none");
    }

    void definitions() {
        QFETCH(QString, body);
        QFETCH(int, instruction);
        const Subject subject(body.toStdString());
        const ReachingDefinitions reaching(subject.function, subject.flow);
        QStringList seen;
        const Index reg = subject.function.groupOf(0).first + 1; // a1
        for (const Definition& one : reaching.of(reg, static_cast<std::uint32_t>(instruction)))
            seen << (one.instruction == noIndex ? QString("none") : QString::number(one.instruction));
        QTEST(seen.join(' '), "seen");
    }

    void liveRanges_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected"); // register:writes/reads
        const auto row = [](const char* name, const char* body, const char* expected) {
            QTest::newRow(name) << QString(body) << QString(expected);
        };
        row("a register used twice is two", "mov.u32 a1, 1; mov.u32 a2, a1; mov.u32 a1, 2; mov.u32 a3, a1; ret;",
            "a1:0/1 a2:1/ a1:2/3 a3:3/");
        row("ways that meet are one", "@p1 bra E; mov.u32 a1, 1; bra J; E: mov.u32 a1, 2; J: mov.u32 a2, a1; ret;",
            "a1:1,3/4 a2:4/ p1:/0");
        row("a loop is one", "mov.u32 a1, 0; L: add.u32 a1, a1, 1; @p1 bra L; ret;", "a1:0,1/1 p1:/2");
        row("a guarded write belongs to what it may leave", "mov.u32 a1, 1; @p1 mov.u32 a1, 2; mov.u32 a2, a1; ret;",
            "a1:0,1/2 a2:2/ p1:/1");
    }

    void liveRanges() {
        QFETCH(QString, body);
        const Subject subject(body.toStdString());
        QStringList got;
        for (const Webs::Web& web : webs(subject.function, subject.flow).all)
            got << QString::fromStdString(subject.function.registerName(web.reg)) + ":" + show(web.writes) + "/" +
                       show(web.reads);
        QTEST(got.join(' '), "expected");
    }
};

QTEST_APPLESS_MAIN(ReachingTest)
#include "reaching_test.moc"
