#include "worker/serve.h"

#include "support/unique_fd.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace ptxwb::worker {

namespace {

/// Writes whole lines to the client, from whichever thread has one.
class Output {
public:
    explicit Output(int fd) : m_fd(fd) {}

    void write(std::string line) {
        line += '\n';
        const std::scoped_lock lock(m_mutex);
        std::string_view rest = line;
        while (!rest.empty() && !m_failed) {
            const ssize_t count = ::write(m_fd, rest.data(), rest.size());
            if (count > 0)
                rest.remove_prefix(static_cast<std::size_t>(count));
            else if (errno != EINTR)
                m_failed = true;
        }
    }
    bool failed() const { return m_failed; }

private:
    int m_fd;
    std::mutex m_mutex;
    std::atomic<bool> m_failed = false;
};

/// One job: cancelled or answered, whichever comes first, and never both.
struct Running {
    ToWorker request;
    std::stop_source stop;
    std::atomic<bool> answered = false;
};

class Server {
public:
    Server(int output, const Handler& handler, const std::function<bool()>& mustEnd, std::function<void()> wake)
        : m_output(output), m_handler(handler), m_mustEnd(mustEnd), m_wake(std::move(wake)),
          m_thread([this] { work(); }) {}

    ~Server() {
        {
            const std::scoped_lock lock(m_mutex);
            m_closing = true;
            m_waiting.clear();
            if (m_current) m_current->stop.request_stop();
        }
        m_changed.notify_all();
        m_thread.join();
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    Output& output() { return m_output; }
    bool isEnding() const { return m_ending; }

    void add(ToWorker request) {
        auto job = std::make_shared<Running>();
        job->request = std::move(request);
        const std::scoped_lock lock(m_mutex);
        m_waiting.push_back(std::move(job));
        m_changed.notify_all();
    }

    /// An id that is not known has been answered already: the cancel came too late, and there is nothing to say.
    void cancel(std::uint64_t id) {
        std::shared_ptr<Running> found;
        {
            const std::scoped_lock lock(m_mutex);
            if (m_current && m_current->request.id == id) found = m_current;
            for (auto it = m_waiting.begin(); it != m_waiting.end() && !found; ++it)
                if ((*it)->request.id == id) {
                    found = *it;
                    m_waiting.erase(it);
                    break;
                }
        }
        if (!found) return;
        if (!found->answered.exchange(true)) m_output.write(cancelledLine(id));
        found->stop.request_stop();
    }

private:
    void work() {
        std::unique_lock lock(m_mutex);
        while (true) {
            m_changed.wait(lock, [this] { return m_closing || !m_waiting.empty(); });
            if (m_closing) return;
            m_current = m_waiting.front();
            m_waiting.pop_front();
            lock.unlock();
            answer(*m_current);
            if (m_ending) return m_wake();
            lock.lock();
            m_current.reset();
        }
    }

    void answer(Running& job) {
        const std::uint64_t id = job.request.id;
        Reporter reporter;
        reporter.stage = [&](const verify::StageResult& result) {
            if (!job.answered) m_output.write(stageLine(id, result));
        };
        reporter.progress = [&](const Progress& progress) {
            if (!job.answered) m_output.write(progressLine(id, progress));
        };
        std::string line;
        try {
            const auto result = m_handler(*job.request.job, *job.request.body, reporter, job.stop.get_token());
            m_ending = m_mustEnd && m_mustEnd();
            const auto afterwards = m_ending ? Afterwards::ends : Afterwards::stays;
            line = result ? doneLine(id, *result, afterwards) : errorLine(id, result.error(), afterwards);
        } catch (const std::exception& problem) {
            line = errorLine(
                id, failure(Cause::internal,
                            fmt::format("{} stopped by an internal error: {}", name(*job.request.job), problem.what()),
                            "please report it with the file that was being worked on")
                        .error());
        }
        if (line.size() > longestLine)
            line = errorLine(id, failure(Cause::internal,
                                         fmt::format("the answer has {} bytes, more than the {} of a line", line.size(),
                                                     longestLine),
                                         "ask for fewer --dump arguments or a smaller size")
                                     .error());
        if (!job.answered.exchange(true)) m_output.write(std::move(line));
    }

    Output m_output;
    const Handler& m_handler;
    const std::function<bool()>& m_mustEnd;
    std::function<void()> m_wake;
    std::atomic<bool> m_ending = false;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::shared_ptr<Running>> m_waiting;
    std::shared_ptr<Running> m_current;
    bool m_closing = false;
    std::thread m_thread; ///< last: it uses all of the above
};

void take(Server& server, std::string_view line) {
    std::uint64_t id = 0;
    auto request = parseToWorker(line, id);
    if (!request)
        server.output().write(errorLine(id, request.error()));
    else if (request->job)
        server.add(std::move(*request));
    else
        server.cancel(request->id);
}

} // namespace

int serve(int input, int output, const nlohmann::json& hello, const Handler& handler, std::stop_token stop,
          const std::function<bool()>& mustEnd) {
    const UniqueFd wakeUp(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    const auto wake = [&wakeUp] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(wakeUp.get(), &one, sizeof one);
    };
    Server server(output, handler, mustEnd, wake);
    const std::stop_callback stopped(stop, wake);
    server.output().write(helloLine(hello));
    std::string pending;
    std::size_t searched = 0;
    std::vector<char> chunk(std::size_t{1} << 16);
    while (!server.output().failed()) {
        std::array<pollfd, 2> polled{{{input, POLLIN, 0}, {wakeUp.get(), POLLIN, 0}}};
        if (::poll(polled.data(), polled.size(), -1) < 0 && errno == EINTR) continue;
        if (stop.stop_requested() || server.isEnding()) break;
        const ssize_t count = ::read(input, chunk.data(), chunk.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        pending.append(chunk.data(), static_cast<std::size_t>(count));
        for (std::size_t end; (end = pending.find('\n', searched)) != std::string::npos; searched = 0) {
            if (end > 0) take(server, std::string_view(pending).substr(0, end));
            pending.erase(0, end + 1);
        }
        searched = pending.size();
        if (pending.size() > longestLine) {
            server.output().write(errorLine(
                0, failure(Cause::internal, fmt::format("a request line is longer than {} bytes", longestLine),
                           "leave large input files out of the spec's `files`")
                       .error()));
            break;
        }
    }
    return server.output().failed() ? exitStatus(Cause::internal) : 0;
}

int claimStandardOutput() {
    const int protocol = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return protocol;
}

} // namespace ptxwb::worker
