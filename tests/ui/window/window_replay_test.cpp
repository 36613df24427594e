// What a person sees of a verification on a GPU: a recording of an H200 is played in place of the worker.
#include "window.h"

#include "../panels/shots.h"
#include "models/candidate_figures.h"
#include "panels/counters_panel.h"
#include "panels/figure_table.h"
#include "panels/hot_line_table.h"
#include "panels/sass_panel.h"
#include "panels/timing_panel.h"
#include "panels/timing_plot.h"

#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>

#include <map>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

const QString recording = QStringLiteral(PTXWB_SOURCE_DIR "/tests/data/worker/h200/saxpy.jsonl");

/// What was recorded for each candidate.
std::map<QString, QJsonObject> recorded() {
    std::map<QString, QJsonObject> results;
    QFile file(recording);
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", qPrintable(recording));
    while (!file.atEnd()) {
        const QJsonObject line = QJsonDocument::fromJson(file.readLine()).object();
        const QJsonObject result = line["done"].toObject()["results"].toArray().first().toObject();
        if (!result.isEmpty()) results[result["candidate"].toString()] = result;
    }
    return results;
}

/// Another recording for the windows that follow.
class PlayedBy {
public:
    explicit PlayedBy(const char* name) : m_before(qgetenv("PTXWB_WORKER")) {
        qputenv("PTXWB_WORKER", QByteArray("'" PTXWB_BINARY_DIR "/tests/ptxwb_replay_worker' '" PTXWB_SOURCE_DIR
                                           "/tests/data/worker/h200/") +
                                    name + ".jsonl'");
    }
    ~PlayedBy() { qputenv("PTXWB_WORKER", m_before); }

private:
    QByteArray m_before;
};

QString three(const QJsonValue& number) {
    return QString::number(number.toDouble(), 'f', 3);
}

} // namespace

class WindowReplayTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;
    std::map<QString, QJsonObject> m_recorded = recorded();

public:
    WindowReplayTest() {
        qputenv("PTXWB_WORKER", "'" PTXWB_BINARY_DIR "/tests/ptxwb_replay_worker' '" + recording.toLocal8Bit() + "'");
    }

private slots:
    void verdictsTimeAndRatioOfAnH200() {
        Person person;
        person.open("saxpy");
        TimingPanel& timing = person.window.timing();
        QTableView& table = person.window.candidates().table();
        QVERIFY(table.isColumnHidden(CandidateModel::Time));
        person.choose("vectorized");
        QTRY_VERIFY2(timing.emptyText().startsWith("Not timed yet"), qPrintable(timing.emptyText()));
        person.key(Qt::Key_F5, Qt::ControlModifier);
        person.waitForVerdict();

        // The list: who judged, and how long it took.
        QVERIFY(!table.isColumnHidden(CandidateModel::Time) && !table.isColumnHidden(CandidateModel::Ratio));
        QCOMPARE(m_recorded.size(), std::size_t(person.names().size()));
        for (const QString& name : person.names()) {
            const QJsonObject result = m_recorded[name];
            const QString verdict = person.cell(name, CandidateModel::Verdict);
            QVERIFY2(verdict.startsWith(result["verdict"].toString()), qPrintable(name + ": " + verdict));
            const bool ran = !result["evidence"]["function"].isNull();
            QCOMPARE(verdict.contains("H200"), ran);
            const QString time = person.cell(name, CandidateModel::Time);
            const QString ratio = person.cell(name, CandidateModel::Ratio);
            if (result["timing"].isNull())
                QCOMPARE(time, QString::fromUtf8("–"));
            else
                QVERIFY2(time.startsWith(fourDigits(result["timing"]["median_us"].toDouble()) + " us"),
                         qPrintable(time));
            const QJsonValue speedup = result["speedup"];
            QCOMPARE(ratio == QString::fromUtf8("–"), speedup.isNull());
            if (speedup.isNull()) continue;
            const QString words = QStringLiteral("%1 %2 [%3, %4]")
                                      .arg(three(speedup["ratio"]), speedup["call"].toString(), three(speedup["low"]),
                                           three(speedup["high"]));
            QVERIFY2(ratio.endsWith(words), qPrintable(ratio));
        }

        // The panel, of the current candidate. Its tab lies behind that of the resources.
        person.window.findChild<QDockWidget*>("timing")->raise();
        QTRY_VERIFY(timing.isVisible());
        const QJsonObject fast = m_recorded["vectorized"], slow = m_recorded["baseline"];
        QTRY_VERIFY(timing.emptyText().isEmpty());
        QVERIFY2(
            timing.callText().contains(QStringLiteral("%1: %2 x, 95 % interval %3 to %4, against baseline")
                                           .arg(fast["speedup"]["call"].toString(), three(fast["speedup"]["ratio"]),
                                                three(fast["speedup"]["low"]), three(fast["speedup"]["high"]))),
            qPrintable(timing.callText()));
        QCOMPARE(timing.table().item(0, 0)->text(), fourDigits(fast["timing"]["median_us"].toDouble()) + " us");
        QCOMPARE(timing.table().item(0, 1)->text(), fourDigits(fast["speedup"]["baseline_us"].toDouble()) + " us");
        // The baseline was judged on the same machine: its hot figure stands beside.
        QCOMPARE(timing.table().item(3, 1)->text(), fourDigits(slow["timing"]["hot_us"].toDouble()) + " us");
        shoot(timing, "timing-h200");
        QCOMPARE(timing.plot().strips().strips.size(), 2u);
        QCOMPARE(int(timing.plot().strips().strips[1].samples), fast["timing"]["samples_us"].toArray().size());

        // One that is wrong was not timed.
        person.choose("unmasked_tail");
        QTRY_COMPARE(timing.emptyText(), QString("Not timed: only what is right is timed."));
    }

    void theFastestFirst() {
        Person person;
        person.open("saxpy");
        person.key(Qt::Key_F5, Qt::ControlModifier);
        person.waitForVerdict();
        QTableView& table = person.window.candidates().table();
        table.sortByColumn(CandidateModel::Time, Qt::AscendingOrder);
        QCOMPARE(person.names().mid(0, 2), (QStringList{"vectorized", "two_quads"}));
        table.sortByColumn(CandidateModel::Ratio, Qt::DescendingOrder);
        QCOMPARE(person.names().first(), QString("vectorized"));
    }

    void aWorkerWithoutAnAnswerLeavesWhatIsThere() {
        Person person;
        person.open("saxpy");
        person.key(Qt::Key_F5, Qt::ControlModifier);
        person.waitForVerdict();
        const QString before = person.cell("vectorized", CandidateModel::Ratio);
        person.choose("vectorized");
        person.key(Qt::Key_F5); // the recording has ended
        person.waitForVerdict();
        QVERIFY2(person.window.verification().verdictLine().contains("no answer left"),
                 qPrintable(person.window.verification().verdictLine()));
        QCOMPARE(person.cell("vectorized", CandidateModel::Ratio), before);
    }

    void countersOfAnH200() {
        const PlayedBy other("saxpy_profile");
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        CountersPanel& counters = person.window.counters();
        person.window.findChild<QDockWidget*>("counters")->raise();
        QTRY_VERIFY(counters.isVisible());
        QVERIFY2(counters.emptyText().startsWith("Not counted yet"), qPrintable(counters.emptyText()));
        person.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY2(counters.emptyText().startsWith("Counting"), qPrintable(counters.emptyText()));
        QVERIFY(person.window.actions().stop->isEnabled());
        QTRY_VERIFY(counters.emptyText().isEmpty());
        QVERIFY(!person.window.actions().stop->isEnabled());

        FigureTable& table = counters.table();
        const auto row = [&](const QString& name) -> QStringList {
            for (int r = 0; r < table.rowCount(); ++r)
                if (table.verticalHeaderItem(r)->text() == name)
                    return {table.item(r, 0)->text(), table.item(r, 1)->text(), table.item(r, 2)->text()};
            return {};
        };
        QCOMPARE(table.horizontalHeaderItem(0)->toolTip(), QString("vectorized"));
        QCOMPARE(table.horizontalHeaderItem(1)->toolTip(), QString("baseline"));
        QCOMPARE(table.rowCount(), 22);
        QCOMPARE(row("Time, profiled"), (QStringList{"185.4 us", "234.7 us", QString::fromUtf8("−21.0 %")}));
        QCOMPARE(row("DRAM throughput"), (QStringList{"90.6 %", "71.6 %", "+18.9 pp"}));
        QCOMPARE(row("Sectors a load"), (QStringList{"16", "4", "+300.0 %"}));
        QCOMPARE(row("DRAM read"), (QStringList{"536.9 MB", "536.9 MB", "0.0 %"}));
        QCOMPARE(row("Bank conflicts"), (QStringList{"0", "0", "0 %"}));
        QCOMPARE(row("Warp instructions"), (QStringList{"16.25 M", "39.85 M", QString::fromUtf8("−59.2 %")}));
        shoot(counters, "counters-h200");

        // Where its warps stood: the busiest line first, and a click leads there.
        HotLineTable& lines = counters.lines();
        Editor& editor = person.window.view().candidate().editor();
        QVERIFY(lines.isVisible());
        QCOMPARE(lines.item(0, 0)->text(), QString("60"));
        QCOMPARE(lines.item(0, 1)->text(), QString("94.8 %"));
        QCOMPARE(lines.item(0, 2)->text(), QString("long scoreboard 100 %"));
        const QString instruction = editor.text(59).simplified();
        QCOMPARE(lines.item(0, 3)->text(), instruction);
        emit lines.cellActivated(0, 0);
        int line = 0, column = 0;
        editor.getCursorPosition(&line, &column);
        QCOMPARE(line + 1, 60);

        // Another text: what was counted stays, and is said to be old.
        person.type(" ");
        QTRY_VERIFY(table.item(0, 0)->data(Qt::AccessibleTextRole).toString().endsWith("stale"));
        person.choose("unmasked_tail");
        QTRY_VERIFY(counters.emptyText().startsWith("Not counted yet"));
        person.choose("vectorized");
        QTRY_VERIFY(counters.emptyText().isEmpty());
    }

    void whyNothingWasCounted() {
        const PlayedBy other("sgemm_tiled_profile");
        Person person;
        person.open("sgemm_tiled");
        person.choose("does_not_assemble");
        person.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY2(person.window.counters().emptyText().startsWith(
                         "Not counted: ptxas refuses does_not_assemble for sm_90: Arguments mismatch"),
                     qPrintable(person.window.counters().emptyText()));
        QVERIFY(!person.window.actions().stop->isEnabled());
    }

    void machineCodeBesideTheBaselines() {
        const PlayedBy other("saxpy_vectorized_sass");
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        SassPanel& sass = person.window.sass();
        person.window.findChild<QDockWidget*>("sass")->raise();
        QTRY_VERIFY(sass.isVisible());
        QTRY_VERIFY2(sass.emptyText().isEmpty(), qPrintable(sass.emptyText()));
        QAbstractItemModel& model = *sass.table().model();
        int wide = -1;
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, SassModel::Candidate).data().toString().startsWith("LDG.E.128")) wide = row;
        QVERIFY(wide >= 0);
        QCOMPARE(model.index(wide, SassModel::Mark).data().toString(), QString("+"));
        QCOMPARE(model.index(wide, SassModel::Baseline).data().toString(), QString());
        const int line = model.index(wide, SassModel::CandidateLine).data().toInt();
        const QString ptx = person.window.view().candidate().editor().text(line - 1);
        QVERIFY2(ptx.contains("ld.global") && ptx.contains(".v4.f32"), qPrintable(ptx));
        shoot(sass, "sass-h200");

        // A row leads to its line, and the caret's line marks its rows.
        const QRect cell = sass.table().visualRect(model.index(wide, SassModel::Candidate));
        sass.table().scrollTo(model.index(wide, 0));
        QTest::mouseClick(sass.table().viewport(), Qt::LeftButton, {},
                          sass.table().visualRect(model.index(wide, SassModel::Candidate)).center());
        QVERIFY(cell.isValid());
        int caret = 0, column = 0;
        person.window.view().candidate().editor().getCursorPosition(&caret, &column);
        QCOMPARE(caret + 1, line);

        // Another text: the code stays, and is said to be old, until the worker has answered (this one has ended).
        person.type(" ");
        QTRY_VERIFY2(sass.summary().contains("earlier text"), qPrintable(sass.summary()));
    }

    void noDisassembler() {
        const PlayedBy other("../no_nvdisasm");
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        person.window.findChild<QDockWidget*>("sass")->raise();
        QTRY_VERIFY2(person.window.sass().emptyText().startsWith("No machine code: no nvdisasm was found"),
                     qPrintable(person.window.sass().emptyText()));
        QVERIFY(person.window.sass().emptyText().contains("cuda-nvdisasm"));
    }

    void theLayoutsPlaceThePanel() {
        Person person;
        auto* dock = person.window.findChild<QDockWidget*>("timing");
        QVERIFY(dock);
        QMenu* menu = person.window.actions().layouts;
        const auto choose = [&](const QString& words) {
            for (QAction* action : menu->actions())
                if (action->text().remove('&') == words) return action->trigger();
            QFAIL(qPrintable(words));
        };
        choose("Teach");
        QVERIFY(dock->isHidden());
        choose("Review");
        QVERIFY(!dock->isHidden());
        choose("Tune");
        QVERIFY(!dock->isHidden());
        const auto tabs = person.window.tabifiedDockWidgets(dock);
        QStringList names;
        for (const QDockWidget* tab : tabs) names += tab->objectName();
        names.sort();
        QCOMPARE(names, (QStringList{"counters", "lesson", "model", "outline", "resources"}));
    }
};

int main(int count, char** arguments) {
    WindowReplayTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "window_replay_test.moc"
