// Long-lived children spoken to line by line.
#include "support/child_stream.h"

#include <QtTest>

#include <algorithm>
#include <csignal>
#include <thread>

using namespace ptxwb;
using namespace std::chrono_literals;

namespace {
std::unique_ptr<ChildStream> startShell(std::string script) {
    ChildRequest request;
    request.arguments = {"/bin/sh", "-c", std::move(script)};
    auto child = ChildStream::start(request);
    return child ? std::move(*child) : nullptr;
}
} // namespace

class ChildStreamTest : public QObject {
    Q_OBJECT

private slots:
    void echoesLines() {
        auto child = startShell("exec cat");
        QVERIFY(child && child->isAlive());
        QVERIFY(child->writeLine("one", 5s).has_value());
        QVERIFY(child->writeLine("two", 5s).has_value());
        QCOMPARE(child->readLine(5s).line, std::string("one"));
        QCOMPARE(child->readLine(5s).line, std::string("two"));
        QCOMPARE(child->readLine(20ms).end, ReadEnd::timedOut);
        child->closeInput();
        QCOMPARE(child->readLine(5s).end, ReadEnd::ended);
        const auto end = child->wait(5s);
        QVERIFY(end.has_value());
        QVERIFY(end->succeeded());
        QVERIFY(!child->isAlive());
    }

    void carriesLongLinesBothWays() {
        auto child = startShell("exec cat");
        const std::string text(5'000'000, 'y');
        std::jthread writer([&] { QVERIFY(child->writeLine(text, 60s).has_value()); });
        const auto read = child->readLine(60s);
        QCOMPARE(read.end, ReadEnd::line);
        QVERIFY(read.line == text);
    }

    void keepsAPartialLineAcrossDeadlines() {
        auto child = startShell("printf half; read x; echo whole");
        QCOMPARE(child->readLine(200ms).end, ReadEnd::timedOut);
        QVERIFY(child->writeLine("", 5s).has_value());
        QCOMPARE(child->readLine(5s).line, std::string("halfwhole"));
    }

    void handsOutTheUnfinishedLineAtTheEnd() {
        auto child = startShell("printf 'a\\nrest'");
        QCOMPARE(child->readLine(5s).line, std::string("a"));
        const auto last = child->readLine(5s);
        QCOMPARE(last.end, ReadEnd::ended);
        QCOMPARE(last.line, std::string("rest"));
    }

    void refusesEndlessLines() {
        auto child = startShell("exec tr '\\0' x </dev/zero");
        QCOMPARE(child->readLine(120s).end, ReadEnd::tooLong);
    }

    void cancelsAReader() {
        auto child = startShell("exec sleep 600");
        std::stop_source source;
        std::jthread canceller([&source] {
            std::this_thread::sleep_for(100ms);
            source.request_stop();
        });
        QCOMPARE(child->readLine(60s, source.get_token()).end, ReadEnd::cancelled);
        QVERIFY(child->isAlive());
    }

    void killUnblocksAReader() {
        auto child = startShell("trap '' TERM; sleep 600 & sleep 600");
        std::jthread killer([&child] {
            std::this_thread::sleep_for(100ms);
            child->kill();
        });
        QCOMPARE(child->readLine(60s).end, ReadEnd::ended);
        killer.join();
        QVERIFY(!child->isAlive());
        const auto end = child->wait(0ms);
        QVERIFY(end.has_value());
        QCOMPARE(end->end, ChildEnd::signalled);
        child->kill(); // once more does no harm
    }

    void killIsNotHeldUpByAWait() {
        auto child = startShell("exec sleep 600");
        std::optional<ChildResult> end;
        std::jthread waiter([&] { end = child->wait(60s); });
        std::this_thread::sleep_for(50ms);
        child->kill();
        waiter.join();
        QVERIFY(end.has_value());
        QCOMPARE(end->signal, SIGKILL);
    }

    void keepsTheLastErrors() {
        auto child = startShell(
            "i=0; while [ $i -lt 500 ]; do echo line $i >&2; i=$((i+1)); done; printf 'the end' >&2; echo done");
        QCOMPARE(child->readLine(30s).line, std::string("done"));
        QVERIFY(child->wait(30s).has_value());
        // The reader of stderr may be a little behind.
        for (int i = 0; i < 500 && (child->lastErrors().empty() || child->lastErrors().back() != "the end"); ++i)
            std::this_thread::sleep_for(10ms);
        const auto errors = child->lastErrors();
        QCOMPARE(errors.back(), std::string("the end"));
        QCOMPARE(errors[errors.size() - 2], std::string("line 499"));
        QVERIFY(errors.size() <= 201);
    }

    void writingToADeadChildIsAnError() {
        auto child = startShell("exit 0");
        QVERIFY(child->wait(5s).has_value());
        const auto written = child->writeLine("hello", 5s);
        QVERIFY(!written.has_value());
        QCOMPARE(written.error().message, std::string("cannot write to the child: Broken pipe"));
    }

    void aChildThatDoesNotReadIsAnError() {
        auto child = startShell("exec sleep 600");
        const auto written = child->writeLine(std::string(1'000'000, 'x'), 200ms);
        QVERIFY(!written.has_value());
        QCOMPARE(written.error().message, std::string("the child did not read its input within 200 ms"));
    }

    void aMissingProgramIsAnError() {
        ChildRequest request;
        request.arguments = {"/no/such/worker"};
        const auto child = ChildStream::start(request);
        QVERIFY(!child.has_value());
        QCOMPARE(child.error().cause, Cause::missing);
        QCOMPARE(child.error().message, std::string("cannot start /no/such/worker: no such executable file"));
    }
};

QTEST_APPLESS_MAIN(ChildStreamTest)
#include "child_stream_test.moc"
