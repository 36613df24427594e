#include "panels/candidate_panel.h"

#include "../models/documents.h"
#include "panels/candidate_sort.h"
#include "shots.h"

#include <QAction>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QToolButton>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;
using Column = CandidateModel::Column;

namespace {

struct Actions {
    QAction create{"New"}, duplicate{"Duplicate"}, rename{"Rename"}, remove{"Delete"}, import{"Import..."},
        verify{"Verify"};
    CandidateActions all() { return {&create, &duplicate, &rename, &remove, &import, &verify}; }
};

QStringList shownIds(CandidatePanel& panel) {
    QStringList ids;
    const auto* model = panel.table().model();
    for (int row = 0; row < model->rowCount(); ++row)
        ids += model->index(row, 0).data(CandidateModel::IdRole).toString();
    return ids;
}

QPoint cell(CandidatePanel& panel, const QString& id, int column = Column::Name) {
    const auto row = static_cast<int>(shownIds(panel).indexOf(id));
    return panel.table().visualRect(panel.table().model()->index(row, column)).center();
}

void click(CandidatePanel& panel, const QString& id, Qt::KeyboardModifiers keys = {}) {
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, keys, cell(panel, id));
}

void clickHeader(CandidatePanel& panel, int column) {
    QHeaderView* header = panel.table().horizontalHeader();
    panel.table().scrollTo(panel.table().model()->index(0, column));
    QTest::mouseClick(
        header->viewport(), Qt::LeftButton, {},
        QPoint(header->sectionViewportPosition(column) + header->sectionSize(column) / 2, header->height() / 2));
}

/// The menu's action with this text is chosen.
void choose(CandidatePanel& panel, const QString& id, const QString& text) {
    click(panel, id);
    emit panel.table().customContextMenuRequested(cell(panel, id));
    auto* menu = panel.table().findChild<QMenu*>();
    QVERIFY(menu);
    const auto actions = menu->actions();
    const auto found = std::ranges::find(actions, text, &QAction::text);
    QVERIFY2(found != actions.end(), qPrintable(text));
    QVERIFY((*found)->isEnabled());
    (*found)->trigger();
    delete menu;
}

} // namespace

class CandidatePanelTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QStandardPaths::setTestModeEnabled(true); }

    void theSelectionIsTheCurrentCandidate() {
        Document document;
        openSaxpy(document);
        Actions actions;
        CandidatePanel panel(&document, actions.all());
        show(panel, {420, 260});
        QCOMPARE(panel.selected(), document.current());
        QSignalSpy changes(&document, &Document::currentChanged);
        click(panel, "c3");
        QCOMPARE(document.current(), QString("c3"));
        QCOMPARE(changes.size(), 1);
        document.setCurrent("baseline");
        QCOMPARE(panel.selected(), QString("baseline"));
        QCOMPARE(changes.size(), 2);
        panel.table().setFocus();
        QTest::keyClick(&panel.table(), Qt::Key_Down);
        QCOMPARE(document.current(), QString("c1"));
        click(panel, "c1", Qt::ControlModifier); // takes the selection away
        QTRY_COMPARE(panel.selected(), QString("c1"));
    }

    void theSelectionSurvivesSortInsertAndRemove() {
        Document document;
        openSaxpy(document);
        Actions actions;
        CandidatePanel panel(&document, actions.all());
        show(panel, {700, 260});
        click(panel, "c2");
        clickHeader(panel, Column::Name);
        QCOMPARE(panel.selected(), QString("c2"));
        QCOMPARE(shownIds(panel), (QStringList{"baseline", "c4", "c3", "c5", "c2", "c1"}));
        const QString made = document.newCandidate("aaa");
        QCOMPARE(shownIds(panel).first(), made);
        QCOMPARE(panel.selected(), made);
        document.undoStack()->undo();
        QCOMPARE(panel.selected(), document.current());
        document.setCurrent("c2");
        document.deleteCandidate("c2");
        QVERIFY(!document.current().isEmpty());
        QTRY_COMPARE(panel.selected(), document.current());
        document.undoStack()->undo();
        QTRY_COMPARE(panel.selected(), document.current());
        openSaxpy(document);
        QCOMPARE(panel.selected(), document.current());
    }

    void theUnknownIsLastInBothOrders() {
        Document document;
        openSaxpy(document);
        document.setResults("c1", report(document.text("c1"), {.registers = 40}));
        document.setResults("c2", report(document.text("c2"), {.registers = 9}));
        document.setResults("c4", report(document.text("c4"), {.registers = 40}));
        Actions actions;
        CandidatePanel panel(&document, actions.all());
        show(panel, {900, 260});
        clickHeader(panel, Column::Registers);
        QCOMPARE(shownIds(panel), (QStringList{"c2", "c1", "c4", "baseline", "c3", "c5"}));
        clickHeader(panel, Column::Registers);
        QCOMPARE(shownIds(panel), (QStringList{"c1", "c4", "c2", "baseline", "c3", "c5"}));
        document.setResults("c3", report(document.text("c3"), {.registers = 50}));
        QCOMPARE(shownIds(panel), (QStringList{"c3", "c1", "c4", "c2", "baseline", "c5"}));
        clickHeader(panel, Column::Registers); // as the session has them
        QCOMPARE(shownIds(panel), (QStringList{"baseline", "c1", "c2", "c3", "c4", "c5"}));
        clickHeader(panel, Column::Verdict);
        clickHeader(panel, Column::Verdict);
        QCOMPARE(shownIds(panel).last(), QString("c5")); // unverified, as the baseline before it
    }

    void columnsThatHoldNothingAreHidden() {
        Document document;
        openSaxpy(document);
        Actions actions;
        CandidatePanel panel(&document, actions.all());
        for (const int column : {Column::SameCode, Column::Time, Column::Ratio})
            QVERIFY(panel.table().isColumnHidden(column));
        QVERIFY(!panel.table().isColumnHidden(Column::Registers));
        document.setResults("c1", report(document.text("c1"), {.code = "x"}));
        QVERIFY(panel.table().isColumnHidden(Column::SameCode));
        document.setResults("c2", report(document.text("c2"), {.code = "x"}));
        QVERIFY(!panel.table().isColumnHidden(Column::SameCode));
        const QByteArray state = panel.saveState();
        document.setResults("c2", report(document.text("c2"), {.code = "y"}));
        QVERIFY(panel.restoreState(state)); // saved while the column was there
        QVERIFY(panel.table().isColumnHidden(Column::SameCode));
    }

    void keepsColumnsAndSorting() {
        Document document;
        openSaxpy(document);
        Actions actions;
        QByteArray state;
        {
            CandidatePanel panel(&document, actions.all());
            show(panel, {900, 260});
            clickHeader(panel, Column::Name);
            clickHeader(panel, Column::Name);
            panel.table().horizontalHeader()->moveSection(Column::Origin, 1);
            panel.table().setColumnWidth(Column::Name, 222);
            document.setResults("c1", report(document.text("c1")));
            QCOMPARE(panel.table().columnWidth(Column::Name), 222);
            state = panel.saveState();
        }
        CandidatePanel panel(&document, actions.all());
        QVERIFY(panel.restoreState(state));
        QCOMPARE(shownIds(panel), (QStringList{"c1", "c2", "c5", "c3", "c4", "baseline"}));
        QCOMPARE(panel.table().horizontalHeader()->visualIndex(Column::Origin), 1);
        QCOMPARE(panel.table().columnWidth(Column::Name), 222);
        QVERIFY(!panel.restoreState("nonsense"));
    }

    void renamesInPlace() {
        Document document;
        openSaxpy(document);
        Actions actions;
        CandidatePanel panel(&document, actions.all());
        show(panel, {420, 260});
        QSignalSpy messages(&panel, &CandidatePanel::message);
        const auto type = [&](const QString& id, const QString& name) {
            panel.editName(id);
            auto* editor = panel.table().findChild<QLineEdit*>();
            QVERIFY(editor);
            QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(editor, name);
            QTest::keyClick(editor, Qt::Key_Return);
            QTRY_VERIFY(!panel.table().findChild<QLineEdit*>());
        };
        type("c2", "fast");
        QCOMPARE(names(document)[1], QString("fast"));
        QCOMPARE(document.current(), QString("c2"));
        QCOMPARE(messages.size(), 0);
        type("c2", names(document)[0]);
        QCOMPARE(names(document)[1], QString("fast"));
        QCOMPARE(messages.size(), 1);
        QVERIFY2(messages[0][0].toString().contains(names(document)[0]), qPrintable(messages[0][0].toString()));
        panel.editName("baseline");
        QVERIFY(!panel.table().findChild<QLineEdit*>());
        QCOMPARE(messages.size(), 2);
        QVERIFY(messages[1][0].toString().contains("keeps its name"));
    }

    void differencesToARow() {
        Document document;
        openSaxpy(document);
        document.setResults("c1", report(document.text("c1"), {.registers = 40}));
        document.setResults("c2", report(document.text("c2"), {.registers = 44}));
        Actions actions;
        CandidatePanel panel(&document, actions.all());
        show(panel, {900, 260});
        const auto registers = [&] { return panel.model().index(2, Column::Registers).data().toString(); };
        choose(panel, "c1", "Show differences to this one");
        QCOMPARE(registers(), QString("44 (+4)"));
        choose(panel, "c1", "No differences");
        QCOMPARE(registers(), QString("44"));
        choose(panel, "c1", "Show differences to this one");
        document.deleteCandidate("c1");
        document.undoStack()->undo();
        QCOMPARE(registers(), QString("44"));
    }

    void anEmptySessionOffersWhatFillsIt() {
        Document document;
        Actions actions;
        CandidatePanel panel(&document, actions.all());
        show(panel, {300, 200});
        QVERIFY(!panel.table().isVisible());
        QSignalSpy created(&actions.create, &QAction::triggered);
        const auto buttons = panel.findChildren<QToolButton*>();
        const auto create = std::ranges::find_if(
            buttons, [&](QToolButton* b) { return b->isVisible() && b->defaultAction() == &actions.create; });
        QVERIFY(create != buttons.end());
        QTest::mouseClick(*create, Qt::LeftButton);
        QCOMPARE(created.size(), 1);
        document.newCandidate("mine");
        QVERIFY(panel.table().isVisible());
        shoot(panel, "candidates-one");
        document.undoStack()->undo();
        QVERIFY(!panel.table().isVisible());
        shoot(panel, "candidates-empty");
    }

    void verdictsHaveGlyphAndWord() {
        Document document;
        openSaxpy(document);
        document.setResults("baseline", report(document.text("baseline"), {.registers = 10}));
        document.setResults("c1", report(document.text("c1"), {.registers = 40, .spills = 8}));
        document.setResults("c2", report(document.text("c2"), {.stress = verify::Status::fail}));
        document.setResults("c3", report(document.text("c3"), {.code = "z", .stress = verify::Status::inconclusive}));
        document.setText("c3", "// changed");
        Actions actions;
        CandidatePanel panel(&document, actions.all());
        show(panel, {900, 220});
        panel.model().setRunning("c4");
        QVERIFY(panel.table().accessibleName() == "Candidates");
        choose(panel, "baseline", "Show differences to this one");
        click(panel, "c1");
        shoot(panel, "candidates");
        panel.resize(300, 220);
        shoot(panel, "candidates-narrow");
        QVERIFY(panel.minimumSizeHint().width() <= 300);
    }
};

QTEST_MAIN(CandidatePanelTest)
#include "candidate_panel_test.moc"
