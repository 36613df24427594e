// Two pieces of machine code side by side.
#include "compare/sass_rows.h"

#include <QTest>
#include <algorithm>
#include <random>

using namespace ptxwb::compare;

namespace {

std::vector<std::string> lines(const QString& text) {
    std::vector<std::string> list;
    for (const QString& line : text.split('|')) list.push_back(line.trimmed().toStdString());
    return list;
}

/// "=0:0 .1:1 +:2"
QString written(const std::vector<SassRow>& rows) {
    QStringList list;
    for (const SassRow& row : rows) {
        const QString left = row.kind == SassRowKind::added ? QString() : QString::number(row.left);
        const QString right = row.kind == SassRowKind::removed ? QString() : QString::number(row.right);
        list += QString(QLatin1Char("=.~-+"[static_cast<int>(row.kind)])) + left + ":" + right;
    }
    return list.join(' ');
}

} // namespace

class SassRowsTest : public QObject {
    Q_OBJECT

private slots:
    void namesAreLeftOut_data() {
        QTest::addColumn<QString>("instruction");
        QTest::addColumn<QString>("without");
        QTest::newRow("registers") << "IMAD R7, R7, UR4, R0" << "IMAD R, R, UR, R";
        QTest::newRow("zero") << "IADD3.X R7, RZ, UR5, RZ, P1, !PT" << "IADD3.X R, RZ, UR, RZ, P, !PT";
        QTest::newRow("address") << "@!P0 LDG.E.128 R8, [R2.64+0x10]" << "@!P LDG.E.128 R, [R.64+0x10]";
        QTest::newRow("reuse") << "FFMA R26, R15, R25.reuse, R26" << "FFMA R, R, R, R";
        QTest::newRow("halves") << "HADD2.F32 R27, -RZ, R25.H0_H0" << "HADD2.F32 R, -RZ, R.H0_H0";
        QTest::newRow("label") << "@P0 BRA `(.L_x_12)" << "@P BRA `(.L)";
        QTest::newRow("special register") << "S2R R3, SR_CTAID.X" << "S2R R, SR_CTAID.X";
        QTest::newRow("constant bank") << "LDC.64 R2, c[0x0][0x218]" << "LDC.64 R, c[0x0][0x218]";
        QTest::newRow("barrier") << "BSSY B0, `(.L_x_1)" << "BSSY B, `(.L)";
    }
    void namesAreLeftOut() {
        QFETCH(const QString, instruction);
        QTEST(QString::fromStdString(withoutNames(instruction.toStdString())), "without");
    }

    void rows_data() {
        QTest::addColumn<QString>("left");
        QTest::addColumn<QString>("right");
        QTest::addColumn<QString>("rows");
        QTest::newRow("the same") << "S2R R0, SR_TID.X|EXIT" << "S2R R0, SR_TID.X|EXIT" << "=0:0 =1:1";
        QTest::newRow("other registers") << "S2R R0, SR_TID.X|EXIT" << "S2R R9, SR_TID.X|EXIT" << ".0:0 =1:1";
        QTest::newRow("wider load") << "MOV R1, R2|LDG.E R2, [R4.64]|EXIT"
                                    << "MOV R1, R2|LDG.E.128 R4, [R4.64]|EXIT" << "=0:0 ~1:1 =2:2";
        QTest::newRow("one more") << "MOV R1, R2|EXIT" << "MOV R1, R2|NOP|EXIT" << "=0:0 +:1 =1:2";
        QTest::newRow("one less") << "MOV R1, R2|NOP|EXIT" << "MOV R1, R2|EXIT" << "=0:0 -1: =2:1";
        QTest::newRow("nothing in common") << "NOP" << "EXIT" << "-0: +:0";
        QTest::newRow("the partner is further on") << "FADD R1, R1, R2|EXIT" << "MOV R3, R4|FADD R1, R1, R1.H0_H0|EXIT"
                                                   << "+:0 ~0:1 =1:2";
    }
    void rows() {
        QFETCH(const QString, left);
        QFETCH(const QString, right);
        QTEST(written(sassRows(lines(left), lines(right))), "rows");
    }

    /// Whatever the two are: every instruction stands in one row, in order, and equal ones of a kind face each other.
    void everyInstructionStandsOnce() {
        std::mt19937 random(7);
        const std::vector<std::string> some{"FADD R1, R2, R3",      "FADD R4, R2, R3", "LDG.E R2, [R4.64]", "EXIT",
                                            "LDG.E.64 R2, [R4.64]", "BAR.SYNC 0x0"};
        for (int round = 0; round < 300; ++round) {
            std::vector<std::string> left(random() % 12), right(random() % 12);
            for (auto* side : {&left, &right})
                for (std::string& one : *side) one = some[random() % some.size()];
            std::uint32_t nextLeft = 0, nextRight = 0;
            for (const SassRow& row : sassRows(left, right)) {
                if (row.kind != SassRowKind::added) QCOMPARE(row.left, nextLeft++);
                if (row.kind != SassRowKind::removed) QCOMPARE(row.right, nextRight++);
                if (row.kind == SassRowKind::added || row.kind == SassRowKind::removed) continue;
                const bool equal = left[row.left] == right[row.right];
                QCOMPARE(row.kind == SassRowKind::same, equal);
                QCOMPARE(row.kind != SassRowKind::changed,
                         withoutNames(left[row.left]) == withoutNames(right[row.right]));
            }
            QCOMPARE(nextLeft, left.size());
            QCOMPARE(nextRight, right.size());
        }
    }
};

QTEST_APPLESS_MAIN(SassRowsTest)
#include "sass_rows_test.moc"
