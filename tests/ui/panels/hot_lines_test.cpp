// The busiest lines of a kernel as a person reads them.
#include "panels/hot_lines.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::ui;

namespace {

const std::string text = "// one\n\tld.global.f32   %f1, [%rd1];\n\tadd.f32 %f2, %f1, %f1;\n\tret;\n";

verify::SampledLine line(std::uint32_t number, std::map<std::string, std::uint64_t> stalls) {
    verify::SampledLine one;
    one.line = number;
    for (const auto& [reason, samples] : stalls) one.samples += samples;
    one.stalls = std::move(stalls);
    return one;
}

verify::PcSampling sampling(std::vector<verify::SampledLine> lines) {
    verify::PcSampling all{0, 0, 3, std::move(lines)};
    for (const verify::SampledLine& one : all.lines) all.samples += one.samples;
    return all;
}

} // namespace

class HotLinesTest : public QObject {
    Q_OBJECT

private slots:
    void theBusiestComesFirst() {
        verify::SampledLine add = line(3, {{"long_scoreboard", 700}, {"selected", 50}});
        add.cudaFile = "/home/someone/k.cu";
        add.cudaLine = 12;
        const auto lines = hotLines(sampling({line(2, {{"selected", 245}}), add, line(4, {{"drain", 5}})}), text, 10);
        QCOMPARE(lines.size(), std::size_t(3));
        QCOMPARE(lines[0].line, 3);
        QCOMPARE(lines[0].percent, 75.0);
        QCOMPARE(lines[0].instruction, QString("add.f32 %f2, %f1, %f1;"));
        QCOMPARE(lines[0].waits, QString("long scoreboard 93 %"));
        QCOMPARE(lines[0].source, QString("k.cu:12"));
        QCOMPARE(lines[0].meaning, QString("93 % long scoreboard: waits for global or local memory\n"
                                           "7 % selected: issued: the warp did not wait"));
        QCOMPARE(lines[1].instruction, QString("ld.global.f32 %f1, [%rd1];"));
        QCOMPARE(lines[1].source, QString());
        QCOMPARE(lines[2].line, 4);
    }

    void littleAndUnknownIsLeftOut() {
        // Line 0 is machine code that no line accounts for; it counts as a part of the whole.
        const auto lines =
            hotLines(sampling({line(0, {{"wait", 500}}), line(2, {{"wait", 496}}), line(3, {{"wait", 4}})}), text, 10);
        QCOMPARE(lines.size(), std::size_t(1));
        QCOMPARE(lines[0].percent, 49.6);
        QCOMPARE(hotLines(sampling({line(2, {{"wait", 5}}), line(3, {{"wait", 5}})}), text, 1).size(), std::size_t(1));
    }

    void aReasonThatNobodyExplained() {
        const auto lines = hotLines(sampling({line(2, {{"some_new_reason", 8}})}), text, 10);
        QCOMPARE(lines[0].waits, QString("some new reason 100 %"));
        QCOMPARE(lines[0].meaning, QString("100 % some new reason"));
    }

    void aLineBehindTheText() {
        const auto lines = hotLines(sampling({line(99, {{"wait", 8}})}), text, 10);
        QCOMPARE(lines[0].instruction, QString());
    }
};

QTEST_APPLESS_MAIN(HotLinesTest)
#include "hot_lines_test.moc"
