// A window that is killed while somebody types: the next one offers what was typed. The test starts itself as the one
// that dies.
#include "window.h"

#include "window/notice_bar.h"

#include <QProcess>
#include <QPushButton>

#include <csignal>
#include <cstdio>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

const QString typed = QStringLiteral("// typed before the end");

/// Never comes back: types, waits until the autosave is written, says so, and goes on until it is killed.
[[noreturn]] void typeUntilKilled(const QString& what) {
    auto* person = new Person;
    person->window.document().setAutosaveInterval(std::chrono::milliseconds(50));
    person->open(what);
    person->choose("vectorized");
    person->type(typed + "\n");
    person->waitForAnalysis();
    person->window.document().autosaveNow();
    std::puts("typed");
    std::fflush(stdout);
    for (;;) QApplication::processEvents(QEventLoop::AllEvents, 20);
}

} // namespace

class RecoveryTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

    /// A second process of this program, with the same home, killed after it has typed.
    static void killWhileTyping(const QString& what) {
        QProcess victim;
        victim.setProcessChannelMode(QProcess::SeparateChannels);
        victim.start(QCoreApplication::applicationFilePath(), {"--type-until-killed", what});
        QVERIFY(victim.waitForStarted());
        QByteArray said;
        while (!said.contains("typed") && victim.waitForReadyRead(60000)) said += victim.readAllStandardOutput();
        QVERIFY2(said.contains("typed"), victim.readAllStandardError().constData());
        victim.kill(); // SIGKILL: nothing of it can tidy up
        QVERIFY(victim.waitForFinished());
        QCOMPARE(victim.exitStatus(), QProcess::CrashExit);
    }

private slots:
    void aSessionThatWasNeverSavedComesBack() {
        killWhileTyping("saxpy");
        Person person;
        person.window.files().offerRecovery();
        QVERIFY2(person.window.notices().text().contains("never saved"), qPrintable(person.window.notices().text()));
        auto* recover = person.window.notices().findChild<QPushButton*>();
        QCOMPARE(recover->text(), QString("Recover"));
        QTest::mouseClick(recover, Qt::LeftButton);
        person.waitForAnalysis();
        person.choose("vectorized");
        QVERIFY(person.window.view().candidate().text().startsWith(typed.toUtf8()));
        QVERIFY(person.window.isWindowModified());
        QVERIFY(person.names().contains("misaligned_vector"));
    }

    void aSavedSessionOffersWhatIsNewer() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("tuning.ptxwb");
        {
            Person person;
            person.open("saxpy");
            QVERIFY(person.window.document().saveAs(file));
        }
        killWhileTyping(file);
        Person person;
        QString asked;
        const NextDialog<QMessageBox, std::function<void(QMessageBox&)>> question([&](QMessageBox& box) {
            asked = box.text();
            for (QAbstractButton* each : box.buttons())
                if (box.buttonRole(each) == QMessageBox::AcceptRole) return QTest::mouseClick(each, Qt::LeftButton);
        });
        person.open(file);
        QVERIFY(question.wasShown);
        QVERIFY2(asked.contains("tuning.ptxwb"), qPrintable(asked));
        person.choose("vectorized");
        QVERIFY(person.window.view().candidate().text().startsWith(typed.toUtf8()));
        QCOMPARE(person.window.document().filePath(), file);
    }

    void whatWasDiscardedStaysAway() {
        killWhileTyping("saxpy");
        {
            Person person;
            person.window.files().offerRecovery();
            QTest::mouseClick(person.window.notices().findChildren<QPushButton*>().value(1), Qt::LeftButton);
        }
        Person person;
        person.window.files().offerRecovery();
        QVERIFY2(person.window.notices().text().isEmpty(), qPrintable(person.window.notices().text()));
    }
};

int main(int count, char** arguments) {
    const bool isVictim = count == 3 && QByteArray(arguments[1]) == "--type-until-killed";
    if (isVictim) {
        // In the home of the one that started it.
        QCoreApplication::setOrganizationName(QStringLiteral("ptxwb"));
        QCoreApplication::setApplicationName(QStringLiteral("window tests"));
        const QString what = QString::fromLocal8Bit(arguments[2]);
        const QApplication application(count, arguments);
        typeUntilKilled(what);
    }
    RecoveryTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "recovery_test.moc"
