#include "worker/client.h"

#include "support/child_stream.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>

namespace ptxwb::worker {

namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds endOfProcess{2000}; ///< for a worker that closed its stdout to be gone
constexpr milliseconds cancelAnswer{1000};
constexpr milliseconds farewell{1500}; ///< for a worker whose input was closed to end its children and itself
constexpr milliseconds writeDeadline{30'000};
constexpr milliseconds longTime = std::chrono::hours(24);

std::string commandLine(const std::vector<std::string>& arguments) {
    std::string text;
    for (const std::string& argument : arguments) {
        const bool plain = !argument.empty() && argument.find_first_of(" \t\"'\\$()") == std::string::npos;
        if (!text.empty()) text += ' ';
        text += plain ? argument : "'" + argument + "'";
    }
    return text;
}

milliseconds leftUntil(std::optional<Clock::time_point> until) {
    if (!until) return longTime;
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*until - Clock::now()));
}

/// A worker process and what is known of it.
struct Worker {
    std::unique_ptr<ChildStream> stream;
    std::shared_ptr<const json> hello; ///< empty until its first line was read
    std::string running;               ///< what it was doing last, for messages
    bool reused = false;               ///< it has answered an earlier call

    Worker() = default;
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    /// Asks before it kills: only the worker itself can end the compilers that it started, which lead groups of their
    /// own.
    ~Worker() {
        if (!stream) return;
        stream->closeInput();
        stream->wait(farewell);
    }
};

/// "; it last wrote: ..." or nothing.
std::string lastWords(const ChildStream& stream) {
    const auto lines = stream.lastErrors();
    const auto last = std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) { return !line.empty(); });
    return last == lines.rend() ? std::string{} : "; it last wrote: " + excerpt(*last);
}

std::string howItEnded(ChildStream& stream) {
    const auto end = stream.wait(endOfProcess);
    return end ? describe(*end) : "closed its output";
}

} // namespace

struct WorkerClient::State {
    WorkerCommand command;
    std::string text;
    std::mutex mutex; ///< one call at a time
    std::unique_ptr<Worker> current;
    std::mutex spareMutex; ///< `warm` must not wait for a running call
    std::unique_ptr<Worker> spare;
    std::uint64_t lastId = 0;

    Expected<std::unique_ptr<Worker>> start() const {
        ChildRequest request;
        request.arguments = command.arguments;
        auto stream = ChildStream::start(request);
        if (!stream)
            return failure(Cause::missing, fmt::format("the worker could not be started: {}", stream.error().message),
                           fmt::format("the worker's command line is: {}", text));
        auto worker = std::make_unique<Worker>();
        worker->stream = std::move(*stream);
        return worker;
    }

    std::unique_ptr<Worker> takeSpare() {
        const std::scoped_lock lock(spareMutex);
        if (spare && !spare->stream->isAlive()) spare.reset();
        return std::move(spare);
    }

    /// A worker that has said hello.
    Expected<Worker*> ready(std::stop_token stop) {
        if (current && !current->stream->isAlive()) current.reset();
        if (!current) current = takeSpare();
        if (!current) {
            auto started = start();
            if (!started) return std::unexpected(std::move(started.error()));
            current = std::move(*started);
        }
        if (!current->hello)
            if (auto greeted = greet(*current, stop); !greeted) {
                current.reset();
                return std::unexpected(std::move(greeted.error()));
            }
        return current.get();
    }

    Expected<void> greet(Worker& worker, std::stop_token stop) {
        const ReadLine read = worker.stream->readLine(command.helloDeadline, stop);
        const std::string hint =
            fmt::format("try it in a terminal: `{}` prints one line that begins with {{\"hello\": and waits", text);
        switch (read.end) {
        case ReadEnd::line: break;
        case ReadEnd::cancelled: return failure(Cause::cancelled, "cancelled while the worker was starting");
        case ReadEnd::timedOut:
            return failure(Cause::internal,
                           fmt::format("the worker said nothing within {}{}", formatDuration(command.helloDeadline),
                                       lastWords(*worker.stream)),
                           hint);
        case ReadEnd::tooLong:
            return failure(Cause::internal, fmt::format("the worker's first line is longer than {} bytes", longestLine),
                           hint);
        case ReadEnd::ended: {
            const std::string how = howItEnded(*worker.stream);
            return failure(
                Cause::missing,
                fmt::format("the worker ended before it said hello: it {}{}", how, lastWords(*worker.stream)), hint);
        }
        }
        auto answer = parseFromWorker(read.line);
        if (!answer || answer->kind != AnswerKind::hello || !answer->body->is_object())
            return failure(Cause::internal,
                           fmt::format("the worker's first line is no hello but {}", excerpt(read.line)),
                           "something prints before the worker does: a login message or a profile script; " + hint);
        const auto spoken = answer->body->find("protocol");
        if (spoken == answer->body->end() || *spoken != protocolVersion)
            return failure(Cause::internal,
                           fmt::format("the worker speaks protocol {}, this program speaks {}",
                                       spoken == answer->body->end() ? "of no number" : spoken->dump(),
                                       protocolVersion),
                           "install the same version of PTX Workbench on both sides");
        worker.hello = answer->body;
        return {};
    }

    Expected<json> converse(Worker& worker, std::uint64_t id, Job job, const Callbacks& callbacks, std::stop_token stop,
                            milliseconds deadline, bool& keep);
    Expected<json> awaitCancelled(Worker& worker, std::uint64_t id, bool& keep);
};

/// Sends the cancel and gives the worker a moment to confirm; one that does not is ended.
Expected<json> WorkerClient::State::awaitCancelled(Worker& worker, std::uint64_t id, bool& keep) {
    const auto until = Clock::now() + cancelAnswer;
    keep = worker.stream->writeLine(cancelLine(id), cancelAnswer).has_value();
    while (keep) {
        const ReadLine read = worker.stream->readLine(leftUntil(until));
        const auto answer =
            read.end == ReadEnd::line ? parseFromWorker(read.line) : Expected<FromWorker>{failure(Cause::internal, {})};
        if (!answer)
            keep = false;
        else if (answer->id == id && (answer->kind == AnswerKind::done || answer->kind == AnswerKind::error))
            break;
    }
    return failure(Cause::cancelled, "cancelled");
}

Expected<json> WorkerClient::State::converse(Worker& worker, std::uint64_t id, Job job, const Callbacks& callbacks,
                                             std::stop_token stop, milliseconds deadline, bool& keep) {
    keep = false;
    const auto until = deadline.count() > 0 ? std::optional(Clock::now() + deadline) : std::nullopt;
    const auto blame = [&](std::string what, std::string hint) {
        const std::string during = worker.running.empty() ? std::string(name(job)) : worker.running;
        return failure(Cause::internal,
                       fmt::format("the worker {} during \"{}\"{}", what, during, lastWords(*worker.stream)),
                       std::move(hint));
    };
    while (true) {
        const ReadLine read = worker.stream->readLine(leftUntil(until), stop);
        switch (read.end) {
        case ReadEnd::line: break;
        case ReadEnd::cancelled: return awaitCancelled(worker, id, keep);
        case ReadEnd::timedOut:
            if (!until) continue;
            return blame("gave no answer within " + formatDuration(deadline),
                         "it was ended; the next request starts another");
        case ReadEnd::tooLong:
            return blame(fmt::format("wrote a line longer than {} bytes", longestLine), "it was ended");
        case ReadEnd::ended: {
            if (!read.line.empty()) return blame("ended in the middle of a line, " + excerpt(read.line) + ",", {});
            const std::string how = howItEnded(*worker.stream);
            return blame("stopped (" + how + ")", "the next request starts another");
        }
        }
        auto answer = parseFromWorker(read.line);
        if (!answer) return blame("wrote something that is no answer: " + answer.error().message + ",", "it was ended");
        if (answer->kind == AnswerKind::hello) return blame("said hello a second time", "it was ended");
        if (answer->id < id && answer->id != 0) continue; // the rest of a job that was cancelled
        if (answer->id != id && answer->kind != AnswerKind::error)
            return blame(fmt::format("answered request {}, which nobody sent,", answer->id), "it was ended");
        switch (answer->kind) {
        case AnswerKind::hello: break;
        case AnswerKind::stage:
            worker.running = fmt::format("{}, after stage {}", name(job), verify::name(answer->stage->stage));
            if (callbacks.onStage) callbacks.onStage(*answer->stage);
            break;
        case AnswerKind::progress:
            worker.running = answer->progress->what;
            if (callbacks.onProgress) callbacks.onProgress(*answer->progress);
            break;
        case AnswerKind::done:
            keep = !answer->ending;
            if (answer->cancelled) return failure(Cause::cancelled, "cancelled");
            return *answer->body;
        case AnswerKind::error:
            keep = answer->id == id && !answer->ending;
            return std::unexpected(std::move(*answer->error));
        }
    }
}

WorkerClient::WorkerClient(WorkerCommand command) : m_state(std::make_unique<State>()) {
    m_state->text = commandLine(command.arguments);
    m_state->command = std::move(command);
}

WorkerClient::~WorkerClient() = default;

const std::string& WorkerClient::commandText() const {
    return m_state->text;
}

void WorkerClient::warm() {
    const std::scoped_lock lock(m_state->spareMutex);
    if (m_state->spare && m_state->spare->stream->isAlive()) return;
    // A worker that cannot be started is reported by the call that needs it.
    if (auto started = m_state->start()) m_state->spare = std::move(*started);
}

Expected<json> WorkerClient::hello(std::stop_token stop) {
    const std::scoped_lock lock(m_state->mutex);
    auto worker = m_state->ready(stop);
    if (!worker) return std::unexpected(std::move(worker.error()));
    return *(*worker)->hello;
}

Expected<json> WorkerClient::call(Job job, const json& body, const Callbacks& callbacks, std::stop_token stop,
                                  milliseconds deadline) {
    State& s = *m_state;
    const std::scoped_lock lock(s.mutex);
    const std::uint64_t id = ++s.lastId;
    const std::string line = requestLine(id, job, body);
    if (line.size() > longestLine)
        return failure(
            Cause::badRequest,
            fmt::format("the request has {} bytes, more than the {} that a worker takes", line.size(), longestLine),
            "leave large files out of the spec's `files`");
    for (int attempt = 0;; ++attempt) {
        auto worker = s.ready(stop);
        if (!worker) return std::unexpected(std::move(worker.error()));
        (*worker)->running.clear();
        if (auto written = (*worker)->stream->writeLine(line, writeDeadline); !written) {
            // One that died while nobody looked is no news: it has not seen this request.
            const bool again = (*worker)->reused && attempt == 0;
            const std::string words = lastWords(*(*worker)->stream);
            s.current.reset();
            if (again) continue;
            return failure(Cause::internal,
                           fmt::format("the worker did not take the request: {}{}", written.error().message, words),
                           "the next request starts another");
        }
        bool keep = false;
        auto result = s.converse(**worker, id, job, callbacks, stop, deadline, keep);
        if (keep)
            (*worker)->reused = true;
        else
            s.current.reset();
        return result;
    }
}

} // namespace ptxwb::worker
