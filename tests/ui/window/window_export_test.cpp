// What leaves the window: the report in its three forms, and a candidate as production needs it.
#include "window.h"

#include "support/environment.h"
#include "window/notice_bar.h"

#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

/// Types a name into the dialog, as a person does.
auto choosing(const QString& file) {
    return NextDialog<QFileDialog, std::function<void(QFileDialog&)>>([file](QFileDialog& dialog) {
        auto* line = dialog.findChild<QLineEdit*>("fileNameEdit");
        line->setText(file);
        QTest::keyClick(line, Qt::Key_Return);
    });
}

QByteArray contentOf(const QString& file) {
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

/// Opens File and walks down to an entry of "Export candidate" with the keyboard.
void chooseExport(Person& person, const QString& words) {
    QMenu* menu = person.window.actions().exports;
    QAction* wanted = nullptr;
    for (QAction* each : menu->actions())
        if (each->text().remove('&').startsWith(words)) wanted = each;
    QVERIFY2(wanted, qPrintable(words));
    menu->popup(person.window.mapToGlobal(QPoint(40, 40)));
    QVERIFY(QTest::qWaitForWindowExposed(menu));
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(wanted).center());
}

bool havePtxas() {
    return findProgram("ptxas", environmentVariable("PATH").value_or("")).has_value() ||
           QFileInfo::exists("/usr/local/cuda/bin/ptxas");
}

QString noticeText(Person& person) {
    QStringList texts;
    for (const QLabel* label : person.window.notices().findChildren<QLabel*>()) texts += label->text();
    return texts.join('\n');
}

} // namespace

class WindowExportTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void initTestCase() { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }

    void reports_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("html") << "review.html" << QByteArray("<!DOCTYPE html>");
        QTest::newRow("markdown") << "review.md" << QByteArray("# ");
        QTest::newRow("json") << "review.json" << QByteArray("{");
        QTest::newRow("no ending") << "review" << QByteArray("<!DOCTYPE html>");
    }
    void reports() {
        QFETCH(QString, file);
        QFETCH(QByteArray, begin);
        const QTemporaryDir folder;
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        person.type("// typed just now\n");
        const auto dialog = choosing(folder.filePath(file));
        person.key(Qt::Key_E, Qt::ControlModifier);
        QVERIFY(dialog.wasShown);
        const QString written = folder.filePath(file.contains('.') ? file : file + ".html");
        QTRY_VERIFY_WITH_TIMEOUT(!contentOf(written).isEmpty(), 10000);
        const QByteArray text = contentOf(written);
        QVERIFY2(text.startsWith(begin), text.left(80));
        for (const char* word : {"saxpy", "vectorized", "unmasked_tail"}) QVERIFY2(text.contains(word), word);
        // The report is of what stands there now, and of nothing older.
        QVERIFY(file.endsWith("json") || text.contains("typed just now") || text.contains("not judged"));
        if (file.endsWith("json")) QVERIFY(QJsonDocument::fromJson(text).isObject());
    }

    void aReportThatCannotBeWrittenIsTold() {
        Person person;
        person.open("saxpy");
        const auto dialog = choosing("/proc/review.html");
        person.key(Qt::Key_E, Qt::ControlModifier);
        QVERIFY(dialog.wasShown);
        const NextDialog<QMessageBox, std::function<void(QMessageBox&)>> box([](QMessageBox& shown) {
            QVERIFY(shown.text().contains("/proc/review.html"));
            shown.button(QMessageBox::Ok)->click();
        });
        QTRY_VERIFY_WITH_TIMEOUT(box.wasShown, 10000);
    }

    void nothingHappensWhereAPersonChangesTheirMind() {
        Person person;
        person.open("saxpy");
        const NextDialog<QFileDialog, std::function<void(QFileDialog&)>> dialog(
            [](QFileDialog& shown) { QTest::keyClick(&shown, Qt::Key_Escape); });
        person.key(Qt::Key_E, Qt::ControlModifier);
        QVERIFY(dialog.wasShown);
        QVERIFY(!person.window.isWindowModified());
    }

    void candidates_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QStringList>("files");
        QTest::newRow("cubin") << "Cubin" << QStringList{"saxpy_vectorized.cubin", "saxpy_vectorized.h"};
        QTest::newRow("header") << "C header" << QStringList{"saxpy_vectorized.h"};
        QTest::newRow("harness") << "Program" << QStringList{"saxpy_vectorized.cubin", "saxpy_vectorized.h"};
    }
    void candidates() {
        if (!havePtxas()) QSKIP("no ptxas here: an export needs machine code");
        QFETCH(QString, words);
        QFETCH(QStringList, files);
        const QTemporaryDir folder;
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        const auto dialog = choosing(folder.path());
        chooseExport(person, words);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.wasShown, 5000);
        for (const QString& file : files)
            QTRY_VERIFY2_WITH_TIMEOUT(!contentOf(folder.filePath(file)).isEmpty(), qPrintable(file), 20000);
        QTRY_VERIFY2_WITH_TIMEOUT(noticeText(person).contains("Exported vectorized for sm_90"),
                                  qPrintable(noticeText(person)), 20000);
        QVERIFY(contentOf(folder.filePath("saxpy_vectorized.h")).contains("saxpy"));
    }

    /// The text as it stands, not as the file is; what ptxas does not take is told with its words.
    void whatDoesNotAssembleIsTold() {
        if (!havePtxas()) QSKIP("no ptxas here: an export needs machine code");
        const QTemporaryDir folder;
        Person person;
        person.open("saxpy");
        person.choose("does_not_assemble");
        const auto dialog = choosing(folder.path());
        chooseExport(person, "Cubin");
        QTRY_VERIFY_WITH_TIMEOUT(dialog.wasShown, 5000);
        const NextDialog<QMessageBox, std::function<void(QMessageBox&)>> box([](QMessageBox& shown) {
            QVERIFY(!shown.text().isEmpty());
            shown.button(QMessageBox::Ok)->click();
        });
        QTRY_VERIFY_WITH_TIMEOUT(box.wasShown, 20000);
        QVERIFY(QDir(folder.path()).isEmpty());
    }
};

QTEST_MAIN(WindowExportTest)
#include "window_export_test.moc"
