// What an edit did, in the window: a candidate changed, verified, changed again; each version beside the one before.
#include "window.h"

#include "panels/effect_panel.h"
#include "support/files.h"
#include "window/edit_effects.h"

#include <QDockWidget>
#include <QTableWidget>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

QStringList column(QTableWidget& table, int index) {
    QStringList cells;
    for (int row = 0; row < table.rowCount(); ++row) cells += table.item(row, index)->text();
    return cells;
}

int columnOf(QTableWidget& table, const QString& head) {
    for (int i = 0; i < table.columnCount(); ++i)
        if (table.horizontalHeaderItem(i)->text() == head) return i;
    return -1;
}

} // namespace

class EditEffectsTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void figureTexts() {
        QCOMPARE(figureText(12.0, 10.0), QString("12 (+2)"));
        QCOMPARE(figureText(8.0, 10.0), QString("8 (-2)"));
        QCOMPARE(figureText(8.0, 8.0), QString("8"));
        QCOMPARE(figureText(8.5, std::nullopt), QString("8.5"));
        QCOMPARE(figureText(std::nullopt, 8.0), QString("?"));
    }

    void replaysTheVersionsOfACandidate() {
        Person person;
        EffectPanel& panel = *person.window.effects().panel();
        person.open(PTXWB_SOURCE_DIR "/resources/lessons/coalescing");
        auto* dock = qobject_cast<QDockWidget*>(panel.parentWidget());
        QVERIFY(dock);
        dock->raise();
        QTRY_VERIFY2(panel.emptyText().contains("only one version"), qPrintable(panel.emptyText()));
        Document& document = person.window.document();
        const QString id = document.importCandidate(
            "mine", QString::fromStdString(*readFile(PTXWB_SOURCE_DIR "/resources/lessons/coalescing/start.ptx")), {});
        document.setCurrent(id);
        person.waitForAnalysis();
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        CodePane& pane = person.window.view().candidate();
        pane.replaceLines(
            1, pane.lineCount(),
            QByteArray::fromStdString(*readFile(PTXWB_SOURCE_DIR "/resources/lessons/coalescing/solution.ptx")));
        person.waitForAnalysis();
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QTableWidget& versions = panel.versions();
        // The edited text stands there before it is verified too, with no figures yet.
        QTRY_VERIFY_WITH_TIMEOUT(versions.rowCount() == 3 && !column(versions, 0)[2].endsWith("not verified"), 20000);
        QVERIFY2(column(versions, 0)[1].startsWith("mine, "), qPrintable(column(versions, 0).join('\n')));
        const int sectors = columnOf(versions, "global sectors");
        QVERIFY(sectors > 0);
        QVERIFY2(column(versions, sectors)[2].startsWith(QStringLiteral("\u25BC")),
                 qPrintable(column(versions, sectors).join('\n')));
        QVERIFY2(panel.sentence().contains("global sectors"), qPrintable(panel.sentence()));
        // The loads and stores that the edit left alone are what moved.
        QTableWidget& lines = panel.lines();
        const QStringList texts = column(lines, 7);
        const int load = int(texts.indexOf("ld.global.f32 %value, [%px];"));
        QVERIFY2(load >= 0, qPrintable(texts.join('\n')));
        QVERIFY2(lines.item(load, 4)->text().contains(QStringLiteral("\u2192")),
                 qPrintable(lines.item(load, 4)->text()));
        QCOMPARE(lines.item(load, 2)->text(), QString("identical"));
        lines.scrollToItem(lines.item(load, 0));
        QTest::mouseClick(lines.viewport(), Qt::LeftButton, {}, lines.visualItemRect(lines.item(load, 0)).center());
        QCOMPARE(QString::fromUtf8(pane.line(pane.currentLine())).simplified(), texts[load]);
        // The first edit changed nothing but who it belongs to.
        versions.setCurrentCell(1, 0);
        QVERIFY2(panel.sentence().contains("The text is the same."), qPrintable(panel.sentence()));
    }
};

int main(int count, char** arguments) {
    EditEffectsTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "edit_effects_test.moc"
