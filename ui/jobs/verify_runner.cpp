#include "jobs/verify_runner.h"

#include "session/session.h"
#include "support/environment.h"
#include "support/sha256.h"
#include "worker/client.h"
#include "worker/requests.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMetaObject>
#include <QThreadPool>

#include <deque>
#include <nlohmann/json.hpp>
#include <utility>

namespace ptxwb::ui {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds betweenProgress{50}; ///< the emulator tells of thousands of runs a second

/// As worker::splitCommandLine reads it back.
QString asWord(const std::string& path) {
    std::string text;
    for (const char c : path) {
        if (std::string_view(" \t\"'\\").find(c) != std::string_view::npos) text += '\\';
        text += c;
    }
    return QString::fromStdString(text);
}

/// The stage that a worker was in when it failed: the one its progress names, else the one after the last answer.
std::optional<verify::Stage> stageUnderWay(const std::vector<verify::StageResult>& answered,
                                           const std::string& progress) {
    if (const auto named = verify::stage(progress.substr(0, progress.find(':'))); named && !find(answered, *named))
        return named;
    if (answered.empty()) return std::nullopt;
    const auto next = static_cast<int>(answered.back().stage) + 1;
    return next > static_cast<int>(verify::Stage::benchmark) ? std::nullopt
                                                             : std::optional(static_cast<verify::Stage>(next));
}

/// What one request came to, made on the runner's thread.
struct Outcome {
    std::optional<verify::VerifyReport> report;
    Diagnostic error;
    verify::CandidateResult judged;
    std::optional<verify::StageResult> brokenStage;
};

} // namespace

struct VerifyRunner::State {
    explicit State(VerifyRunner* owner) : runner(owner) {
        pool.setMaxThreadCount(1);
        pool.setExpiryTimeout(-1);
    }

    VerifyRunner* runner;
    QString commandLine; ///< empty: the default
    milliseconds deadline = std::chrono::minutes(10);
    std::shared_ptr<worker::WorkerClient> client; ///< of `commandLine`; made when first needed
    std::deque<VerifyRequest> queue;
    QString running;
    std::uint64_t generation = 0; ///< of the running request
    std::stop_source stop;
    bool toldBusy = false;
    QThreadPool pool; ///< last: it ends first, and its work refers to the rest

    Expected<std::shared_ptr<worker::WorkerClient>> ready() {
        if (client) return client;
        auto words = worker::splitCommandLine(runner->effectiveCommandLine().toStdString());
        if (!words) {
            words.error().message =
                "the worker's command line in the settings cannot be read: " + words.error().message;
            return std::unexpected(std::move(words.error()));
        }
        client = std::make_shared<worker::WorkerClient>(worker::WorkerCommand{std::move(*words)});
        return client;
    }

    /// Runs `action` on the window's thread if the request of `wanted` still is the running one.
    template <class Action>
    void post(std::uint64_t wanted, Action action) {
        // The pool is waited for before the runner ends: it is alive here.
        QMetaObject::invokeMethod(
            runner,
            [this, wanted, action = std::move(action)] {
                if (wanted == generation) action();
            },
            Qt::QueuedConnection);
    }

    void startNext();
    Outcome judge(worker::WorkerClient& to, const VerifyRequest& request, std::stop_token stopToken, milliseconds limit,
                  std::uint64_t id);
    void end(const QString& candidate, const Outcome& outcome);
    /// Forgets the running request and the queue. Returns those that must be told.
    QStringList drop();
    void tellBusy();
};

Outcome VerifyRunner::State::judge(worker::WorkerClient& to, const VerifyRequest& request, std::stop_token stopToken,
                                   milliseconds limit, std::uint64_t id) {
    Outcome outcome;
    outcome.judged.candidate =
        request.input.candidate ? request.input.candidate->name : std::string(session::baselineId);
    if (request.input.candidate) outcome.judged.sha256 = sha256Hex(request.input.candidate->text);
    std::string lastProgress, lastStage;
    Clock::time_point told{};
    const QString candidate = request.candidate;
    const worker::Callbacks callbacks{
        [&](const verify::StageResult& stage) {
            outcome.judged.stages.push_back(stage);
            post(id, [this, candidate, stage] { emit runner->stageAnswered(candidate, stage); });
        },
        [&](const worker::Progress& p) {
            const std::string stage = p.what.substr(0, p.what.find(':'));
            lastProgress = p.what;
            if (stage == lastStage && Clock::now() - told < betweenProgress && p.done != p.of) return;
            lastStage = stage;
            told = Clock::now();
            post(id, [this, candidate, p] {
                emit runner->progress(candidate, static_cast<int>(p.done), static_cast<int>(p.of),
                                      QString::fromStdString(p.what));
            });
        }};
    auto answer = to.call(worker::Job::verify, worker::toJson(request.input), callbacks, stopToken, limit);
    auto report = answer ? verify::verifyReportFromJson(*answer)
                         : Expected<verify::VerifyReport>(std::unexpected(std::move(answer.error())));
    if (report && report->results.size() != 1)
        report = failure(Cause::internal, "the worker's answer holds no result for the candidate",
                         "use the same version of ptxwb on both sides");
    if (report) {
        // A byte that is no UTF-8 does not travel: the worker's own hash would be that of another text.
        if (request.input.candidate) report->results.front().sha256 = outcome.judged.sha256;
        outcome.report = std::move(*report);
        return outcome;
    }
    outcome.error = std::move(report.error());
    const auto stage =
        outcome.error.cause == Cause::internal ? stageUnderWay(outcome.judged.stages, lastProgress) : std::nullopt;
    if (stage) {
        outcome.brokenStage =
            verify::StageResult{*stage, verify::Status::inconclusive, {}, outcome.error.message, 0, {}, 0};
        outcome.judged.stages.push_back(*outcome.brokenStage);
    }
    outcome.judged.verdict = foldVerdict(outcome.judged.stages);
    return outcome;
}

void VerifyRunner::State::startNext() {
    if (!running.isEmpty() || queue.empty()) return tellBusy();
    auto request = std::make_shared<VerifyRequest>(std::move(queue.front()));
    queue.pop_front();
    running = request->candidate;
    stop = std::stop_source();
    const std::uint64_t id = ++generation;
    tellBusy();
    emit runner->started(request->candidate);
    if (id != generation) return; // a slot cancelled it
    const auto to = ready();
    if (!to) {
        Outcome outcome;
        outcome.error = to.error();
        post(id, [this, request, outcome] { end(request->candidate, outcome); });
        return;
    }
    pool.start([this, request, to = *to, token = stop.get_token(), limit = deadline, id] {
        Outcome outcome;
        if (token.stop_requested()) return;
        try {
            outcome = judge(*to, *request, token, limit, id);
        } catch (const std::exception& error) {
            outcome.error =
                failure(Cause::internal, std::string("the request could not be made: ") + error.what()).error();
        }
        post(id, [this, request, outcome = std::move(outcome)] { end(request->candidate, outcome); });
        to->warm();
    });
}

void VerifyRunner::State::end(const QString& candidate, const Outcome& outcome) {
    running.clear();
    ++generation;
    if (outcome.report) {
        emit runner->finished(candidate, *outcome.report);
    } else if (outcome.error.cause == Cause::cancelled) {
        emit runner->cancelled(candidate);
    } else {
        if (outcome.brokenStage) emit runner->stageAnswered(candidate, *outcome.brokenStage);
        emit runner->failed(candidate, QString::fromStdString(outcome.error.message),
                            QString::fromStdString(outcome.error.hint), outcome.judged);
    }
    startNext();
}

QStringList VerifyRunner::State::drop() {
    QStringList dropped;
    if (!running.isEmpty()) dropped += running;
    for (const VerifyRequest& request : queue) dropped += request.candidate;
    stop.request_stop();
    ++generation;
    running.clear();
    queue.clear();
    return dropped;
}

void VerifyRunner::State::tellBusy() {
    if (toldBusy == runner->isBusy()) return;
    toldBusy = !toldBusy;
    emit runner->busyChanged(toldBusy);
}

VerifyRunner::VerifyRunner(QObject* parent) : QObject(parent), m_state(std::make_unique<State>(this)) {}

VerifyRunner::~VerifyRunner() {
    m_state->drop();
    m_state->pool.waitForDone();
}

QString VerifyRunner::defaultCommandLine() {
    if (const auto given = environmentVariable("PTXWB_WORKER")) return QString::fromStdString(*given);
    const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/ptxwb");
    std::string program = beside.toStdString();
    if (!QFileInfo(beside).isExecutable())
        if (const auto found = findProgram("ptxwb", environmentVariable("PATH").value_or(std::string{})))
            program = found->string();
    return asWord(program) + QStringLiteral(" worker");
}

void VerifyRunner::setCommandLine(const QString& commandLine) {
    if (m_state->commandLine == commandLine) return;
    m_state->commandLine = commandLine;
    // Ends the idle worker; one that is busy belongs to its request until that ends.
    m_state->pool.start([old = std::exchange(m_state->client, nullptr)]() mutable { old.reset(); });
}

QString VerifyRunner::commandLine() const {
    return m_state->commandLine;
}

QString VerifyRunner::effectiveCommandLine() const {
    return m_state->commandLine.trimmed().isEmpty() ? defaultCommandLine() : m_state->commandLine;
}

void VerifyRunner::setDeadline(milliseconds deadline) {
    m_state->deadline = deadline;
}

void VerifyRunner::warm() {
    // One that cannot be started is reported by the request that needs it.
    if (const auto client = m_state->ready()) m_state->pool.start([client = *client] { client->warm(); });
}

void VerifyRunner::describe() {
    const auto client = m_state->ready();
    if (!client) {
        emit describeFailed(QString::fromStdString(client.error().message),
                            QString::fromStdString(client.error().hint));
        return;
    }
    m_state->pool.start([this, client = *client] {
        const auto hello = client->hello();
        QMetaObject::invokeMethod(
            this,
            [this, hello] {
                if (hello) {
                    const std::string text = hello->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
                    emit described(QJsonDocument::fromJson(QByteArray::fromStdString(text)).object());
                } else {
                    emit describeFailed(QString::fromStdString(hello.error().message),
                                        QString::fromStdString(hello.error().hint));
                }
            },
            Qt::QueuedConnection);
    });
}

void VerifyRunner::verify(VerifyRequest request) {
    const QStringList dropped = m_state->drop();
    m_state->queue.push_back(std::move(request));
    for (const QString& candidate : dropped) emit cancelled(candidate);
    m_state->startNext();
}

void VerifyRunner::enqueue(VerifyRequest request) {
    m_state->queue.push_back(std::move(request));
    m_state->startNext();
}

void VerifyRunner::cancel() {
    for (const QString& candidate : m_state->drop()) emit cancelled(candidate);
    m_state->tellBusy();
}

bool VerifyRunner::isBusy() const {
    return !m_state->running.isEmpty() || !m_state->queue.empty();
}
QString VerifyRunner::running() const {
    return m_state->running;
}
int VerifyRunner::queued() const {
    return static_cast<int>(m_state->queue.size());
}

} // namespace ptxwb::ui
