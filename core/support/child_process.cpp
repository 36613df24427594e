#include "support/child_process.h"

#include "support/child_spawn.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>

namespace ptxwb {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How long the pipes may stay open after the leader has ended before its group is killed.
constexpr milliseconds drainTime{200};
constexpr milliseconds reapTime{5000};

struct Capture {
    UniqueFd& fd;
    std::string& text;
    bool& truncated;
};

/// Reads what is there, but not for ever: a child may write faster than this reads, and the deadline must be looked at.
/// Closes the descriptor at the end of the stream.
void drain(Capture capture, std::size_t limit) {
    std::array<char, 65536> buffer;
    for (int round = 0; capture.fd && round < 16; ++round) {
        const ssize_t count = ::read(capture.fd.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) {
            capture.fd.reset();
            return;
        }
        const auto size = static_cast<std::size_t>(count);
        const auto room = limit - std::min(limit, capture.text.size());
        capture.text.append(buffer.data(), std::min(size, room));
        if (size > room) capture.truncated = true;
        if (size < buffer.size()) return;
    }
}

void feed(UniqueFd& fd, std::string_view& rest) {
    while (!rest.empty()) {
        const ssize_t count = detail::writeWithoutSignal(fd.get(), rest.substr(0, 65536));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count < 0) break; // the child does not want the rest
        rest.remove_prefix(static_cast<std::size_t>(count));
    }
    fd.reset();
}

int waitTime(Clock::time_point now, Clock::time_point until) {
    if (until == Clock::time_point::max()) return -1;
    const auto left = std::chrono::ceil<milliseconds>(until - now).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

} // namespace

ChildResult runChild(const ChildRequest& request, std::stop_token stop) {
    ChildResult result;
    const auto start = Clock::now();
    if (stop.stop_requested()) {
        result.end = ChildEnd::cancelled;
        return result;
    }
    auto spawned = detail::spawn(request, detail::DieWithThread::yes);
    if (!spawned) {
        result.startError = spawned.error().message;
        return result;
    }
    auto& child = *spawned;
    const UniqueFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    const std::stop_callback wakeUp(stop, [fd = wake.get()] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(fd, &one, sizeof one);
    });

    std::string_view rest = request.input;
    if (rest.empty()) child.input.reset();
    const auto deadline = request.deadline.count() > 0 ? start + request.deadline : Clock::time_point::max();
    auto drainUntil = Clock::time_point::max();
    std::optional<ChildEnd> killedFor;
    bool ended = false;
    while (!ended || child.output || child.errors) {
        const auto now = Clock::now();
        if (!ended && stop.stop_requested()) killedFor = ChildEnd::cancelled;
        if (!ended && !killedFor && now >= deadline) killedFor = ChildEnd::timedOut;
        if (killedFor || now >= drainUntil) break;
        // Negative descriptors are ignored by poll. Without a pidfd the leader's end is looked for every 20 ms.
        std::array<pollfd, 5> polled{{{child.input.get(), POLLOUT, 0},
                                      {child.output.get(), POLLIN, 0},
                                      {child.errors.get(), POLLIN, 0},
                                      {ended ? -1 : child.exited.get(), POLLIN, 0},
                                      {wake.get(), POLLIN, 0}}};
        int timeout = waitTime(now, ended ? drainUntil : deadline);
        if (!ended && !child.exited) timeout = timeout < 0 ? 20 : std::min(timeout, 20);
        if (::poll(polled.data(), polled.size(), timeout) < 0 && errno != EINTR) break;
        if (child.input && polled[0].revents) feed(child.input, rest);
        if (child.output && polled[1].revents)
            drain({child.output, result.output, result.outputTruncated}, request.outputLimit);
        if (child.errors && polled[2].revents)
            drain({child.errors, result.errors, result.errorsTruncated}, request.outputLimit);
        if (!ended && detail::hasEnded(child.pid)) {
            ended = true;
            drainUntil = Clock::now() + drainTime;
            child.input.reset();
        }
    }
    detail::killGroup(child.pid);
    if (!detail::reap(child.pid, reapTime, result)) result.end = ChildEnd::signalled;
    // What was written before the kill is still in the pipes.
    drain({child.output, result.output, result.outputTruncated}, request.outputLimit);
    drain({child.errors, result.errors, result.errorsTruncated}, request.outputLimit);
    if (killedFor) result.end = *killedFor;
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
}

std::string formatDuration(milliseconds duration) {
    if (duration.count() < 1000) return fmt::format("{} ms", duration.count());
    return fmt::format("{} s", static_cast<double>(duration.count()) / 1000.0);
}

std::string describe(const ChildResult& result, milliseconds deadline) {
    switch (result.end) {
    case ChildEnd::exited:
        return fmt::format("ended with status {}", result.exitCode);
    case ChildEnd::signalled:
        return result.signal ? fmt::format("killed by signal {} ({})", result.signal, ::strsignal(result.signal))
                             : "could not be ended";
    case ChildEnd::timedOut:
        return fmt::format("timed out after {}", formatDuration(deadline));
    case ChildEnd::cancelled:
        return "cancelled";
    case ChildEnd::notStarted:
        return result.startError;
    }
    return {};
}

} // namespace ptxwb
