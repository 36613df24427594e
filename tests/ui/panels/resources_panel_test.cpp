#include "panels/resources_panel.h"

#include "../models/documents.h"
#include "panels/occupancy_plot.h"
#include "panels/resource_table.h"
#include "shots.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;

namespace {

struct Shown {
    Document document;
    QAction verify{"Verify"};
    std::unique_ptr<ResourcesPanel> panel;

    explicit Shown(QSize size = {300, 900}) {
        openSaxpy(document);
        document.setCurrent("c1");
        panel = std::make_unique<ResourcesPanel>(&document, &verify);
        show(*panel, size);
    }
    void judge(const QString& id, const Figures& figures) {
        document.setResults(id, report(document.text(id), figures));
        QApplication::processEvents();
    }
    QString cell(int row, int column) const { return panel->table().item(row, column)->text(); }
    OccupancyPlot& plot(std::size_t at) const { return *panel->plots()[at]; }
};

} // namespace

class ResourcesPanelTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QStandardPaths::setTestModeEnabled(true); }

    void withoutFiguresItSaysWhy() {
        Shown shown;
        QVERIFY(!shown.panel->table().isVisible());
        QVERIFY(shown.panel->emptyText().contains("when the candidate is verified"));
        QSignalSpy verified(&shown.verify, &QAction::triggered);
        auto* button = shown.panel->findChild<QToolButton*>();
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(verified.size(), 1);
        auto refused = report(shown.document.text("c1"));
        refused.results[0].resources.clear();
        refused.results[0].occupancy.clear();
        refused.results[0].stages[1].status = verify::Status::skipped;
        refused.results[0].stages[1].reason = "no ptxas was found; install a CUDA toolkit or set PTXWB_PTXAS";
        shown.document.setResults("c1", refused);
        QTRY_VERIFY(shown.panel->emptyText().contains("set PTXWB_PTXAS"));
        shoot(*shown.panel, "resources-empty");
    }

    void aTextThatDoesNotAssembleKeepsTheFiguresOfTheLastThatDid() {
        Shown shown;
        shown.judge("c1", {.registers = 36});
        const QString before = shown.cell(0, 0);
        const auto refused = [&] {
            auto answer = report(shown.document.text("c1"));
            answer.results[0].resources.clear();
            answer.results[0].occupancy.clear();
            answer.results[0].stages[1].status = verify::Status::fail;
            return answer;
        };
        const auto says = [&] {
            for (const QLabel* label : shown.panel->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains("does not assemble")) return true;
            return false;
        };
        shown.document.setText("c1", "ld.nonsense");
        shown.document.setResults("c1", refused());
        QTRY_VERIFY(says());
        QCOMPARE(shown.cell(0, 0), before);
        shown.document.setText("c1", "ld.more nonsense"); // and again
        shown.document.setResults("c1", refused());
        QTRY_VERIFY(says());
        QCOMPARE(shown.cell(0, 0), before);
        shown.judge("c1", {.registers = 20});
        QTRY_VERIFY(!says());
        QVERIFY(shown.cell(0, 0).contains("20"));
    }

    void figuresBesideTheBaselines() {
        Shown shown;
        shown.judge("c1", {.registers = 36, .spills = 8});
        QVERIFY(shown.panel->table().isVisible());
        QCOMPARE(shown.panel->table().columnCount(), 1);
        QCOMPARE(shown.cell(0, 0), QString("36"));
        shown.judge("baseline", {.registers = 32});
        QCOMPARE(shown.panel->table().columnCount(), 2);
        QCOMPARE(shown.cell(0, 0), QString("36 (+4)"));
        QCOMPARE(shown.cell(0, 1), QString("32"));
        QCOMPARE(shown.panel->table().item(0, 0)->data(Qt::AccessibleTextRole).toString(),
                 QString("registers, sm_90, saxpy: 36 (+4)"));
        shown.panel->table().setRangeSelected({0, 0, 1, 1}, true);
        QTest::keyClick(&shown.panel->table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("Registers\t36 (+4)\t32\nStack\t0 B\t0 B\n"));
        QVERIFY(shown.panel->occupancyText().contains("4 registers fewer: 8 blocks per SM."));
        shoot(*shown.panel, "resources");
    }

    void followsTheCurrentCandidate() {
        Shown shown;
        shown.judge("c1", {.registers = 36});
        shown.judge("c2", {.registers = 50});
        shown.document.setCurrent("c2");
        QTRY_COMPARE(shown.cell(0, 0), QString("50"));
        QCOMPARE(shown.plot(1).curve().title, QString("Registers per thread (now 50)"));
        shown.document.setCurrent("c3");
        QTRY_VERIFY(!shown.panel->emptyText().isEmpty());
        shown.document.deleteCandidate("c3");
        openSaxpy(shown.document);
        QTRY_VERIFY(!shown.panel->table().isVisible());
    }

    void staleFiguresSayIt() {
        Shown shown({420, 500});
        shown.judge("c1", {.registers = 36});
        const auto isSaid = [&] {
            const auto labels = shown.panel->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [](QLabel* l) { return l->isVisible() && l->text().contains("Stale"); });
        };
        QVERIFY(!isSaid());
        shown.document.setText("c1", shown.document.text("c1") + "\n// more\n");
        QTRY_VERIFY(isSaid());
        QCOMPARE(shown.cell(0, 0), QString("36"));
        QVERIFY(shown.panel->table().item(0, 0)->toolTip().contains("stale"));
        QCOMPARE(shown.panel->table().item(0, 0)->foreground().color(),
                 shown.panel->palette().color(QPalette::Disabled, QPalette::Text));
        shoot(*shown.panel, "resources-stale");
    }

    void plotsAgreeWithTheComputation() {
        Shown shown;
        shown.judge("c1", {.registers = 36});
        const auto arch = gpu::architecture("sm_90");
        const auto now = gpu::occupancy(*arch, {.block = 256, .registers = 36, .sharedStatic = 1024});
        for (const OccupancyPlot* plot : shown.panel->plots()) {
            QVERIFY(plot->isVisible());
            QCOMPARE(plot->curve().current.y(), double(now->warpsPerSm));
            QVERIFY(!plot->accessibleName().isEmpty());
            QVERIFY(plot->accessibleDescription().contains("48 of 64 warps"));
        }
        QCOMPARE(shown.plot(0).curve().current.x(), 256.0);
        QCOMPARE(shown.plot(2).curve().current.x(), 1.0);
    }

    void anotherTarget() {
        Shown shown;
        shown.judge("c1", {.registers = 36});
        QComboBox& target = shown.panel->target();
        QCOMPARE(target.currentData().toString(), QString("sm_90"));
        QCOMPARE(target.findData("sm_90"), 0);
        QVERIFY(target.findData("sm_86") > 1); // behind the separator
        target.setFocus();
        while (target.currentData() != "sm_86") QTest::keyClick(&target, Qt::Key_Down);
        QCOMPARE(shown.plot(0).curve().yMax, 48.0);
        QVERIFY(shown.panel->occupancyText().contains("Figures of ptxas for sm_90: it was not asked for sm_86."));
        shown.judge("c1", {.registers = 40});
        QCOMPARE(target.currentData().toString(), QString("sm_86")); // a choice stays
        shown.document.setTargets({"sm_86", "sm_90"});
        QTRY_COMPARE(target.findData("sm_86"), 0);
        QCOMPARE(target.currentData().toString(), QString("sm_86"));
    }

    void aTargetThatNobodyKnows() {
        Shown shown;
        shown.judge("c1", {.registers = 36});
        shown.document.setTargets({"sm_35"});
        QTRY_COMPARE(shown.panel->target().itemData(0).toString(), QString("sm_35"));
        shown.panel->target().setCurrentIndex(0);
        QVERIFY(!shown.plot(0).isVisible());
        QVERIFY2(shown.panel->occupancyText().contains("sm_35"), qPrintable(shown.panel->occupancyText()));
        shown.panel->target().setCurrentIndex(shown.panel->target().findData("sm_90"));
        QVERIFY(shown.plot(0).isVisible());
    }

    void nothingIsCutOffInANarrowDock() {
        Shown shown({300, 400});
        shown.document.setTargets({"sm_90", "sm_80"});
        shown.judge("baseline", {.registers = 32});
        shown.judge("c1", {.registers = 36, .spills = 8});
        auto* scroll = shown.panel->findChild<QScrollArea*>();
        QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
        QVERIFY(shown.panel->minimumSizeHint().width() <= 300);
        for (const OccupancyPlot* plot : shown.panel->plots())
            QVERIFY(plot->geometry().right() <= scroll->widget()->width());
        QVERIFY(shown.panel->minimumSizeHint().height() <= 150);
        scroll->ensureWidgetVisible(shown.panel->plots()[0], 0, 0);
        shoot(*shown.panel, "resources-narrow");
    }
};

QTEST_MAIN(ResourcesPanelTest)
#include "resources_panel_test.moc"
