// Opening, saving and closing: what a person is asked, and that everything is as it was.
#include "window.h"

#include "dialogs/trust_dialog.h"
#include "support/files.h"
#include "window/notice_bar.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

QByteArray twice(const char* name) {
    QFile file(QStringLiteral(PTXWB_SOURCE_DIR "/tests/data/window/twice/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("missing");
}

/// A kernel that somebody sent: in a folder with a blank in its name.
struct Folder {
    QTemporaryDir home;
    QString path = home.path() + "/from somebody";
    Folder() {
        QDir().mkpath(path);
        write("twice.cu", twice("twice.cu"));
        write("twice.ptx", twice("twice.ptx"));
        write("twice.kernel.json", twice("twice.kernel.json"));
        write("reference.cpp", twice("reference.cpp"));
    }
    void write(const char* name, const QByteArray& text) {
        QVERIFY(writeFileAtomically(std::filesystem::path((path + '/' + name).toStdString()), text.toStdString()));
    }
    QString spec() const { return path + "/twice.kernel.json"; }
};

auto saveAs(const QString& file) {
    return NextDialog<QFileDialog, std::function<void(QFileDialog&)>>([file](QFileDialog& dialog) {
        auto* line = dialog.findChild<QLineEdit*>("fileNameEdit");
        line->setText(file);
        QTest::keyClick(line, Qt::Key_Return);
    });
}

auto answer(QMessageBox::StandardButton button) {
    return NextDialog<QMessageBox, std::function<void(QMessageBox&)>>(
        [button](QMessageBox& box) { QTest::mouseClick(box.button(button), Qt::LeftButton); });
}

} // namespace

class WindowFilesTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void initTestCase() { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }

    void savesAndOpensAgainEverythingAsItWas() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("tuning.ptxwb");
        QStringList names;
        QString verdict;
        {
            Person person;
            person.open("saxpy");
            person.choose("unmasked_tail");
            person.key(Qt::Key_F5);
            person.waitForVerdict();
            verdict = person.cell("unmasked_tail", CandidateModel::Verdict);
            QCOMPARE(verdict, "fail (emulator)");
            person.choose("vectorized");
            person.key(Qt::Key_D, Qt::ControlModifier);
            person.waitForAnalysis();
            person.type("// mine\n");
            QVERIFY(person.window.isWindowModified());
            const auto dialog = saveAs(file);
            person.key(Qt::Key_S, Qt::ControlModifier);
            QVERIFY(dialog.wasShown);
            QTRY_VERIFY(!person.window.isWindowModified());
            QCOMPARE(person.window.windowTitle(), "tuning.ptxwb[*] \u2014 PTX Workbench");
            names = person.names();
        }
        Person person;
        person.open(file);
        QCOMPARE(person.names(), names);
        QCOMPARE(person.cell("unmasked_tail", CandidateModel::Verdict), verdict);
        person.choose("vectorized 2");
        QVERIFY(person.window.view().candidate().text().startsWith("// mine\n"));
        person.choose("unmasked_tail");
        QVERIFY(person.chip().contains("Failed"));
        QVERIFY(!person.window.verification().findingMarks().empty());
        QVERIFY(!person.window.isWindowModified());
        QCOMPARE(Document::recentFiles().value(0), file);
        // The example's reference is known, wherever its copy lies: no question comes.
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QCOMPARE(person.cell("unmasked_tail", CandidateModel::Verdict), verdict);
    }

    void asksBeforeUnsavedWorkIsLost() {
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        person.type("// not saved\n");
        {
            const auto cancel = answer(QMessageBox::Cancel);
            QVERIFY(!person.window.close());
            QVERIFY(cancel.wasShown);
            QVERIFY(person.window.isVisible());
            QVERIFY(person.window.view().candidate().text().contains("// not saved"));
        }
        {
            const auto cancel = answer(QMessageBox::Cancel);
            person.window.files().open("reduce");
            QVERIFY(cancel.wasShown);
            QVERIFY(person.names().contains("misaligned_vector"));
        }
        const auto discard = answer(QMessageBox::Discard);
        QVERIFY(person.window.close());
        QVERIFY(discard.wasShown);
    }

    void whatCannotBeOpenedIsToldAndLeavesTheSession() {
        Person person;
        person.open("saxpy");
        const QTemporaryDir folder;
        QVERIFY(writeFileAtomically(std::filesystem::path(folder.filePath("bad.ptxwb").toStdString()),
                                    "{\"schema\": 1, \"kernel\""));
        QString said;
        const NextDialog<QMessageBox, std::function<void(QMessageBox&)>> told([&](QMessageBox& box) {
            said = box.text();
            QTest::keyClick(&box, Qt::Key_Escape);
        });
        person.window.files().open(folder.filePath("bad.ptxwb"));
        QTRY_VERIFY(told.wasShown);
        QVERIFY2(!said.isEmpty(), qPrintable(said));
        QCOMPARE(person.names().size(), 6);
    }

    void foreignReferencesRunOnlyAfterTheQuestion() {
        const Folder folder;
        Person person;
        person.open(folder.spec());
        person.key(Qt::Key_N, Qt::ControlModifier);
        person.waitForAnalysis();
        {
            QString shown;
            const NextDialog<TrustDialog, std::function<void(TrustDialog&)>> no([&](TrustDialog& dialog) {
                shown = QString::fromUtf8(dialog.findChild<CodePane*>()->text());
                QTest::keyClick(&dialog, Qt::Key_Escape);
            });
            person.key(Qt::Key_F5);
            QVERIFY(no.wasShown);
            QCOMPARE(shown, QString::fromUtf8(twice("reference.cpp")));
        }
        person.waitForVerdict();
        const auto reason = [&] {
            const auto& judged = person.window.document().candidate(person.window.document().current())->judgement;
            const auto* stage = judged ? find(judged->result.stages, verify::Stage::function) : nullptr;
            return stage ? QString::fromStdString(stage->reason) : QString("no result");
        };
        QVERIFY2(reason().contains("baseline"), qPrintable(reason()));
        // Not asked twice about the same code.
        person.key(Qt::Key_F5);
        QVERIFY(!QApplication::activeModalWidget());
        person.waitForVerdict();
        {
            const NextDialog<TrustDialog, std::function<void(TrustDialog&)>> yes([](TrustDialog& dialog) {
                QTest::mouseClick(dialog.findChild<QPushButton*>("trust"), Qt::LeftButton);
            });
            person.window.actions().trust->trigger();
            QVERIFY(yes.wasShown);
        }
        person.window.activateWindow(); // no window manager gives it back here
        QVERIFY(QTest::qWaitForWindowActive(&person.window));
        person.key(Qt::Key_F5);
        QVERIFY(person.window.verification().isBusy());
        person.waitForVerdict();
        if (reason().contains("compiler")) QSKIP("no host C++ compiler on this machine");
        QVERIFY2(!reason().contains("baseline"), qPrintable(reason()));
    }

    void aKernelThatChangesOnDiskIsOfferedAndReloaded() {
        Folder folder;
        Person person;
        person.open(folder.spec());
        QVERIFY(person.window.view().source().text().contains("doubles every element"));
        folder.write("twice.cu", "// edited elsewhere\nextern \"C\" __global__ void twice(int n, float* x) {}\n");
        QTRY_VERIFY(person.window.notices().text().contains("twice.cu"));
        person.window.notices().findChild<QPushButton*>()->click();
        QTRY_VERIFY(person.window.view().source().text().contains("edited elsewhere"));
        QVERIFY(person.window.notices().text().isEmpty());
    }

    void importsPtxThatIsDroppedOnAKernel() {
        const Folder folder;
        Person person;
        person.open("saxpy");
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(folder.path + "/twice.ptx")});
        QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&person.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&person.window, &drop);
        QTRY_VERIFY(person.names().contains("twice"));
        person.waitForAnalysis();
        QCOMPARE(person.window.view().candidate().text(), twice("twice.ptx"));
        QCOMPARE(person.cell("twice", CandidateModel::Origin), "import");
    }

    void aSourceWithoutASpecSaysWhatIsMissing() {
        const QTemporaryDir folder;
        QVERIFY(writeFileAtomically(std::filesystem::path(folder.filePath("alone.cu").toStdString()),
                                    twice("twice.cu").toStdString()));
        Person person;
        person.open(folder.filePath("alone.cu"));
        QCOMPARE(person.window.view().source().text(), twice("twice.cu"));
        person.key(Qt::Key_F5);
        QVERIFY(!person.window.verification().isBusy());
        QVERIFY(!QApplication::activeModalWidget());
    }
};

int main(int count, char** arguments) {
    WindowFilesTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "window_files_test.moc"
