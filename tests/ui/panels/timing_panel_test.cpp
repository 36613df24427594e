#include "panels/timing_panel.h"

#include "../models/timings.h"
#include "panels/timing_plot.h"
#include "panels/figure_table.h"
#include "shots.h"

#include <QAction>
#include <QClipboard>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>
#include <QToolTip>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;

namespace {

struct Shown {
    Document document;
    QAction verify{"Verify"};
    std::unique_ptr<TimingPanel> panel;

    explicit Shown(QSize size = {420, 700}) {
        openSaxpy(document);
        document.setCurrent("c1");
        panel = std::make_unique<TimingPanel>(&document, &verify);
        show(*panel, size);
    }
    void judgeBoth(const Measured& measured = {}) {
        document.setResults("baseline", measuredAlone(document.text("baseline"), {.medianUs = 237.3}));
        document.setResults("c1", measuredAgainstBaseline(document.text("c1"), measured));
        QTRY_VERIFY(panel->emptyText().isEmpty());
    }
    QString cell(int row, int column) const { return panel->table().item(row, column)->text(); }
    bool says(const QString& text) const {
        const auto labels = panel->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](QLabel* l) { return l->isVisible() && l->text().contains(text); });
    }
};

/// The page of the figures: that of the empty text scrolls too.
QScrollArea* scrollAround(QWidget& widget) {
    for (QWidget* each = widget.parentWidget(); each; each = each->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(each)) return scroll;
    return nullptr;
}

/// How much of the pixels is not the background.
double inked(QWidget& widget) {
    const QImage image = widget.grab().toImage();
    const QColor background = image.pixelColor(1, 1);
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) != background;
    return double(count) / (image.width() * image.height());
}

} // namespace

class TimingPanelTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QStandardPaths::setTestModeEnabled(true); }

    void withoutATimeItSaysWhy() {
        Shown shown;
        QVERIFY(!shown.panel->table().isVisible());
        QVERIFY2(shown.panel->emptyText().startsWith("Not timed yet"), qPrintable(shown.panel->emptyText()));
        QSignalSpy verified(&shown.verify, &QAction::triggered);
        auto* button = shown.panel->findChild<QToolButton*>();
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(verified.size(), 1);
        shown.document.setResults("c1", notMeasured(shown.document.text("c1"), verify::Status::skipped,
                                                    "time is only measured on a GPU: no GPU here"));
        QTRY_COMPARE(shown.panel->emptyText(), QString("Not timed: time is only measured on a GPU: no GPU here."));
        QCOMPARE(shown.panel->callText(), QString());
        shoot(*shown.panel, "timing-empty");
    }

    void withoutAGpuTheEmulatorsCountsStandThere() {
        Shown shown;
        const auto counted = [&](const char* id, std::uint64_t sectors) {
            auto result = notMeasured(shown.document.text(id), verify::Status::skipped,
                                      "time is only measured on a GPU: no GPU here");
            result.results[0].work.emplace().sizes = {{"n", 1000}};
            result.results[0].work->total.warpInstructions = 100;
            result.results[0].work->total.threadInstructions = 1600;
            result.results[0].work->total.globalSectors = sectors;
            result.results[0].work->total.globalIdealSectors = 250;
            shown.document.setResults(id, result);
        };
        counted("c1", 250);
        QTRY_VERIFY(shown.panel->table().isVisible());
        QCOMPARE(shown.panel->table().columnCount(), 1);
        counted("baseline", 1000);
        QTRY_COMPARE(shown.panel->table().columnCount(), 2);
        QCOMPARE(shown.panel->table().rowCount(), 3); // what neither of them does has no row
        QCOMPARE(shown.cell(0, 0), QString("100"));
        QCOMPARE(shown.cell(1, 0), QString("50.0 %"));
        QCOMPARE(shown.cell(2, 0), QString("250 (ideal 250)"));
        QCOMPARE(shown.cell(2, 1), QString("1000 (ideal 250)"));
        QVERIFY(shown.says("Not timed: time is only measured on a GPU: no GPU here."));
        QVERIFY(shown.says("The emulator's counts, at n = 1000. Counts are no time"));
        QCOMPARE(shown.panel->callText(), QString());
        shoot(*shown.panel, "timing-counts");
        shown.document.setText("c1", shown.document.text("c1") + "// more\n");
        QTRY_VERIFY(shown.says("these figures are of an earlier text"));
    }

    void theCallThePlotAndTheFigures() {
        Shown shown;
        shown.judgeBoth();
        QCOMPARE(shown.panel->callText(),
                 QString::fromUtf8("▲ faster: 1.269 x, 95 % interval 1.266 to 1.271, against baseline"));
        QVERIFY(shown.says("Measured on NVIDIA H200."));
        QCOMPARE(shown.panel->table().columnCount(), 2);
        QCOMPARE(shown.panel->table().horizontalHeaderItem(0)->text(), QString("vectorized"));
        QCOMPARE(shown.panel->table().horizontalHeaderItem(1)->text(), QString("baseline"));
        QCOMPARE(shown.cell(0, 0), QString("187.0 us"));
        QCOMPARE(shown.cell(0, 1), QString("237.3 us"));
        QCOMPARE(shown.panel->table().item(0, 1)->data(Qt::AccessibleTextRole).toString(),
                 QString("cold, median, baseline: 237.3 us"));
        const TimingPlot& plot = shown.panel->plot();
        QVERIFY(plot.isVisible());
        QVERIFY(!plot.accessibleName().isEmpty());
        QVERIFY2(plot.accessibleDescription().contains("vectorized: 110 samples, median 187.0 us"),
                 qPrintable(plot.accessibleDescription()));
        QVERIFY(inked(shown.panel->plot()) > 0.02);
        shown.panel->table().setRangeSelected({0, 0, 0, 1}, true);
        QTest::keyClick(&shown.panel->table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("Cold, median\t187.0 us\t237.3 us\n"));
        shown.panel->table().clearSelection();
        shoot(*shown.panel, "timing");
    }

    void aCloseCall() {
        Shown shown;
        shown.judgeBoth({.ratio = 1.002, .low = 0.996, .high = 1.008, .call = "unclear"});
        QVERIFY2(shown.panel->callText().startsWith("? unclear: 1.002 x"), qPrintable(shown.panel->callText()));
        QVERIFY(shown.panel->callText().contains("more rounds"));
        shoot(*shown.panel, "timing-unclear");
    }

    void followsTheCurrentCandidate() {
        Shown shown;
        shown.judgeBoth();
        shown.document.setCurrent("baseline");
        QTRY_COMPARE(shown.panel->callText(), QString("The baseline: the candidates are measured against it."));
        QCOMPARE(shown.panel->table().columnCount(), 1);
        QCOMPARE(shown.panel->plot().strips().strips.size(), 1u);
        shoot(*shown.panel, "timing-baseline");
        shown.document.setCurrent("c1");
        QTRY_COMPARE(shown.panel->table().columnCount(), 2);
        shown.document.renameCandidate("c1", "quick");
        QTRY_COMPARE(shown.panel->table().horizontalHeaderItem(0)->text(), QString("quick"));
        shown.document.setCurrent("c2");
        QTRY_VERIFY(!shown.panel->emptyText().isEmpty());
        openSaxpy(shown.document);
        QTRY_VERIFY(!shown.panel->table().isVisible());
    }

    void staleFiguresSayIt() {
        Shown shown;
        shown.judgeBoth();
        QVERIFY(!shown.says("Stale"));
        shown.document.setText("c1", shown.document.text("c1") + "\n// more\n");
        QTRY_VERIFY(shown.says("Stale"));
        QCOMPARE(shown.cell(0, 0), QString("187.0 us"));
        for (const int column : {0, 1}) {
            QVERIFY(shown.panel->table().item(0, column)->toolTip().contains("stale"));
            QCOMPARE(shown.panel->table().item(0, column)->foreground().color(),
                     shown.panel->palette().color(QPalette::Disabled, QPalette::Text));
        }
        shoot(*shown.panel, "timing-stale");
    }

    void aBaselineThatHasChangedLendsNoFigures() {
        Shown shown;
        shown.judgeBoth();
        QCOMPARE(shown.cell(3, 1), QString("235.8 us"));
        shown.document.setBaseline(".version 8.0");
        QTRY_COMPARE(shown.cell(3, 1), QString::fromUtf8("–"));
        QCOMPARE(shown.cell(0, 1), QString("237.3 us"));
    }

    void samplesOutsideOfThePlotAreSaid() {
        Shown shown;
        auto answer = measuredAgainstBaseline(shown.document.text("c1"));
        answer.results[0].timing->samplesUs[5] = 4000;
        shown.document.setResults("c1", answer);
        QTRY_VERIFY(shown.panel->outsideText().startsWith("1 of 110 samples of vectorized above"));
        QVERIFY(shown.says(shown.panel->outsideText()));
        shown.judgeBoth();
        QTRY_COMPARE(shown.panel->outsideText(), QString());
    }

    void theBinUnderThePointer() {
        Shown shown;
        shown.judgeBoth();
        TimingPlot& plot = shown.panel->plot();
        QHelpEvent help(QEvent::ToolTip, plot.viewport()->rect().center(),
                        plot.viewport()->mapToGlobal(plot.viewport()->rect().center()));
        QApplication::sendEvent(plot.viewport(), &help);
        QTRY_VERIFY2(QToolTip::text().contains(" us: "), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void nothingIsCutOffInANarrowDock() {
        Shown shown({300, 400});
        const std::string size = "max_blocks_per_sm = 1, n = 67108864, sm_count = 132";
        shown.document.renameCandidate("c1", "a_candidate_with_quite_a_long_name");
        shown.judgeBoth({.size = size});
        QScrollArea* scroll = scrollAround(shown.panel->table());
        QVERIFY(scroll);
        QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
        QVERIFY(shown.panel->minimumSizeHint().width() <= 300);
        QVERIFY(shown.panel->minimumSizeHint().height() <= 150);
        QVERIFY(shown.panel->plot().geometry().right() <= scroll->widget()->width());
        // The size is wrapped: its row is as high as its text.
        FigureTable& table = shown.panel->table();
        const int last = table.rowCount() - 1;
        QVERIFY(table.rowHeight(last) > 2 * table.rowHeight(0));
        QCOMPARE(table.horizontalHeader()->length(), table.viewport()->width());
        // No room is left below the last row.
        QCOMPARE(table.viewport()->height(), table.verticalHeader()->length());
        QVERIFY(table.horizontalHeaderItem(0)->text().contains(QString::fromUtf8("…")));
        QCOMPARE(table.horizontalHeaderItem(0)->toolTip(), QString("a_candidate_with_quite_a_long_name"));
        table.setRangeSelected({last, 0, last, 0}, true);
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), "Size\t" + QString::fromStdString(size) + '\n');
        table.clearSelection();
        shoot(*shown.panel, "timing-narrow");
        // A new answer leaves a person where they were.
        QScrollBar* bar = scroll->verticalScrollBar();
        // The layout has come to rest.
        QTRY_COMPARE(scroll->widget()->height(),
                     scroll->widget()->layout()->totalHeightForWidth(scroll->widget()->width()));
        QVERIFY(bar->maximum() > 100);
        bar->setValue(bar->maximum());
        const int place = bar->value();
        shown.judgeBoth({.medianUs = 186, .size = size});
        QTRY_COMPARE(shown.cell(0, 0), QString("186.0 us"));
        QApplication::processEvents();
        QCOMPARE(bar->value(), place);
        shoot(*shown.panel, "timing-narrow-below");
    }
};

QTEST_MAIN(TimingPanelTest)
#include "timing_panel_test.moc"
