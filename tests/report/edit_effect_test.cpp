// What an edit did: figures of both versions, and which lines and hunks moved them.
#include "report/edit_effect.h"

#include <QtTest>
#include <algorithm>
#include <set>

using namespace ptxwb;
using namespace ptxwb::report;

namespace {

const std::string head = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                         "\t.reg .b32 %r<4>;\n\t.reg .b64 %d<3>;\n" // lines 6 and 7
                         "\tld.param.u64 %d1, [p];\n";              // line 8

const std::string slow = head + "\tld.global.u32 %r1, [%d1];\n\tst.global.u32 [%d1+4], %r1;\n\tret;\n}\n";
const std::string fast = head + "\tmov.u32 %r1, 7;\n\tst.global.u32 [%d1+4], %r1;\n\tret;\n}\n";

Version version(const char* name, const std::string& text, std::vector<verify::WorkLine> lines,
                std::uint32_t registers) {
    Version one{name, text, verify::CandidateResult{}};
    one.result->resources.push_back({"sm_80", "k", registers, 0, 4, 8, 16, 0, 0});
    one.result->resources.push_back({"sm_90", "k", registers + 1, 0, 0, 0, 0, 0, 0});
    one.result->occupancy.push_back({"sm_80", 128, 4, 16, 25.0, "shared"});
    one.result->work.emplace();
    one.result->work->sizes = {{"n", 64}};
    for (const verify::WorkLine& line : lines) one.result->work->total += line.counts;
    one.result->work->lines = std::move(lines);
    return one;
}

verify::WorkLine line(std::uint32_t number, std::uint64_t instructions, std::uint64_t sectors = 0,
                      std::uint64_t wavefronts = 0) {
    verify::WorkLine one;
    one.line = number;
    one.counts.warpInstructions = instructions;
    one.counts.globalSectors = sectors;
    one.counts.sharedWavefronts = wavefronts;
    one.counts.sharedIdealWavefronts = wavefronts / 2;
    return one;
}

double at(const Figures& figures, Figure figure) {
    return figures[static_cast<std::size_t>(figure)].value_or(-1);
}

} // namespace

class EditEffectTest : public QObject {
    Q_OBJECT

private slots:
    void figuresAndTheLinesThatMovedThem() {
        const Version before = version("a", slow, {line(8, 2), line(9, 2, 64), line(10, 2, 8), line(11, 2)}, 10);
        const Version after = version("b", fast, {line(8, 2), line(9, 2), line(10, 2, 16), line(11, 2)}, 8);
        const EditEffect effect = editEffect(before, after, "sm_80");
        QCOMPARE(QString::fromStdString(effect.noLines), QString());
        QVERIFY(!effect.sameText);
        QCOMPARE(at(effect.before, Figure::registers), 10.0);
        QCOMPARE(at(effect.after, Figure::registers), 8.0);
        QCOMPARE(at(effect.before, Figure::spills), 12.0);
        QCOMPARE(at(effect.before, Figure::sectors), 72.0);
        QCOMPARE(at(effect.after, Figure::sectors), 16.0);
        QCOMPARE(at(effect.after, Figure::occupancy), 25.0);
        QCOMPARE(at(effect.after, Figure::time), -1.0); // no GPU
        QCOMPARE(effect.hunks.size(), std::size_t{1});
        QCOMPARE(effect.hunks[0].leftFirst, 9U);
        QCOMPARE(effect.hunks[0].before.globalSectors, std::uint64_t{64});
        QCOMPARE(effect.hunks[0].after.globalSectors, std::uint64_t{0});
        // The line that moved most comes first; the store is the same line and touches more now.
        QCOMPARE(effect.lines.front().after.globalSectors, std::uint64_t{0});
        const auto store = std::ranges::find(effect.lines, 10U, &LineEffect::rightLine);
        QVERIFY(store != effect.lines.end());
        QVERIFY(store->rowClass == compare::RowClass::identical);
        QCOMPARE(store->before.globalSectors, std::uint64_t{8});
        QCOMPARE(store->after.globalSectors, std::uint64_t{16});
        QVERIFY(std::ranges::find(effect.lines, 8U, &LineEffect::rightLine) == effect.lines.end());
        QCOMPARE(at(editEffect(before, after, "sm_90").after, Figure::registers), 9.0);
    }

    void conflictsAreWhatIsTooMuch() {
        const Version one = version("a", slow, {line(9, 1, 0, 32)}, 8);
        QCOMPARE(at(figuresOf(*one.result, "sm_80"), Figure::conflicts), 16.0);
    }

    void saysWhyThereAreNoLines() {
        Version before = version("a", slow, {line(9, 2)}, 8), after = version("b", fast, {line(9, 2)}, 8);
        after.result->work->sizes = {{"n", 65}};
        QCOMPARE(editEffect(before, after, "sm_80").noLines, std::string("both were counted at other sizes"));
        after.result->work.reset();
        QVERIFY(editEffect(before, after, "sm_80").noLines.starts_with("b was not counted"));
        after.result.reset();
        const EditEffect effect = editEffect(before, after, "sm_80");
        QCOMPARE(effect.noLines, std::string("b was not verified"));
        QCOMPARE(at(effect.after, Figure::registers), -1.0);
        QCOMPARE(effect.hunks.size(), std::size_t{1}); // the texts differ all the same
        QVERIFY(editEffect(before, before, "sm_80").sameText);
        QVERIFY(editEffect(before, before, "sm_80").lines.empty());
    }

    void everyFigureHasItsName() {
        std::set<std::string_view> names;
        for (std::size_t i = 0; i < figureCount; ++i) names.insert(name(static_cast<Figure>(i)));
        QCOMPARE(names.size(), figureCount);
        QVERIFY(lessIsBetter(Figure::time) && !lessIsBetter(Figure::occupancy));
    }
};

QTEST_APPLESS_MAIN(EditEffectTest)
#include "edit_effect_test.moc"
