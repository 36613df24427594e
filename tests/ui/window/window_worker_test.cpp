// The window survives whatever a worker does.
#include "window.h"

#include <QDir>
#include <QFile>

#include <csignal>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

/// The processes that this one has started and that serve as workers.
QList<qint64> workers() {
    QList<qint64> found;
    const QString parent = QString::number(QCoreApplication::applicationPid());
    for (const QString& entry : QDir("/proc").entryList(QDir::Dirs)) {
        QFile line("/proc/" + entry + "/cmdline"), status("/proc/" + entry + "/status");
        if (!line.open(QIODevice::ReadOnly) || !status.open(QIODevice::ReadOnly)) continue;
        if (status.readAll().contains("PPid:\t" + parent.toLatin1() + '\n') && line.readAll().contains("worker"))
            found += entry.toLongLong();
    }
    return found;
}

} // namespace

class WindowWorkerTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void survivesAWorkerThatIsKilled() {
        Person person;
        person.open("sgemm_tiled");
        const QString name = person.names().value(1);
        person.choose(name);
        int killed = 0;
        const auto once = QObject::connect(&person.window.runner(), &VerifyRunner::stageAnswered, &person.window, [&] {
            if (killed > 0) return;
            for (const qint64 process : workers()) killed += ::kill(pid_t(process), SIGKILL) == 0;
        });
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QObject::disconnect(once);
        QVERIFY(killed > 0);
        const QString line = person.window.verification().verdictLine();
        QVERIFY2(line.startsWith("Broken off:"), qPrintable(line));
        // The stage that was running says what happened to it; what was answered before stays.
        const QAbstractItemModel* stages = person.window.verificationPanel().tree().model();
        QStringList shown;
        for (int row = 0; row < stages->rowCount(); ++row)
            shown += stages->index(row, StageModel::StatusColumn).data().toString();
        QVERIFY2(shown.first().contains("pass"), qPrintable(shown.join(", ")));
        QVERIFY2(shown.filter("inconclusive").size() == 1, qPrintable(shown.join(", ")));
        QVERIFY(person.cell(name, CandidateModel::Verdict).startsWith("unverified"));

        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QVERIFY2(person.cell(name, CandidateModel::Verdict).contains("emulator"),
                 qPrintable(person.cell(name, CandidateModel::Verdict)));
    }

    void survivesAWorkerThatPrintsRubbish_data() {
        QTest::addColumn<QString>("commandLine");
        QTest::addColumn<QString>("said");
        QTest::newRow("a text") << "/bin/echo this is no worker" << "this is no worker";
        QTest::newRow("noise") << "/usr/bin/head -c 100000 /dev/urandom" << "";
        QTest::newRow("nothing") << "/bin/true" << "";
        QTest::newRow("missing") << "/no/such/program worker" << "/no/such/program";
        QTest::newRow("open quote") << "'ptxwb worker" << "quote";
    }
    void survivesAWorkerThatPrintsRubbish() {
        QFETCH(const QString, commandLine);
        QFETCH(const QString, said);
        Person person;
        person.open("saxpy");
        person.choose("vectorized");
        person.window.runner().setCommandLine(commandLine);
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        const QString line = person.window.verification().verdictLine();
        QVERIFY2(line.startsWith("Broken off:") && line.contains(said), qPrintable(line));
        QVERIFY(person.cell("vectorized", CandidateModel::Verdict).startsWith("unverified"));

        person.window.runner().setCommandLine({});
        person.key(Qt::Key_F5);
        person.waitForVerdict();
        QVERIFY(person.cell("vectorized", CandidateModel::Verdict).contains("emulator"));
    }

    void endsItsWorkers() {
        {
            Person person;
            person.open("saxpy");
            person.key(Qt::Key_F5);
            person.waitForVerdict();
            QVERIFY(!workers().isEmpty());
        }
        QTRY_COMPARE(workers().size(), 0);
    }
};

int main(int count, char** arguments) {
    WindowWorkerTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "window_worker_test.moc"
