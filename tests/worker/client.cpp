#include "worker/client.h"

#include <QtTest>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

using namespace ptxwb;
using namespace ptxwb::worker;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

const std::string fake = PTXWB_BINARY_DIR "/tests/ptxwb_fake_worker";

WorkerCommand command(const std::string& mode, std::chrono::milliseconds hello = 10s) {
    return {{fake, mode}, hello};
}

bool isGone(const json& pid) {
    return ::kill(pid.get<pid_t>(), 0) != 0;
}

} // namespace

class ClientTest : public QObject {
    Q_OBJECT

private slots:
    void answersWithStagesAndProgress() {
        WorkerClient client(command("good"));
        std::vector<verify::Stage> stages;
        std::vector<std::string> steps;
        const Callbacks callbacks{[&](const verify::StageResult& s) { stages.push_back(s.stage); },
                                  [&](const Progress& p) { steps.push_back(p.what); }};
        const auto answer = client.call(Job::verify, json::object(), callbacks);
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QCOMPARE(stages, std::vector{verify::Stage::parse});
        QCOMPARE(steps, std::vector<std::string>{"function: n = 1"});
        QCOMPARE(client.hello().value().at("version").get<std::string>(), std::string("fake"));
    }

    void keepsItsWorkerBetweenCalls() {
        WorkerClient client(command("good"));
        const auto first = client.call(Job::run, json::object()).value();
        QCOMPARE(client.call(Job::run, json::object()).value(), first);
    }

    void endsItsWorkerWithItself() {
        json pid;
        {
            WorkerClient client(command("good"));
            pid = client.call(Job::run, json::object()).value().at("pid");
            QVERIFY(!isGone(pid));
        }
        QVERIFY(isGone(pid));
    }

    void misbehaviour_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("message");
        QTest::newRow("crash")
            << "crash"
            << "the worker stopped (killed by signal 11 (Segmentation fault)) during \"sanitize: n = 33\"; it "
               "last wrote: \"about to read a null pointer\"";
        QTest::newRow("exit") << "exit3" << "the worker stopped (ended with status 3) during \"verify\"";
        QTest::newRow("hang") << "hang" << "the worker gave no answer within 300 ms during \"stress: n = 4097\"";
        QTest::newRow("rubbish")
            << "rubbish"
            << "the worker wrote something that is no answer: not a line of the protocol: \"printed by a "
               "\\x01 library, " +
                   QString(96, 'x') + "\" and 104 bytes more, during \"verify\"";
        QTest::newRow("half a line")
            << "half" << "the worker ended in the middle of a line, \"{\\\"id\\\":1,\\\"do\", during \"verify\"";
        QTest::newRow("foreign id") << "other_id"
                                    << "the worker answered request 99, which nobody sent, during \"verify\"";
        QTest::newRow("unknown stage") << "bad_stage"
                                       << "the worker wrote something that is no answer: a `stage` that cannot be read "
                                          "(unknown stage \"polish\"): ";
        QTest::newRow("no hello") << "silent" << "the worker said nothing within 300 ms";
        QTest::newRow("dies at once")
            << "dies_at_once"
            << "the worker ended before it said hello: it ended with status 5; it last wrote: \"no "
               "licence for this machine\"";
        QTest::newRow("version") << "wrong_version" << "the worker speaks protocol 2, this program speaks 1";
        QTest::newRow("login message")
            << "motd"
            << "the worker's first line is no hello but \"Welcome to gpu-box! Last login: Monday\"";
    }
    void misbehaviour() {
        QFETCH(QString, mode);
        QFETCH(QString, message);
        const bool hangs = mode == "hang" || mode == "silent";
        WorkerClient client(command(mode.toStdString(), hangs ? 300ms : 10s));
        const auto answer = client.call(Job::verify, json::object(), {}, {}, mode == "hang" ? 300ms : 10s);
        QVERIFY(!answer);
        const QString got = QString::fromStdString(answer.error().message);
        QVERIFY2(got.startsWith(message), qPrintable(got));
        // The next call is not poisoned by this one: it starts another worker and meets the same end, not a leftover of
        // the first.
        const auto again = client.call(Job::verify, json::object(), {}, {}, mode == "hang" ? 300ms : 10s);
        QVERIFY(!again);
        const QString second = QString::fromStdString(again.error().message);
        QVERIFY2(second.startsWith(message) || mode == "half" /* its text holds the id */, qPrintable(second));
    }

    void refusesALineOverTheLimit() {
        WorkerClient client(command("long_line"));
        const auto answer = client.call(Job::verify, json::object(), {}, {}, 60s);
        QVERIFY(!answer);
        QVERIFY2(answer.error().message.starts_with("the worker wrote a line longer than 67108864 bytes"),
                 answer.error().message.c_str());
    }

    void refusesARequestOverTheLimit() {
        WorkerClient client(command("good"));
        const auto answer = client.call(Job::verify, json{{"text", std::string(longestLine, 'z')}});
        QVERIFY(!answer);
        QVERIFY(answer.error().message.find("more than the 67108864 that a worker takes") != std::string::npos);
        QCOMPARE(answer.error().cause, Cause::badRequest);
    }

    void saysWhatIsMissing() {
        WorkerClient client({{"/no/such/ptxwb", "worker"}});
        const auto answer = client.call(Job::verify, json::object());
        QVERIFY(!answer);
        QCOMPARE(answer.error().cause, Cause::missing);
        QVERIFY2(answer.error().message.starts_with("the worker could not be started: "),
                 answer.error().message.c_str());
        QVERIFY(answer.error().message.find("/no/such/ptxwb") != std::string::npos);
        QCOMPARE(answer.error().hint, std::string("the worker's command line is: /no/such/ptxwb worker"));
    }

    void passesTheWorkersOwnErrorOnAndKeepsIt() {
        WorkerClient client(command("refuse"));
        const auto answer = client.call(Job::verify, json::object());
        QVERIFY(!answer);
        QCOMPARE(answer.error().message, std::string("no such entry"));
        QCOMPARE(answer.error().hint, std::string("name one"));
        QCOMPARE(answer.error().cause, Cause::badRequest);
    }

    void replacesAWorkerThatDiedWhileIdle() {
        WorkerClient client(command("one_job"));
        const auto first = client.call(Job::run, json::object()).value();
        std::this_thread::sleep_for(50ms);
        const auto second = client.call(Job::run, json::object());
        QVERIFY2(second, second ? "" : second.error().message.c_str());
        QVERIFY(*second != first);
    }

    void usesTheSpareAfterACrash() {
        WorkerClient client(command("crash"));
        client.warm();
        QVERIFY(!client.call(Job::run, json::object()));
        client.warm();
        QVERIFY(client.hello());
    }

    void cancels_data() {
        QTest::addColumn<QString>("mode");
        QTest::newRow("a worker that confirms") << "slow";
        QTest::newRow("a worker that does not listen") << "deaf";
    }
    void cancels() {
        QFETCH(QString, mode);
        WorkerClient client(command(mode.toStdString()));
        std::stop_source stop;
        const Callbacks callbacks{{}, [&](const Progress&) { stop.request_stop(); }};
        const auto answer = client.call(Job::verify, json::object(), callbacks, stop.get_token());
        QVERIFY(!answer);
        QCOMPARE(answer.error().cause, Cause::cancelled);
        std::stop_source second;
        const Callbacks again{{}, [&](const Progress&) { second.request_stop(); }};
        QCOMPARE(client.call(Job::verify, json::object(), again, second.get_token()).error().cause, Cause::cancelled);
    }
};

QTEST_APPLESS_MAIN(ClientTest)
#include "client.moc"
