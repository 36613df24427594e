// One-shot children: what they print, how they end, and that nothing of them stays.
#include "support/child_process.h"
#include "support/environment.h"
#include "support/files.h"

#include <QtTest>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace ptxwb;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

ChildRequest shell(std::string script) {
    ChildRequest request;
    request.arguments = {"/bin/sh", "-c", std::move(script)};
    return request;
}

/// Whether a process runs (a zombie does not). Waits a little: a killed grandchild is reaped by init.
bool staysAlive(pid_t pid) {
    for (int i = 0; i < 200; ++i) {
        std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
        std::string text;
        if (!std::getline(stat, text)) return false;
        const auto close = text.rfind(')');
        if (close != std::string::npos && text.size() > close + 2 && text[close + 2] == 'Z') return false;
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

std::size_t openDescriptors() {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
}

} // namespace

class ChildProcessTest : public QObject {
    Q_OBJECT

private slots:
    void capturesBothStreamsAndTheStatus() {
        const auto result = runChild(shell("echo out; echo err >&2; exit 3"));
        QCOMPARE(result.end, ChildEnd::exited);
        QCOMPARE(result.exitCode, 3);
        QCOMPARE(result.output, std::string("out\n"));
        QCOMPARE(result.errors, std::string("err\n"));
        QVERIFY(!result.succeeded());
        QCOMPARE(describe(result), std::string("ended with status 3"));
    }

    void argumentsAreNotSplitOrExpanded() {
        ChildRequest request;
        request.arguments = {"/usr/bin/printf", "%s|", "a b", "$HOME", "it's \"x\"", ""};
        QCOMPARE(runChild(request).output, std::string("a b|$HOME|it's \"x\"||"));
    }

    void feedsInputLargerThanAPipe() {
        ChildRequest request;
        request.arguments = {"cat"};
        request.input = std::string(3'000'000, 'x') + "end";
        const auto result = runChild(request);
        QVERIFY(result.succeeded());
        QCOMPARE(result.output.size(), request.input.size());
        QVERIFY(result.output == request.input);
    }

    void survivesAChildThatReadsNothing() {
        auto request = shell("exec <&-; exit 0");
        request.input = std::string(1'000'000, 'x');
        QVERIFY(runChild(request).succeeded());
    }

    void inputIsEmptyWithoutText() { QCOMPARE(runChild(shell("wc -c")).output, std::string("0\n")); }

    void reportsTruncation() {
        auto request = shell("head -c 100000 /dev/zero; echo short >&2");
        request.outputLimit = 1000;
        const auto result = runChild(request);
        QVERIFY(result.succeeded());
        QCOMPARE(result.output.size(), std::size_t{1000});
        QVERIFY(result.outputTruncated);
        QVERIFY(!result.errorsTruncated);
    }

    void saysWhyItDidNotStart_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("message");
        QTest::newRow("name") << QStringList{"no-such-program"} << ""
                              << "cannot start no-such-program: not found along PATH";
        QTest::newRow("path") << QStringList{"/no/such"} << "" << "cannot start /no/such: no such executable file";
        QTest::newRow("folder") << QStringList{"/bin/true"} << "/no/such"
                                << "cannot start /bin/true: working folder /no/such: No such file or directory";
    }
    void saysWhyItDidNotStart() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, folder);
        QFETCH(QString, message);
        ChildRequest request;
        for (const auto& argument : arguments) request.arguments.push_back(argument.toStdString());
        request.workingFolder = folder.toStdString();
        const auto result = runChild(request);
        QCOMPARE(result.end, ChildEnd::notStarted);
        QCOMPARE(QString::fromStdString(result.startError), message);
    }

    void aFileThatIsNoProgramDoesNotStart() {
        const auto folder = TemporaryFolder::create();
        QVERIFY(folder.has_value());
        const auto path = folder->path() / "garbage";
        QVERIFY(writeFileAtomically(path, "\x01\x02").has_value());
        fs::permissions(path, fs::perms::owner_all);
        ChildRequest request;
        request.arguments = {path.string()};
        const auto result = runChild(request);
        QCOMPARE(result.end, ChildEnd::notStarted);
        QCOMPARE(result.startError, "cannot start " + path.string() + ": Exec format error");
    }

    void namesTheSignal() {
        const auto result = runChild(shell("kill -SEGV $$"));
        QCOMPARE(result.end, ChildEnd::signalled);
        QCOMPARE(describe(result), std::string("killed by signal 11 (Segmentation fault)"));
    }

    void killsTheWholeGroupAtTheDeadline() {
        // The child ignores TERM and has a child of its own.
        auto request = shell("trap '' TERM; sleep 600 & echo $!; while :; do sleep 1; done");
        request.deadline = 300ms;
        const auto result = runChild(request);
        QCOMPARE(result.end, ChildEnd::timedOut);
        QCOMPARE(describe(result, request.deadline), std::string("timed out after 300 ms"));
        QVERIFY(result.seconds < 30);
        const pid_t grandchild = std::stoi(result.output);
        QVERIFY(grandchild > 1);
        QVERIFY(!staysAlive(grandchild));
    }

    void killsGrandchildrenAfterANormalEnd() {
        const auto result = runChild(shell("sleep 600 & echo $!; exit 0"));
        QVERIFY(result.succeeded());
        QVERIFY(!staysAlive(std::stoi(result.output)));
    }

    void anEndlessWriterIsStoppedToo() {
        auto request = shell("exec cat /dev/zero");
        request.deadline = 300ms;
        request.outputLimit = 1000;
        const auto result = runChild(request);
        QCOMPARE(result.end, ChildEnd::timedOut);
        QVERIFY(result.outputTruncated);
    }

    void cancellationEndsIt() {
        std::stop_source source;
        std::jthread canceller([&source] {
            std::this_thread::sleep_for(200ms);
            source.request_stop();
        });
        const auto result = runChild(shell("echo $$; trap '' TERM INT; sleep 600; sleep 600"), source.get_token());
        QCOMPARE(result.end, ChildEnd::cancelled);
        QVERIFY(!staysAlive(std::stoi(result.output)));
        QCOMPARE(runChild(shell("exit 0"), source.get_token()).end, ChildEnd::cancelled);
    }

    void memoryLimitIsSet() {
        auto request = shell("ulimit -v");
        request.memoryLimitBytes = std::uint64_t{512} << 20;
        QCOMPARE(runChild(request).output, std::string("524288\n"));
    }

    void environmentIsScrubbed() {
        ::setenv("NVCC_APPEND_FLAGS", "-DSURPRISE", 1);
        ::setenv("PTXWB_TEST_KEPT", "yes", 1);
        const auto output = runChild(shell("echo [$NVCC_APPEND_FLAGS] [$PTXWB_TEST_KEPT]")).output;
        ::unsetenv("NVCC_APPEND_FLAGS");
        ::unsetenv("PTXWB_TEST_KEPT");
        QCOMPARE(output, std::string("[] [yes]\n"));
        auto request = shell("echo [$A] [$HOME]");
        request.environment = std::vector<std::string>{"A=1"};
        setVariable(*request.environment, "A", "2");
        QCOMPARE(runChild(request).output, std::string("[2] []\n"));
    }

    void leaksNoDescriptorsInEitherDirection() {
        const auto before = openDescriptors();
        const int inheritable = ::dup(0); // without O_CLOEXEC, as a driver may open one
        std::vector<std::jthread> threads;
        std::atomic<int> wrong = 0;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&wrong] {
                for (int i = 0; i < 10; ++i)
                    if (runChild(shell("ls /proc/self/fd | wc -l")).output != "4\n")
                        ++wrong; // 0, 1, 2 and the listing's own
            });
        threads.clear();
        ::close(inheritable);
        QCOMPARE(wrong.load(), 0);
        QCOMPARE(openDescriptors(), before);
    }
};

QTEST_APPLESS_MAIN(ChildProcessTest)
#include "child_process_test.moc"
