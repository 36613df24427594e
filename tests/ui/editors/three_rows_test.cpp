// Rows of three texts against every property that they must have, and some by hand.
#include "editors/three_rows.h"

#include "compare/compare.h"
#include "ptx/parse.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace ptxwb;
using namespace ptxwb::ui;

namespace {

std::vector<compare::Row> rowsOf(const std::string& left, const std::string& right) {
    return compare::compare(*ptx::parse(left, "left.ptx"), *ptx::parse(right, "right.ptx")).rows;
}

std::uint32_t linesOf(const std::string& text) {
    return std::uint32_t(std::ranges::count(text, '\n')) + 1;
}

std::string written(const std::vector<ThreeRow>& rows) {
    std::string text;
    for (const ThreeRow& row : rows) {
        for (const auto line : {row.left, row.middle, row.right}) text += line ? std::to_string(line) : "-";
        text += ' ';
    }
    return text;
}

} // namespace

class ThreeRowsTest : public QObject {
    Q_OBJECT

    static std::vector<ThreeRow> of(const std::string& left, const std::string& middle, const std::string& right) {
        return threeRows(rowsOf(left, middle), rowsOf(middle, right), {linesOf(left), linesOf(middle), linesOf(right)});
    }

private slots:
    void byHand_data() {
        QTest::addColumn<QString>("left");
        QTest::addColumn<QString>("middle");
        QTest::addColumn<QString>("right");
        QTest::addColumn<QString>("rows");
        const QString a = "// a\n", b = "// b\n", c = "// c\n", d = "// d\n";
        QTest::newRow("the same") << a + b << a + b << a + b << "111 222 333 ";
        QTest::newRow("the candidate has one more") << a + c << a + c << a + b + c << "111 --2 223 334 ";
        QTest::newRow("the version had one more") << a + c << a + b + c << a + c << "111 -2- 232 343 ";
        QTest::newRow("both outer ones have another") << a + b + d << a + d << a + c + d << "111 2-2 323 434 ";
        QTest::newRow("nothing in the middle") << a + b << "" << a << "111 2-- 3-2 ";
    }

    void byHand() {
        QFETCH(QString, left);
        QFETCH(QString, middle);
        QFETCH(QString, right);
        const std::string rows = written(of(left.toStdString(), middle.toStdString(), right.toStdString()));
        QTEST(QString::fromStdString(rows), "rows");
    }

    void everyLineOnceAndInOrder() {
        std::mt19937 random(7);
        const auto text = [&] {
            std::string lines;
            for (int i = 0; i < 12; ++i)
                if (random() % 3 != 0) lines += "// " + std::to_string(random() % 3 + unsigned(i) * 2) + "\n";
            return lines;
        };
        for (int round = 0; round < 300; ++round) {
            const std::string left = text(), middle = text(), right = text();
            const auto rows = of(left, middle, right);
            const std::pair<std::uint32_t ThreeRow::*, std::uint32_t> columns[] = {{&ThreeRow::left, linesOf(left)},
                                                                                   {&ThreeRow::middle, linesOf(middle)},
                                                                                   {&ThreeRow::right, linesOf(right)}};
            for (const auto& [column, count] : columns) {
                std::uint32_t last = 0;
                for (const ThreeRow& row : rows)
                    if (row.*column != 0) QCOMPARE(row.*column, ++last);
                QCOMPARE(last, count);
                QVERIFY(rows.front().*column == 1);
                // Each column is as tall as the others.
                std::size_t height = count;
                for (const Filler& filler : fillersOf(rows, column)) height += filler.count;
                QCOMPARE(height, rows.size());
            }
        }
    }
};

QTEST_APPLESS_MAIN(ThreeRowsTest)
#include "three_rows_test.moc"
