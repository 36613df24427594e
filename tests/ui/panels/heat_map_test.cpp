// Sizes against distributions, and where the wrong elements of an output lie.
#include "panels/heat_map.h"

#include "panels/case_table.h"
#include "panels/element_map.h"
#include "shots.h"

#include <QComboBox>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>

using namespace ptxwb;
using namespace ptxwb::ui;
using verify::CaseStatus;

namespace {

verify::CandidateResult result() {
    verify::CandidateResult made;
    verify::StageResult function, stress;
    function.stage = verify::Stage::function;
    function.cases = {{{{"n", 33}}, "normal", 1, "sizes", CaseStatus::pass},
                      {{{"n", 1000}}, "normal", 1, "sizes", CaseStatus::fail}};
    stress.stage = verify::Stage::stress;
    stress.cases = {{{{"n", 33}}, "normal", 2, "second_seed", CaseStatus::pass},
                    {{{"n", 33}}, "special", 1, "special_values", CaseStatus::leftOut},
                    {{{"n", 4}}, "cancelling", 1, "fills", CaseStatus::pass}};
    made.stages = {function, stress};
    return made;
}

verify::ReplayReport report() {
    verify::ReplayReport made;
    made.run = {{{"n", 100}}, "normal", 7, "sizes", CaseStatus::fail};
    made.completed = true;
    made.reference = "reference";
    std::vector<std::uint8_t> wrong(100);
    wrong[40] = wrong[99] = 1;
    made.outputs.push_back(verify::mapOf("x", {100}, std::vector<std::uint8_t>(100)));
    made.outputs.push_back(verify::mapOf("y", {100}, wrong));
    Finding finding;
    finding.message = "y[40]: got 1, expected 2";
    finding.line = 12;
    made.findings.push_back(finding);
    return made;
}

} // namespace

class HeatMapTest : public QObject {
    Q_OBJECT

    static QString cell(const CaseTable& table, const QString& size, const QString& fill) {
        for (int row = 0; row < table.rowCount(); ++row)
            for (int column = 0; column < table.columnCount(); ++column)
                if (table.verticalHeaderItem(row)->text() == size && table.horizontalHeaderItem(column)->text() == fill)
                    return table.item(row, column)->text();
        return "no such cell";
    }

private slots:
    void everyLaunchIsInACell() {
        HeatMap map;
        test::show(map, {700, 260});
        const verify::CandidateResult shown = result();
        map.setResult(&shown, false);
        QCOMPARE(map.summary(), QString("1 of 5 launches wrong. Each stage stops after eight wrong ones."));
        const CaseTable& table = map.cases();
        QCOMPARE(cell(table, "n = 33", "normal"), QString("\u2713 2"));
        QCOMPARE(cell(table, "n = 1000", "normal"), QString("\u2717"));
        QCOMPARE(cell(table, "n = 33", "special"), QString("\u2013 left out"));
        QCOMPARE(cell(table, "n = 4", "cancelling"), QString("\u2713"));
        QCOMPARE(cell(table, "n = 4", "normal"), QString());
        // In order of the sizes, and what is wrong is chosen.
        QCOMPARE(table.verticalHeaderItem(0)->text(), QString("n = 4"));
        QCOMPARE(table.currentCase()->set.at("n"), std::int64_t{1000});
        // What is seen is said too.
        QCOMPARE(table.currentItem()->data(Qt::AccessibleTextRole).toString(),
                 QString("n = 1000, normal: launches 1, wrong 1"));
        test::shoot(map, "cases");
        map.setResult(&shown, true);
        QVERIFY(map.summary().contains("earlier text"));
        map.setResult(nullptr, false);
        QVERIFY(map.summary().contains("F5"));
        QVERIFY(!map.cases().isVisible());
    }

    void enterAndTheButtonRunACaseAgain() {
        HeatMap map;
        test::show(map, {700, 260});
        const verify::CandidateResult shown = result();
        map.setResult(&shown, false);
        QSignalSpy wanted(&map, &HeatMap::replayWanted);
        QTest::keyClick(&map.cases(), Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QTest::mouseClick(&map.replayButton(), Qt::LeftButton);
        QCOMPARE(wanted.size(), 2);
        QCOMPARE(wanted[1][0].value<verify::RunCase>().set.at("n"), std::int64_t{1000});
        // A cell without a launch has nothing to run again.
        for (int row = 0; row < map.cases().rowCount(); ++row)
            for (int column = 0; column < map.cases().columnCount(); ++column)
                if (map.cases().item(row, column)->text().isEmpty()) map.cases().setCurrentCell(row, column);
        QVERIFY(!map.replayButton().isEnabled());
        QTest::keyClick(&map.cases(), Qt::Key_Return);
        QCOMPARE(wanted.size(), 2);
    }

    void theWrongElementsAreInTheirCells() {
        HeatMap map;
        test::show(map, {700, 300});
        map.setReport(report());
        // The output with something wrong comes first to the eye.
        QCOMPARE(map.findChild<QComboBox*>()->currentText(), QString("y: 2 of 100 elements wrong"));
        ElementMap& elements = map.elements();
        QCOMPARE(elements.cellText(elements.current()), QString("y[40]: wrong"));
        elements.setFocus();
        QTest::keyClick(&elements, Qt::Key_Left);
        QCOMPARE(elements.cellText(elements.current()), QString("y[39]: right"));
        QTest::keyClick(&elements, Qt::Key_Down);
        QCOMPARE(elements.cellText(elements.current()), QString("y[71]: right"));
        QTest::keyClick(&elements, Qt::Key_Home);
        QCOMPARE(elements.accessibleDescription(), QString("y[40]: wrong"));
        QSignalSpy line(&map, &HeatMap::ptxLineWanted);
        map.findings().setCurrentRow(0);
        QTest::keyClick(&map.findings(), Qt::Key_Return);
        QCOMPARE(line.size(), 1);
        QCOMPARE(line[0][0].toInt(), 12);
        test::shoot(map, "elements");
        map.clearReplay();
        QVERIFY(!elements.isVisible());
    }

    void whatShowsNoElementSaysWhy() {
        HeatMap map;
        test::show(map, {700, 300});
        verify::ReplayReport made = report();
        made.outputs.clear();
        made.notCompared = "the launch did not complete";
        map.setReport(made);
        QVERIFY2(map.answer().contains("the launch did not complete"), qPrintable(map.answer()));
        QVERIFY(!map.elements().isVisible());
        map.setFailure("Not replayed: why. What to do");
        QCOMPARE(map.answer(), QString("Not replayed: why. What to do"));
    }

    void aCellOfManyElements() {
        ElementMap elements;
        test::show(elements, {200, 200});
        std::vector<std::uint8_t> wrong(1 << 20);
        wrong[130] = 1;
        elements.setMap(verify::mapOf("y", {1 << 20}, wrong));
        QCOMPARE(elements.cellText(elements.current()), QString("y[128] to y[191]: 1 of 64 elements wrong"));
        elements.setMap(verify::mapOf("c", {2, 3}, {0, 0, 0, 0, 1, 0}));
        QCOMPARE(elements.cellText(elements.current()), QString("c[1, 1]: wrong"));
    }
};

QTEST_MAIN(HeatMapTest)
#include "heat_map_test.moc"
