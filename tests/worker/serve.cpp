#include "worker/serve.h"

#include "support/unique_fd.h"

#include <QtTest>
#include <condition_variable>
#include <fcntl.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

using namespace ptxwb;
using namespace ptxwb::worker;
using nlohmann::json;

namespace {

/// Serves over two pipes in a thread, like a worker process would over its stdin and stdout.
class Session {
public:
    explicit Session(Handler handler, std::function<bool()> mustEnd = {})
        : m_handler(std::move(handler)), m_mustEnd(std::move(mustEnd)) {
        int in[2], out[2];
        if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) std::abort();
        m_toWorker = UniqueFd(in[1]);
        m_workerIn = UniqueFd(in[0]);
        m_fromWorker = UniqueFd(out[0]);
        m_workerOut = UniqueFd(out[1]);
        m_thread = std::thread([this] {
            status = serve(m_workerIn.get(), m_workerOut.get(), json{{"protocol", protocolVersion}}, m_handler,
                           stop.get_token(), m_mustEnd);
            m_workerOut = UniqueFd();
        });
    }
    ~Session() { close(); }

    void close() {
        m_toWorker = UniqueFd();
        if (m_thread.joinable()) m_thread.join();
    }
    void send(std::string line) {
        line += '\n';
        QCOMPARE(::write(m_toWorker.get(), line.data(), line.size()), static_cast<ssize_t>(line.size()));
    }
    std::string line() {
        char c = 0;
        std::string text;
        while (::read(m_fromWorker.get(), &c, 1) == 1 && c != '\n') text += c;
        return text;
    }
    FromWorker answer() { return parseFromWorker(line()).value(); }

    int status = -1;
    std::stop_source stop;

    void join() { m_thread.join(); }

private:
    Handler m_handler;
    std::function<bool()> m_mustEnd;
    UniqueFd m_toWorker, m_workerIn, m_fromWorker, m_workerOut;
    std::thread m_thread;
};

Expected<json> echo(Job job, const json& body, const Reporter& reporter, std::stop_token) {
    reporter.progress({1, 1, std::string(name(job))});
    return body;
}

Expected<json> untilStopped(Job, const json&, const Reporter& reporter, std::stop_token stop) {
    reporter.progress({0, 0, "waiting"});
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait(lock, stop, [] { return false; });
    reporter.progress({0, 0, "must not be seen"});
    return failure(Cause::cancelled, "stopped");
}

} // namespace

class ServeTest : public QObject {
    Q_OBJECT

private slots:
    void greetsAndAnswersInOrder() {
        Session session(echo);
        QVERIFY(session.answer().kind == AnswerKind::hello);
        session.send(requestLine(1, Job::run, json{{"a", 1}}));
        session.send(requestLine(2, Job::assemble, json{{"a", 2}}));
        QCOMPARE(session.answer().progress->what, std::string("run"));
        QCOMPARE(session.answer().body->at("a").get<int>(), 1);
        QCOMPARE(session.answer().progress->what, std::string("assemble"));
        QCOMPARE(session.answer().body->at("a").get<int>(), 2);
        session.close();
        QCOMPARE(session.status, 0);
    }

    void answersACancelAtOnceAndNothingAfterIt() {
        Session session(untilStopped);
        session.answer();
        session.send(requestLine(1, Job::run, json::object()));
        session.send(requestLine(2, Job::run, json::object()));
        QCOMPARE(session.answer().progress->what, std::string("waiting"));
        session.send(cancelLine(2)); // it has not begun
        const auto waiting = session.answer();
        QCOMPARE(waiting.id, 2u);
        QVERIFY(waiting.cancelled);
        session.send(cancelLine(1));
        const auto running = session.answer();
        QCOMPARE(running.id, 1u);
        QVERIFY(running.cancelled);
        session.send(cancelLine(1)); // too late: no second answer
        session.send(requestLine(3, Job::run, json::object()));
        const auto next = session.answer();
        QCOMPARE(next.id, 3u);
        QCOMPARE(next.progress->what, std::string("waiting"));
    }

    void endOfInputStopsTheJob() {
        Session session(untilStopped);
        session.answer();
        session.send(requestLine(1, Job::run, json::object()));
        session.answer();
        session.close(); // returns only once the job has noticed
        QCOMPARE(session.status, 0);
    }

    void aStopEndsItWithItsJob() {
        Session session(untilStopped);
        session.answer();
        session.send(requestLine(1, Job::run, json::object()));
        session.answer();
        session.stop.request_stop(); // the input stays open
        session.join();
        QCOMPARE(session.status, 0);
    }

    void aWorkerThatIsTakenDownSaysSoAndEnds() {
        for (const bool fails : {false, true}) {
            int jobs = 0;
            Session session(
                [&](Job, const json&, const Reporter&, std::stop_token) -> Expected<json> {
                    if (++jobs == 2 && fails) return failure(Cause::internal, "gone");
                    return json{{"job", jobs}};
                },
                [&] { return jobs == 2; });
            session.answer(); // hello
            session.send(requestLine(1, Job::verify, json::object()));
            QVERIFY(!session.answer().ending);
            session.send(requestLine(2, Job::verify, json::object()));
            const FromWorker last = session.answer();
            QCOMPARE(last.kind, fails ? AnswerKind::error : AnswerKind::done);
            QVERIFY(last.ending);
            session.join(); // its input is still open
            QCOMPARE(session.status, 0);
        }
    }

    void anExceptionEndsTheJobNotTheWorker() {
        Session session([](Job job, const json& body, const Reporter&, std::stop_token) -> Expected<json> {
            if (job == Job::run) throw std::runtime_error("out of luck");
            return body;
        });
        session.answer();
        session.send(requestLine(1, Job::run, json::object()));
        const auto failed = session.answer();
        QCOMPARE(failed.error->message, std::string("run stopped by an internal error: out of luck"));
        QVERIFY(failed.error->cause == Cause::internal);
        session.send(requestLine(2, Job::compile, json::object()));
        QVERIFY(session.answer().kind == AnswerKind::done);
    }

    void answersRubbishWithAnError() {
        Session session(echo);
        session.answer();
        session.send("{\"id\":4,\"dance\":{}}");
        const auto answer = session.answer();
        QCOMPARE(answer.id, 4u);
        QVERIFY(answer.error->message.starts_with("a request that is none of"));
        session.send(requestLine(5, Job::run, json::object()));
        QCOMPARE(session.answer().id, 5u);
    }

    void anAnswerOverTheLimitIsAnError() {
        Session session([](Job, const json&, const Reporter&, std::stop_token) -> Expected<json> {
            return json{{"text", std::string(longestLine, 'q')}};
        });
        session.answer();
        session.send(requestLine(1, Job::run, json::object()));
        QVERIFY(session.answer().error->message.find("more than the 67108864 of a line") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(ServeTest)
#include "serve.moc"
