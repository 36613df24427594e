// The runner against workers that behave and workers that do not.
#include "jobs/verify_runner.h"

#include "support/sha256.h"

#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace std::chrono_literals;

namespace {

const QString fake = PTXWB_BINARY_DIR "/tests/ptxwb_fake_worker";
const QString good = PTXWB_SOURCE_DIR "/tests/ui/jobs/good_worker.sh";

VerifyRequest request(const QString& id, const std::string& text = ".version 8.0\n") {
    VerifyRequest made{id, {}};
    made.input.candidate = verify::CandidateText{id.toStdString(), id.toStdString() + ".ptx", text};
    return made;
}

struct Spies {
    explicit Spies(VerifyRunner& runner)
        : started(&runner, &VerifyRunner::started), stages(&runner, &VerifyRunner::stageAnswered),
          progress(&runner, &VerifyRunner::progress), finished(&runner, &VerifyRunner::finished),
          failed(&runner, &VerifyRunner::failed), cancelled(&runner, &VerifyRunner::cancelled) {}
    QSignalSpy started, stages, progress, finished, failed, cancelled;
    QString message() const { return failed.isEmpty() ? QString() : failed.last().at(1).toString(); }
};

QStringList firsts(const QSignalSpy& spy) {
    QStringList ids;
    for (const auto& call : spy) ids += call.at(0).toString();
    return ids;
}

} // namespace

class VerifyRunnerTest : public QObject {
    Q_OBJECT

private slots:
    void tellsWhatTheWorkerAnswers() {
        VerifyRunner runner;
        runner.setCommandLine(good);
        Spies spies(runner);
        QSignalSpy busy(&runner, &VerifyRunner::busyChanged);
        runner.verify(request("c1", "the text"));
        QVERIFY(runner.isBusy());
        QCOMPARE(runner.running(), QString("c1"));
        QVERIFY(spies.finished.wait(30000));
        QCOMPARE(firsts(spies.started), QStringList{"c1"});
        QCOMPARE(spies.stages.size(), 1);
        QCOMPARE(spies.stages[0].at(1).value<verify::StageResult>().stage, verify::Stage::parse);
        QCOMPARE(spies.progress[0], (QVariantList{"c1", 1, 3, "function: n = 1"}));
        const auto report = spies.finished[0].at(1).value<verify::VerifyReport>();
        QCOMPARE(report.seed, std::uint64_t{7});
        QCOMPARE(report.results[0].sha256, sha256Hex("the text"));
        QVERIFY(!runner.isBusy());
        QCOMPARE(busy.size(), 2);
        QVERIFY(spies.failed.isEmpty() && spies.cancelled.isEmpty());
    }

    void survives_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("stage"); // that ends inconclusive
        QTest::newRow("crash")
            << "crash" << "the worker stopped (killed by signal 11 (Segmentation fault)) during \"sanitize: n = 33\""
            << "sanitize";
        QTest::newRow("exit") << "exit3" << "the worker stopped (ended with status 3) during \"verify\"" << "";
        QTest::newRow("hang") << "hang" << "the worker gave no answer within 500 ms during \"stress: n = 4097\""
                              << "stress";
        QTest::newRow("rubbish") << "rubbish" << "the worker wrote something that is no answer: " << "";
        QTest::newRow("half a line") << "half" << "the worker ended in the middle of a line" << "";
        QTest::newRow("login message")
            << "motd" << "the worker's first line is no hello but \"Welcome to gpu-box! Last login: Monday\"" << "";
        QTest::newRow("dies at once") << "dies_at_once" << "the worker ended before it said hello" << "";
        QTest::newRow("another version") << "wrong_version" << "the worker speaks protocol 2, this program speaks 1"
                                         << "";
        QTest::newRow("refusal") << "refuse" << "no such entry" << "";
        QTest::newRow("an answer without a result") << "good" << "" << "";
    }
    void survives() {
        QFETCH(QString, mode);
        QFETCH(QString, message);
        QFETCH(QString, stage);
        VerifyRunner runner;
        runner.setCommandLine(fake + ' ' + mode);
        runner.setDeadline(mode == "hang" ? 500ms : 60s);
        Spies spies(runner);
        for (int round = 1; round <= 2; ++round) {
            runner.verify(request("c1"));
            QTRY_COMPARE_WITH_TIMEOUT(spies.failed.size(), round, 30000);
            QVERIFY2(spies.message().startsWith(message) && !spies.message().isEmpty(), qPrintable(spies.message()));
            const auto judged = spies.failed.last().at(3).value<verify::CandidateResult>();
            if (stage.isEmpty()) continue;
            const auto last = spies.stages.last().at(1).value<verify::StageResult>();
            QCOMPARE(QString::fromLatin1(name(last.stage).data()), stage);
            QCOMPARE(last.status, verify::Status::inconclusive);
            QCOMPARE(QString::fromStdString(last.reason), spies.message());
            QCOMPARE(judged.stages.back().reason, last.reason);
            QCOMPARE(judged.verdict, verify::Verdict::incomplete);
        }
        QVERIFY(!runner.isBusy());
        QVERIFY(spies.finished.isEmpty() && spies.cancelled.isEmpty());
        // And the next one works.
        runner.setCommandLine(good);
        runner.setDeadline(60s);
        runner.verify(request("c2"));
        QTRY_COMPARE_WITH_TIMEOUT(firsts(spies.finished), QStringList{"c2"}, 30000);
    }

    void aMissingWorkerSaysHowItWasCalled() {
        VerifyRunner runner;
        runner.setCommandLine("/no/such/ptxwb worker");
        Spies spies(runner);
        runner.verify(request("c1"));
        QVERIFY(spies.failed.wait(30000));
        QVERIFY(spies.message().startsWith("the worker could not be started: "));
        QCOMPARE(spies.failed[0].at(2).toString(), QString("the worker's command line is: /no/such/ptxwb worker"));
        QVERIFY(spies.failed[0].at(3).value<verify::CandidateResult>().stages.empty());
    }

    void aCommandLineThatCannotBeRead() {
        VerifyRunner runner;
        runner.setCommandLine("ssh 'gpu-box");
        Spies spies(runner);
        runner.verify(request("c1"));
        QVERIFY(spies.failed.wait(30000));
        QVERIFY2(spies.message().startsWith("the worker's command line in the settings cannot be read: "),
                 qPrintable(spies.message()));
        QSignalSpy described(&runner, &VerifyRunner::describeFailed);
        runner.describe();
        QCOMPARE(described.size(), 1);
    }

    void aKilledWorkerIsReplaced() {
        QTemporaryDir folder;
        const QString pidFile = folder.filePath("a pid");
        VerifyRunner runner;
        runner.setCommandLine(good + " '" + pidFile + '\'');
        Spies spies(runner);
        runner.verify(request("c1"));
        QTRY_VERIFY_WITH_TIMEOUT(!spies.progress.isEmpty(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(pidFile).size() > 0, 30000);
        QFile file(pidFile);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const int pid = file.readAll().trimmed().toInt();
        QVERIFY(pid > 1);
        QCOMPARE(::kill(pid, SIGKILL), 0);
        QVERIFY(spies.failed.wait(30000));
        QVERIFY2(
            spies.message().startsWith("the worker stopped (killed by signal 9 (Killed)) during \"function: n = 1\""),
            qPrintable(spies.message()));
        QCOMPARE(spies.stages.last().at(1).value<verify::StageResult>().stage, verify::Stage::function);
        runner.verify(request("c1"));
        QTRY_COMPARE_WITH_TIMEOUT(spies.progress.size(), 2, 30000);
    }

    void cancels_data() {
        QTest::addColumn<QString>("mode");
        QTest::newRow("a worker that confirms") << "slow";
        QTest::newRow("a worker that does not listen") << "deaf";
    }
    void cancels() {
        QFETCH(QString, mode);
        VerifyRunner runner;
        runner.setCommandLine(fake + ' ' + mode);
        Spies spies(runner);
        runner.verify(request("c1"));
        runner.enqueue(request("c2"));
        QCOMPARE(runner.queued(), 1);
        QVERIFY(spies.progress.wait(30000));
        runner.cancel();
        QCOMPARE(firsts(spies.cancelled), (QStringList{"c1", "c2"}));
        QVERIFY(!runner.isBusy());
        runner.verify(request("c3"));
        QTRY_COMPARE_WITH_TIMEOUT(spies.progress.last().at(0).toString(), QString("c3"), 30000);
        QCOMPARE(firsts(spies.started), (QStringList{"c1", "c3"}));
        QVERIFY(spies.failed.isEmpty());
    }

    void theNewestVerificationReplacesAll() {
        VerifyRunner runner;
        runner.setCommandLine(fake + " slow");
        Spies spies(runner);
        runner.verify(request("c1"));
        runner.enqueue(request("c2"));
        QVERIFY(spies.progress.wait(30000));
        runner.setCommandLine(good);
        runner.verify(request("c3"));
        QCOMPARE(firsts(spies.cancelled), (QStringList{"c1", "c2"}));
        QTRY_COMPARE_WITH_TIMEOUT(firsts(spies.finished), QStringList{"c3"}, 30000);
    }

    void theQueueGoesInOrder() {
        VerifyRunner runner;
        runner.setCommandLine(good);
        Spies spies(runner);
        for (const char* id : {"baseline", "c1", "c2"}) runner.enqueue(request(id));
        QTRY_COMPARE_WITH_TIMEOUT(firsts(spies.finished), (QStringList{"baseline", "c1", "c2"}), 30000);
        QCOMPARE(firsts(spies.started), firsts(spies.finished));
    }

    void oneFailureDoesNotEndTheQueue() {
        VerifyRunner runner;
        runner.setCommandLine(fake + " crash");
        Spies spies(runner);
        runner.enqueue(request("c1"));
        runner.enqueue(request("c2"));
        QTRY_COMPARE_WITH_TIMEOUT(firsts(spies.failed), (QStringList{"c1", "c2"}), 30000);
    }

    void aSlotMayStartTheNext() {
        VerifyRunner runner;
        runner.setCommandLine(good);
        Spies spies(runner);
        bool again = true;
        connect(&runner, &VerifyRunner::finished, this, [&] {
            if (std::exchange(again, false)) runner.verify(request("c2"));
        });
        runner.verify(request("c1"));
        QTRY_COMPARE_WITH_TIMEOUT(firsts(spies.finished), (QStringList{"c1", "c2"}), 30000);
        QVERIFY(spies.cancelled.isEmpty());
    }

    void describesTheWorker() {
        VerifyRunner runner;
        runner.setCommandLine(good);
        runner.warm();
        QSignalSpy described(&runner, &VerifyRunner::described);
        runner.describe();
        QVERIFY(described.wait(30000));
        const auto hello = described[0][0].toJsonObject();
        QCOMPARE(hello["version"].toString(), QString("shell"));
        QCOMPARE(hello["emulator"].toObject()["threads"].toInt(), 2);
    }

    void endsInTheMiddleOfARequest() {
        {
            VerifyRunner runner;
            runner.setCommandLine(fake + " hang");
            Spies spies(runner);
            runner.verify(request("c1"));
            QVERIFY(spies.progress.wait(30000));
        }
        QCoreApplication::processEvents();
    }

    void theDefaultIsTheProgramBesideThisOne() {
        qputenv("PTXWB_WORKER", "ssh gpu-box ptxwb worker");
        QCOMPARE(VerifyRunner::defaultCommandLine(), QString("ssh gpu-box ptxwb worker"));
        qunsetenv("PTXWB_WORKER");
        QVERIFY(VerifyRunner::defaultCommandLine().endsWith("/ptxwb worker"));
    }
};

QTEST_GUILESS_MAIN(VerifyRunnerTest)
#include "verify_runner_test.moc"
