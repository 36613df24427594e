// What happens to the processes behind a command: Ctrl+C, a worker that crashes, an assembler that hangs.
#include "program.h"
#include "schema_check.h"

#include <QFile>
#include <QProcess>
#include <QtTest>
#include <csignal>
#include <fstream>

using namespace ptxwb::test;
using nlohmann::json;

namespace {

bool runs(pid_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    if (!std::getline(stat, text)) return false;
    const auto close = text.rfind(')');
    return close != std::string::npos && text.size() > close + 2 && text[close + 2] != 'Z';
}

} // namespace

class ProcessesTest : public QObject {
    Q_OBJECT

private slots:
    void interruptEndsEverything() {
        Program program;
        const auto pidFile = program.folder() / "pid";
        // An assembler that ignores the polite signals and never comes back.
        const auto fake = program.write(
            "ptxas", "#!/bin/sh\ncase \"$*\" in *--version*) echo 'release 13.0, V13.0.88'; exit 0;; esac\n"
                     "trap '' INT TERM\nsleep 600 &\necho $! > '" +
                         pidFile.string() + ".new'\nmv '" + pidFile.string() + ".new' '" + pidFile.string() +
                         "'\nwait\n");
        std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PTXWB_PTXAS", QString::fromStdString(fake.string()));
        environment.insert("PTXWB_RESOURCES", PTXWB_SOURCE_DIR "/resources");
        environment.insert("XDG_CONFIG_HOME", QString::fromStdString((program.folder() / "config").string()));
        process.setProcessEnvironment(environment);
        process.start(PTXWB_BINARY_DIR "/bin/ptxwb",
                      {"assemble", PTXWB_SOURCE_DIR "/resources/examples/saxpy/saxpy.sm_90.ptx"});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(pidFile.string())), 60'000);
        pid_t sleeper = 0;
        std::ifstream(pidFile) >> sleeper;
        QVERIFY(runs(sleeper));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QTRY_VERIFY_WITH_TIMEOUT(!runs(sleeper), 10'000);
    }

    void aCrashedWorkerCostsOneCandidate() {
        const Program program;
        const std::string fake = PTXWB_BINARY_DIR "/tests/ptxwb_fake_worker crash";
        const Answer answer = program.run({"verify", "saxpy", "--candidate", "vectorized", "--worker", fake});
        QVERIFY2(answer.status == 4, describe(answer));
        QVERIFY2(answer.errors.find("killed by signal 11") != std::string::npos &&
                     answer.errors.find("\"sanitize: n = 33\"") != std::string::npos,
                 describe(answer));
        QVERIFY2(answer.output.find("\nbaseline") != std::string::npos &&
                     answer.output.find("\nvectorized") != std::string::npos,
                 describe(answer));
        const Answer value = program.run({"verify", "saxpy", "--candidate", "vectorized", "--worker", fake, "--json"});
        QCOMPARE(value.status, 4);
        QCOMPARE(value.json().at("results").size(), std::size_t{2});
        QCOMPARE(value.json().at("results").at(1).at("verdict"), json("incomplete"));
    }
};

QTEST_GUILESS_MAIN(ProcessesTest)
#include "processes.moc"
