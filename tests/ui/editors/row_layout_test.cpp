#include "editors/change_ranges.h"
#include "editors/row_layout.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::ui;

namespace {

using Pairs = std::vector<DisplayRow>;

std::vector<compare::Row> rowsOf(const Pairs& pairs) {
    std::vector<compare::Row> rows;
    for (const DisplayRow& pair : pairs) {
        compare::Row row;
        row.leftLine = pair.left;
        row.rightLine = pair.right;
        rows.push_back(row);
    }
    return rows;
}

/// "1-1 2-. .-2": as a failure message shows it.
QString spelled(const RowLayout& layout) {
    QStringList parts;
    for (const DisplayRow& row : layout.rows())
        parts << QStringLiteral("%1-%2").arg(row.left ? QString::number(row.left) : QStringLiteral("."),
                                             row.right ? QString::number(row.right) : QStringLiteral("."));
    return parts.join(QLatin1Char(' '));
}

QString spelled(const std::vector<Filler>& fillers) {
    QStringList parts;
    for (const Filler& each : fillers) parts << QStringLiteral("%1 below %2").arg(each.count).arg(each.line);
    return parts.join(QStringLiteral(", "));
}

/// Both sides as an editor shows them must have every row at the same height.
void checkHeights(const RowLayout& layout) {
    for (const Side side : {Side::left, Side::right}) {
        std::vector<std::uint32_t> below(layout.lineCount(side) + 1);
        for (const Filler& each : layout.fillers(side)) below[each.line] += each.count;
        std::uint32_t height = 0;
        for (std::uint32_t line = 1; line <= layout.lineCount(side); ++line) {
            QCOMPARE(height, layout.rowOf(side, line));
            height += 1 + below[line];
        }
        QCOMPARE(height, std::uint32_t(layout.rows().size()));
    }
}

} // namespace

class RowLayoutTest : public QObject {
    Q_OBJECT
private slots:
    void layouts_data() {
        QTest::addColumn<Pairs>("rows");
        QTest::addColumn<int>("leftLines");
        QTest::addColumn<int>("rightLines");
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("leftFillers");
        QTest::addColumn<QString>("rightFillers");
        QTest::newRow("nothing compared, empty texts") << Pairs{} << 1 << 1 << "1-1" << "" << "";
        QTest::newRow("equal") << Pairs{{1, 1}, {2, 2}} << 2 << 2 << "1-1 2-2" << "" << "";
        QTest::newRow("the line behind the last newline")
            << Pairs{{1, 1}, {2, 2}} << 3 << 3 << "1-1 2-2 3-3" << "" << "";
        QTest::newRow("only one text ends with a newline") << Pairs{{1, 1}} << 2 << 1 << "1-1 2-." << "" << "1 below 1";
        QTest::newRow("added in the middle")
            << Pairs{{1, 1}, {0, 2}, {0, 3}, {2, 4}} << 2 << 4 << "1-1 .-2 .-3 2-4" << "2 below 1" << "";
        QTest::newRow("both sides differ")
            << Pairs{{1, 1}, {2, 0}, {0, 2}, {3, 3}} << 3 << 3 << "1-1 2-. .-2 3-3" << "1 below 2" << "1 below 1";
        QTest::newRow("added at the end") << Pairs{{1, 1}, {0, 2}} << 1 << 2 << "1-1 .-2" << "1 below 1" << "";
        QTest::newRow("added at the top: line 1 goes up")
            << Pairs{{0, 1}, {0, 2}, {1, 3}, {2, 4}} << 2 << 4 << "1-1 .-2 .-3 2-4" << "2 below 1" << "";
        QTest::newRow("removed at the top") << Pairs{{1, 0}, {2, 1}} << 2 << 1 << "1-1 2-." << "" << "1 below 1";
        QTest::newRow("unlike at the top: no empty row stays")
            << Pairs{{1, 0}, {0, 1}, {2, 2}} << 2 << 2 << "1-1 2-2" << "" << "";
        QTest::newRow("lines that the text no longer has")
            << Pairs{{1, 1}, {2, 2}, {3, 3}} << 2 << 2 << "1-1 2-2" << "" << "";
    }

    void layouts() {
        QFETCH(Pairs, rows);
        QFETCH(int, leftLines);
        QFETCH(int, rightLines);
        QFETCH(QString, wanted);
        QFETCH(QString, leftFillers);
        QFETCH(QString, rightFillers);
        const RowLayout layout(rowsOf(rows), std::uint32_t(leftLines), std::uint32_t(rightLines));
        QCOMPARE(spelled(layout), wanted);
        QCOMPARE(spelled(layout.fillers(Side::left)), leftFillers);
        QCOMPARE(spelled(layout.fillers(Side::right)), rightFillers);
        checkHeights(layout);
    }

    void edits_data() {
        QTest::addColumn<bool>("inserts");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("wanted");
        // Of 1-1 2-. 3-2 .-3 4-4.
        QTest::newRow("insert below 2") << true << 2 << 1 << "1-1 2-. 3-2 .-3 .-4 4-5";
        QTest::newRow("insert below the last") << true << 4 << 2 << "1-1 2-. 3-2 .-3 4-4 .-5 .-6";
        QTest::newRow("insert above the first") << true << 0 << 1 << "1-1 .-2 2-. 3-3 .-4 4-5";
        QTest::newRow("remove a paired line") << false << 2 << 1 << "1-1 2-. 3-. .-2 4-3";
        QTest::newRow("remove an unpaired line") << false << 3 << 1 << "1-1 2-. 3-2 4-3";
        QTest::newRow("remove the first") << false << 1 << 1 << "1-1 2-. 3-. .-2 4-3";
        QTest::newRow("remove to the end") << false << 2 << 3 << "1-1 2-. 3-. 4-.";
        QTest::newRow("remove beyond the end") << false << 4 << 9 << "1-1 2-. 3-2 .-3 4-.";
    }

    void edits() {
        QFETCH(bool, inserts);
        QFETCH(int, line);
        QFETCH(int, count);
        RowLayout layout(rowsOf({{1, 1}, {2, 0}, {3, 2}, {0, 3}, {4, 4}}), 4, 4);
        if (inserts)
            layout.insertLines(Side::right, std::uint32_t(line), std::uint32_t(count));
        else
            layout.removeLines(Side::right, std::uint32_t(line), std::uint32_t(count));
        QTEST(spelled(layout), "wanted");
        checkHeights(layout);
    }

    void hiddenRowsTakeNoFiller() {
        const RowLayout layout(rowsOf({{1, 1}, {0, 2}, {0, 3}, {2, 4}, {0, 5}, {3, 6}}), 3, 6);
        QCOMPARE(spelled(layout.fillers(Side::left)), QStringLiteral("2 below 1, 1 below 2"));
        const std::vector<bool> hidden{false, false, true, true, false, false};
        QCOMPARE(spelled(layout.fillers(Side::left, hidden)), QStringLiteral("2 below 1"));
    }

    void lineAtAFillerIsTheOneAbove() {
        const RowLayout layout(rowsOf({{1, 1}, {0, 2}, {0, 3}, {2, 4}}), 2, 4);
        QCOMPARE(layout.lineAt(Side::left, 0), 1u);
        QCOMPARE(layout.lineAt(Side::left, 2), 1u);
        QCOMPARE(layout.lineAt(Side::left, 3), 2u);
        QCOMPARE(layout.lineAt(Side::left, 99), 2u);
    }

    void manyRandomEditsKeepHeights() {
        RowLayout layout(rowsOf({{0, 1}, {1, 2}, {2, 0}, {3, 3}, {0, 4}, {4, 5}}), 5, 6);
        std::uint32_t seed = 7;
        const auto random = [&seed](std::uint32_t below) {
            seed = seed * 1664525u + 1013904223u;
            return (seed >> 8) % below;
        };
        for (int i = 0; i < 500; ++i) {
            const std::uint32_t lines = layout.lineCount(Side::right);
            if (random(2) || lines < 3)
                layout.insertLines(Side::right, random(lines + 1), 1 + random(3));
            else
                layout.removeLines(Side::right, 1 + random(lines - 1), 1);
            checkHeights(layout);
            if (QTest::currentTestFailed())
                QFAIL(qPrintable(QStringLiteral("edit %1: %2").arg(i).arg(spelled(layout))));
        }
    }

    void changesFollowEdits_data() {
        QTest::addColumn<bool>("inserts");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("lines");
        // Of right lines 5 to 7.
        QTest::newRow("insert far above") << true << 1 << 2 << 7 << 3;
        QTest::newRow("insert right above") << true << 4 << 2 << 7 << 3;
        QTest::newRow("insert within") << true << 5 << 2 << 5 << 5;
        QTest::newRow("insert right below") << true << 7 << 2 << 5 << 3;
        QTest::newRow("remove above") << false << 2 << 2 << 3 << 3;
        QTest::newRow("remove across the top") << false << 4 << 2 << 4 << 2;
        QTest::newRow("remove within") << false << 6 << 1 << 5 << 2;
        QTest::newRow("remove all") << false << 5 << 3 << 5 << 0;
        QTest::newRow("remove across the end") << false << 7 << 4 << 5 << 2;
        QTest::newRow("remove below") << false << 8 << 1 << 5 << 3;
    }

    void changesFollowEdits() {
        QFETCH(bool, inserts);
        QFETCH(int, line);
        QFETCH(int, count);
        std::vector<ChangeRange> ranges{{3, 1, 5, 3, "k"}};
        if (inserts)
            insertLines(ranges, std::uint32_t(line), std::uint32_t(count));
        else
            removeLines(ranges, std::uint32_t(line), std::uint32_t(count));
        QTEST(int(ranges[0].rightFirst), "first");
        QTEST(int(ranges[0].rightCount), "lines");
        QCOMPARE(ranges[0].leftFirst, 3u);
    }

    void changesOfAComparison() {
        const auto rows = rowsOf({{1, 1}, {2, 0}, {3, 0}, {4, 2}, {0, 3}, {5, 4}});
        const std::vector<compare::Hunk> hunks{{1, 2, "a"}, {4, 1, "b"}};
        const std::vector<ChangeRange> wanted{{2, 2, 2, 0, "a"}, {5, 0, 3, 1, "b"}};
        QVERIFY(changeRanges(rows, hunks) == wanted);
        auto moved = rows; // what only stands elsewhere is told from what was added
        for (const std::size_t each : {1, 2}) moved[each].cls = compare::RowClass::moved;
        QVERIFY(changeRanges(moved, hunks)[0].isMove);
        QVERIFY(!changeRanges(moved, hunks)[1].isMove);
    }
};

QTEST_APPLESS_MAIN(RowLayoutTest)
#include "row_layout_test.moc"
