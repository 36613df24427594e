// The warp stepper's models: where each lane stands, what changed, what the next access costs, where one can run to.
#include "models/access_grid.h"
#include "models/lane_tables.h"
#include "models/word_format.h"
#include "recordings.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace ptxwb;
using namespace ptxwb::ui;
using ptxwb::test::lineOf;
using ptxwb::test::recordWarp;

class WarpReplayTest : public QObject {
    Q_OBJECT

    const std::string m_text = test::barrierKernel(3);

    QString cell(const RegisterTable& table, const char* name, int lane) {
        return table.index(table.rowOf(name), lane).data().toString();
    }

private slots:
    void stepsBothWays() {
        WarpReplay replay;
        QSignalSpy moved(&replay, &WarpReplay::moved);
        QVERIFY(replay.isEmpty() && !replay.forward() && !replay.back() && replay.line() == 0);
        replay.setWarp(recordWarp(m_text));
        QCOMPARE(replay.line(), lineOf(m_text, "ld.param"));
        QVERIFY(!replay.back());
        std::vector<int> lines;
        do lines.push_back(replay.line());
        while (replay.forward());
        QCOMPARE(replay.position(), replay.steps());
        QCOMPARE(moved.count(), int(replay.steps()));
        while (replay.back()) QCOMPARE(replay.line(), lines[replay.position()]);
        QCOMPARE(replay.position(), 0U);
    }

    void registersByLaneWithWhatChanged() {
        WarpReplay replay;
        RegisterTable table(&replay);
        QAbstractItemModelTester tester(&table);
        QCOMPARE(table.rowCount(), 0);
        replay.setWarp(recordWarp(m_text, 1));
        QCOMPARE(table.columnCount(), 32);
        replay.moveTo(2); // behind mov %t, %tid.x
        QCOMPARE(cell(table, "%t", 3), QString("35"));
        QVERIFY(table.index(table.rowOf("%t"), 3).data(ChangedRole).toBool());
        QVERIFY(!table.index(table.rowOf("%a"), 3).data(ChangedRole).toBool());
        QVERIFY(table.index(table.rowOf("%t"), 3).data(Qt::ToolTipRole).toString().contains("before: 0"));
        replay.forward();
        QVERIFY(!table.index(table.rowOf("%t"), 3).data(ChangedRole).toBool());
        QCOMPARE(cell(table, "%a", 31), QString("252"));
        QVERIFY(replay.toLine(lineOf(m_text, "setp.lt.u32 %p"), WarpReplay::Direction::forward));
        QCOMPARE(cell(table, "%v", 1), QString("33"));
        QCOMPARE(table.index(table.rowOf("%v"), 1).data(Qt::AccessibleTextRole).toString(), QString("33, changed"));
        table.setFormat(WordFormat::hex);
        QCOMPARE(cell(table, "%v", 1), QString("42040000"));
        table.setFormat(WordFormat::signedInteger);
        QCOMPARE(cell(table, "%v", 1), QString::number(0x42040000));
        QCOMPARE(table.headerData(0, Qt::Horizontal).toString(), QString("0\n\u25CF"));
        QCOMPARE(table.headerData(table.rowOf("%v"), Qt::Vertical).toString(), QString("%v .f32"));
    }

    void rowsThatMatterHere() {
        WarpReplay replay;
        RegisterTable table(&replay);
        QAbstractItemModelTester tester(&table);
        replay.setWarp(recordWarp(m_text));
        QCOMPARE(table.rowCount(), 8);
        table.setRows(RegisterTable::Rows::mentioned);
        replay.toLine(lineOf(m_text, "st.shared"), WarpReplay::Direction::forward);
        QCOMPARE(table.rowCount(), 2);
        QVERIFY(table.rowOf("%a") >= 0 && table.rowOf("%t") >= 0);
        table.setRows(RegisterTable::Rows::live);
        QVERIFY(table.rowOf("%o") >= 0 && table.rowOf("%v") < 0); // needed at the end; not written yet
        replay.toLine(lineOf(m_text, "setp.lt.u32 %q"), WarpReplay::Direction::forward);
        QVERIFY(table.rowOf("%v") >= 0 && table.rowOf("%a") < 0);
    }

    void lanesThatPart() {
        WarpReplay replay;
        replay.setWarp(recordWarp(m_text));
        QVERIFY(replay.toDivergence(WarpReplay::Direction::forward));
        QCOMPARE(replay.line(), lineOf(m_text, "@%p bra"));
        QVERIFY(replay.lane(3) == LaneState::executes && replay.lane(9) == LaneState::guardFails);
        replay.forward();
        QVERIFY(replay.lane(9) == LaneState::executes && replay.lane(3) == LaneState::elsewhere);
        QVERIFY2(replay.laneLines().filter("0-7 are ready at line").size() == 1,
                 qPrintable(replay.laneLines().join('\n')));
        replay.toLine(lineOf(m_text, "add.f32 %v, %v, 0f4348"), WarpReplay::Direction::forward);
        QVERIFY2(replay.laneLines().filter("8-31 are ready at line").size() == 1,
                 qPrintable(replay.laneLines().join('\n')));
        QVERIFY(!replay.toDivergence(WarpReplay::Direction::forward));
        QVERIFY(replay.toDivergence(WarpReplay::Direction::back));
        replay.moveTo(replay.steps());
        QVERIFY(replay.lane(3) == LaneState::left);
        std::set<QString> glyphs;
        for (int state = 0; state <= int(LaneState::left); ++state) glyphs.insert(glyph(LaneState(state)));
        QCOMPARE(glyphs.size(), std::size_t{7});
    }

    void whoWaitsAtTheBarrier() {
        WarpReplay replay;
        replay.setWarp(recordWarp(m_text, 1));
        QVERIFY(replay.toLine(lineOf(m_text, "bar.sync"), WarpReplay::Direction::forward));
        QCOMPARE(replay.barrierLines(), QStringList{"barrier 0: 32 of 64 threads have arrived, of the warps 0"});
        replay.forward();
        QCOMPARE(replay.barrierLines(), QStringList{});
    }

    void theAccessThatComesNext() {
        WarpReplay replay;
        SharedTable shared(&replay);
        QAbstractItemModelTester tester(&shared);
        replay.setWarp(recordWarp(m_text));
        QVERIFY(accessGrids(replay).empty());
        QVERIFY(replay.toLine(lineOf(m_text, "st.shared"), WarpReplay::Direction::forward));
        auto grids = accessGrids(replay);
        QCOMPARE(grids.size(), std::size_t{1});
        QCOMPARE(grids[0].title,
                 QString("Store of 4 bytes a lane, 32 lanes, shared memory: 1 wavefronts, no bank conflict"));
        QCOMPARE(grids[0].rows.size(), std::size_t{1});
        QCOMPARE(grids[0].rows[0].cells[7], QString("7"));
        QCOMPARE(shared.rowCount(), 2);
        QVERIFY(shared.index(0, 7).data(ActiveRole).toBool() && !shared.index(1, 7).data(ActiveRole).toBool());
        QCOMPARE(shared.index(0, 7).data().toString(), QString("0"));
        replay.forward();
        QCOMPARE(shared.index(0, 7).data().toString(), QString("7"));
        QVERIFY(shared.index(0, 7).data(ChangedRole).toBool() && !shared.index(0, 7).data(ActiveRole).toBool());
        QVERIFY(replay.toLine(lineOf(m_text, "st.global"), WarpReplay::Direction::forward));
        grids = accessGrids(replay);
        QCOMPARE(grids[0].rows.size(), std::size_t{4});
        QVERIFY2(grids[0].title.endsWith("4 sectors of 32 bytes, 4 would do"), qPrintable(grids[0].title));
        QVERIFY2(grids[0].rows[1].label == "out + 32", qPrintable(grids[0].rows[1].label));
        QCOMPARE(grids[0].rows[1].cells[0], QString("8"));
    }

    void bankConflicts() {
        std::string text = m_text;
        text.replace(text.find("shl.b32 %a, %t, 2"), 17, "and.b32 %a, %t, 1"); // two addresses
        text.replace(text.find("st.shared.u32 [%a]"), 18, "shl.b32 %a, %a, 7; st.shared.u32 [%a]");
        WarpReplay replay;
        SharedTable shared(&replay);
        replay.setWarp(recordWarp(text));
        QVERIFY(replay.toLine(lineOf(text, "st.shared"), WarpReplay::Direction::forward));
        while (replay.accesses().empty() && replay.forward()) {
        }
        const auto grids = accessGrids(replay);
        QVERIFY2(grids[0].title.endsWith("2 wavefronts, 1 would do; a bank conflict of 2 ways"),
                 qPrintable(grids[0].title));
        QCOMPARE(grids[0].rows.size(), std::size_t{2});
        QCOMPARE(shared.headerData(0, Qt::Horizontal).toString(), QString("0\n\u00D72"));
    }

    void toAFindingAndToldWhereItEnds() {
        // The output has room for 32 words only: warp 1 stores outside of it.
        WarpReplay replay;
        replay.setWarp(recordWarp(m_text, 1, emulator::RecordRequest{}.byteLimit, 32));
        const int store = lineOf(m_text, "st.global");
        QVERIFY(replay.toFinding(FindingKind::outOfBounds, store, 4));
        QCOMPARE(replay.line(), store);
        QVERIFY(!replay.findingLines().isEmpty());
        replay.moveTo(0);
        QVERIFY(replay.toFinding(WarpReplay::Direction::forward));
        QCOMPARE(replay.line(), store);
        QVERIFY(!replay.toFinding(WarpReplay::Direction::forward));
        // No checker found this kind: the last time that the lane comes to the line.
        QVERIFY(replay.toFinding(FindingKind::mismatch, lineOf(m_text, "add.u32 %n"), 0));
        QCOMPARE(replay.value(2).lanes[0], std::uint64_t{2});
        QVERIFY(!replay.toFinding(FindingKind::mismatch, 1, 0));

        replay.setWarp(recordWarp(test::barrierKernel(2000), 0, 100'000));
        QVERIFY(!replay.recording().stoppedEarly.empty());
        QVERIFY(replay.steps() > 100);
    }

    void words_data() {
        QTest::addColumn<quint64>("bits");
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("text");
        const auto row = [](quint64 bits, const char* type, int bytes, WordFormat format, const char* text) {
            QTest::addRow("%llx %s %d", bits, type, int(format))
                << bits << QString(type) << bytes << int(format) << QString(text);
        };
        row(1, "pred", 0, WordFormat::hex, "1");
        row(0xFFFFFFFF, "s32", 4, WordFormat::byType, "-1");
        row(0xFFFFFFFF, "u32", 4, WordFormat::byType, "4294967295");
        row(0xFFFF, "s16", 4, WordFormat::byType, "-1");
        row(0x3F800000, "f32", 4, WordFormat::byType, "1");
        row(0x3F800000, "b32", 4, WordFormat::byType, "3f800000");
        row(7, "b32", 4, WordFormat::byType, "7");
        row(0x3F800000, "b32", 4, WordFormat::floating, "1");
        row(0xC0000000, "b32", 4, WordFormat::signedInteger, "-1073741824");
        row(0x3FF8000000000000, "f64", 8, WordFormat::byType, "1.5");
        row(0x3C00C000, "b32", 4, WordFormat::halves, "1 -2");
        row(0x0001, "f16", 4, WordFormat::byType, "5.96e-08");
        row(0x7C00, "f16", 4, WordFormat::byType, "inf");
        row(0x7E00, "f16", 4, WordFormat::byType, "NaN");
        row(0x3F80, "bf16", 4, WordFormat::byType, "1");
        row(0x7F800001, "f32", 4, WordFormat::byType, "NaN");
        row(255, "b64", 8, WordFormat::hex, "00000000000000ff");
        row(0x1FF, "u8", 4, WordFormat::hex, "ff");
    }
    void words() {
        QFETCH(quint64, bits);
        QFETCH(QString, type);
        QFETCH(int, bytes);
        QFETCH(int, format);
        QTEST(wordText(bits, type.toStdString(), unsigned(bytes), WordFormat(format)), "text");
    }
};

QTEST_APPLESS_MAIN(WarpReplayTest)
#include "warp_replay_test.moc"
