#include "support/child_stream.h"

#include "support/child_spawn.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>

namespace ptxwb {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t keptLines = 200;
constexpr std::size_t keptBytes = 65536;

void signalEvent(int fd) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(fd, &one, sizeof one);
}

int left(Clock::time_point until) {
    const auto time = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(time, 0, 3'600'000));
}

/// The newest lines of a stream, bounded.
class LineTail {
public:
    void append(std::string_view bytes) {
        for (const char c : bytes) {
            if (c == '\n') {
                m_bytes += m_open.size();
                m_lines.push_back(std::move(m_open));
                m_open.clear();
            } else if (m_open.size() < keptBytes / 4) {
                m_open += c;
            }
        }
        while (m_lines.size() > keptLines || (m_bytes > keptBytes && !m_lines.empty())) {
            m_bytes -= m_lines.front().size();
            m_lines.pop_front();
        }
    }
    std::vector<std::string> lines() const {
        std::vector<std::string> result(m_lines.begin(), m_lines.end());
        if (!m_open.empty()) result.push_back(m_open);
        return result;
    }

private:
    std::deque<std::string> m_lines;
    std::string m_open;
    std::size_t m_bytes = 0;
};

} // namespace

struct ChildStream::State {
    detail::Spawned child;
    UniqueFd readerWake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    UniqueFd errorsWake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};

    std::string buffer;      // read from stdout, not yet handed out
    std::size_t scanned = 0; // bytes of `buffer` known to have no newline

    std::mutex inputMutex;       // child.input
    mutable std::mutex endMutex; // everything about the end of the process
    std::optional<ChildResult> end;

    mutable std::mutex errorsMutex;
    mutable std::condition_variable errorsEnded;
    bool errorsDone = false; // no more of stderr will come
    LineTail errors;
    std::jthread errorsReader;

    void readErrors() {
        std::array<char, 16384> bytes;
        while (true) {
            std::array<pollfd, 2> polled{{{child.errors.get(), POLLIN, 0}, {errorsWake.get(), POLLIN, 0}}};
            if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
            const ssize_t count = ::read(child.errors.get(), bytes.data(), bytes.size());
            if (count > 0) {
                const std::lock_guard lock(errorsMutex);
                errors.append({bytes.data(), static_cast<std::size_t>(count)});
                continue;
            }
            if (count == 0 || (errno != EAGAIN && errno != EINTR)) return;
            if (polled[1].revents) return;
        }
    }

    /// Until the leader has ended or `time` milliseconds are over; may return early.
    void awaitEnd(int time) const {
        pollfd polled{child.exited.get(), POLLIN, 0};
        ::poll(&polled, 1, child.exited ? time : std::min(time, 10));
    }

    /// With endMutex held: takes note of the end, kills what is left of the group, reaps. False while it runs.
    bool collect() {
        if (end) return true;
        if (!detail::hasEnded(child.pid)) return false;
        detail::killGroup(child.pid);
        ChildResult result;
        if (!detail::reap(child.pid, milliseconds(1000), result)) return false;
        end = std::move(result);
        return true;
    }
};

ChildStream::ChildStream(std::unique_ptr<State> state) : m_state(std::move(state)) {
    m_state->errorsReader = std::jthread([raw = m_state.get()] {
        raw->readErrors();
        const std::lock_guard lock(raw->errorsMutex);
        raw->errorsDone = true;
        raw->errorsEnded.notify_all();
    });
}

Expected<std::unique_ptr<ChildStream>> ChildStream::start(const ChildRequest& request) {
    auto spawned = detail::spawn(request, detail::DieWithThread::no);
    if (!spawned) return std::unexpected(std::move(spawned.error()));
    auto state = std::make_unique<State>();
    state->child = std::move(*spawned);
    return std::unique_ptr<ChildStream>(new ChildStream(std::move(state)));
}

ChildStream::~ChildStream() {
    kill();
    signalEvent(m_state->errorsWake.get());
    m_state->errorsReader.join();
}

ReadLine ChildStream::readLine(milliseconds deadline, std::stop_token stop) {
    auto& s = *m_state;
    const auto until = Clock::now() + deadline;
    const std::stop_callback wakeUp(stop, [fd = s.readerWake.get()] { signalEvent(fd); });
    std::array<char, 65536> bytes;
    while (true) {
        if (const auto newline = s.buffer.find('\n', s.scanned); newline != std::string::npos) {
            ReadLine result{ReadEnd::line, s.buffer.substr(0, newline)};
            s.buffer.erase(0, newline + 1);
            s.scanned = 0;
            return result;
        }
        s.scanned = s.buffer.size();
        if (s.buffer.size() > longestLine) return {ReadEnd::tooLong, {}};
        if (stop.stop_requested()) return {ReadEnd::cancelled, {}};
        if (!s.child.output) return {ReadEnd::ended, std::exchange(s.buffer, {})};

        std::array<pollfd, 2> polled{{{s.child.output.get(), POLLIN, 0}, {s.readerWake.get(), POLLIN, 0}}};
        const int time = left(until);
        if (::poll(polled.data(), polled.size(), time) < 0 && errno != EINTR) return {ReadEnd::ended, {}};
        if (polled[1].revents) {
            std::uint64_t count = 0;
            [[maybe_unused]] const auto taken = ::read(s.readerWake.get(), &count, sizeof count);
        }
        const ssize_t count = ::read(s.child.output.get(), bytes.data(), bytes.size());
        if (count > 0) {
            s.buffer.append(bytes.data(), static_cast<std::size_t>(count));
        } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
            s.child.output.reset();
            s.scanned = 0;
        } else if (time == 0) {
            return {ReadEnd::timedOut, {}};
        }
    }
}

Expected<void> ChildStream::writeLine(std::string_view line, milliseconds deadline) {
    auto& s = *m_state;
    const std::lock_guard lock(s.inputMutex);
    const auto until = Clock::now() + deadline;
    std::string text(line);
    text += '\n';
    std::string_view rest = text;
    while (!rest.empty()) {
        if (!s.child.input) return failure(Cause::internal, "cannot write to the child: its input is closed");
        const ssize_t count = detail::writeWithoutSignal(s.child.input.get(), rest.substr(0, 65536));
        if (count > 0) {
            rest.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno == EAGAIN) {
            const int time = left(until);
            // Part of a line may be out: the next one would be glued to it.
            if (time == 0) {
                s.child.input.reset();
                return failure(Cause::internal,
                               fmt::format("the child did not read its input within {}", formatDuration(deadline)));
            }
            pollfd polled{s.child.input.get(), POLLOUT, 0};
            ::poll(&polled, 1, time);
        } else if (errno != EINTR) {
            const int reason = errno;
            return failure(Cause::internal, fmt::format("cannot write to the child: {}", std::strerror(reason)));
        }
    }
    return {};
}

void ChildStream::closeInput() {
    const std::lock_guard lock(m_state->inputMutex);
    m_state->child.input.reset();
}

bool ChildStream::isAlive() const {
    const std::lock_guard lock(m_state->endMutex);
    return !m_state->end && !detail::hasEnded(m_state->child.pid);
}

std::vector<std::string> ChildStream::lastErrors() const {
    const bool ended = !isAlive();
    std::unique_lock lock(m_state->errorsMutex);
    // The last words of a process that has ended may still be in the pipe. Bounded: someone else may hold its other
    // end.
    if (ended) m_state->errorsEnded.wait_for(lock, milliseconds(500), [this] { return m_state->errorsDone; });
    return m_state->errors.lines();
}

void ChildStream::kill() {
    const std::lock_guard lock(m_state->endMutex);
    if (m_state->end) return;
    detail::killGroup(m_state->child.pid);
    const auto until = Clock::now() + milliseconds(5000);
    while (!m_state->collect() && left(until) > 0) m_state->awaitEnd(left(until));
}

std::optional<ChildResult> ChildStream::wait(milliseconds deadline) {
    const auto until = Clock::now() + deadline;
    while (true) {
        {
            const std::lock_guard lock(m_state->endMutex);
            if (m_state->collect()) return m_state->end;
        }
        // Not under the lock: kill() must get through.
        const int time = left(until);
        if (time == 0) return std::nullopt;
        m_state->awaitEnd(time);
    }
}

} // namespace ptxwb
