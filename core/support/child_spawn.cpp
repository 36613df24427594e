#include "support/child_spawn.h"

#include "support/environment.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>

namespace ptxwb::detail {

namespace {

struct Pipe {
    UniqueFd read, write;
};

/// Descriptors 0 to 2 may be free in a daemon; a pipe end there would be overwritten by dup2 in the child.
UniqueFd aboveStandard(int fd) {
    if (fd > 2) return UniqueFd(fd);
    const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    ::close(fd);
    return UniqueFd(moved);
}

std::optional<Pipe> makePipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
    Pipe pipe{aboveStandard(ends[0]), aboveStandard(ends[1])};
    if (!pipe.read || !pipe.write) return std::nullopt;
    return pipe;
}

void dontBlock(const UniqueFd& fd) {
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (auto& string : strings) result.push_back(string.data());
    result.push_back(nullptr);
    return result;
}

std::string_view valueIn(const std::vector<std::string>& environment, std::string_view name) {
    for (const std::string_view entry : environment)
        if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) return entry.substr(name.size() + 1);
    return {};
}

struct ChildSetup {
    const char* program;
    char* const* arguments;
    char* const* environment;
    const char* folder; // null: stay
    int input, output, errors, report;
    rlim_t memory; // 0: none
    pid_t parent;
    DieWithThread dieWithThread;
};

/// Runs between fork and exec: other threads' locks may be held for ever here, so only async-signal-safe calls.
[[noreturn]] void becomeProgram(const ChildSetup& s) {
    const auto giveUp = [&s](char step) {
        const int reason = errno;
        char bytes[1 + sizeof reason];
        bytes[0] = step;
        std::memcpy(bytes + 1, &reason, sizeof reason);
        [[maybe_unused]] const auto written = ::write(s.report, bytes, sizeof bytes);
        ::_exit(127);
    };
    ::setpgid(0, 0);
    if (s.dieWithThread == DieWithThread::yes) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != s.parent) ::_exit(127); // the parent died before the request was in place
    }
    for (int number = 1; number < NSIG; ++number)
        if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::dup2(s.input, 0) < 0 || ::dup2(s.output, 1) < 0 || ::dup2(s.errors, 2) < 0) giveUp('p');
    // Libraries of this process may hold descriptors without O_CLOEXEC (drivers do). Older kernels refuse: no harm.
    ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
    if (s.folder && ::chdir(s.folder) != 0) giveUp('d');
    if (s.memory) {
        const rlimit limit{s.memory, s.memory};
        if (::setrlimit(RLIMIT_AS, &limit) != 0) giveUp('m');
    }
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    ::execve(s.program, s.arguments, s.environment);
    giveUp('x');
    ::_exit(127);
}

std::string startMessage(char step, int reason, const std::string& program, const std::string& folder) {
    const std::string why = std::strerror(reason);
    switch (step) {
    case 'd':
        return fmt::format("cannot start {}: working folder {}: {}", program, folder, why);
    case 'm':
        return fmt::format("cannot start {}: the memory limit was refused: {}", program, why);
    default:
        return fmt::format("cannot start {}: {}", program, why);
    }
}

} // namespace

Expected<Spawned> spawn(const ChildRequest& request, DieWithThread dieWithThread) {
    if (request.arguments.empty()) return failure(Cause::internal, "cannot start a child without a program name");
    auto arguments = request.arguments;
    auto environment = request.environment ? *request.environment : scrubbedEnvironment();
    const auto program = findProgram(arguments.front(), valueIn(environment, "PATH"));
    if (!program) {
        if (arguments.front().find('/') != std::string::npos)
            return failure(Cause::missing, fmt::format("cannot start {}: no such executable file", arguments.front()));
        return failure(Cause::missing, fmt::format("cannot start {}: not found along PATH", arguments.front()));
    }
    auto input = makePipe(), output = makePipe(), errors = makePipe(), report = makePipe();
    if (!input || !output || !errors || !report)
        return failure(Cause::internal, fmt::format("cannot start {}: {}", program->string(), std::strerror(errno)));

    const auto argumentPointers = pointers(arguments), environmentPointers = pointers(environment);
    const ChildSetup setup{program->c_str(),
                           argumentPointers.data(),
                           environmentPointers.data(),
                           request.workingFolder.empty() ? nullptr : request.workingFolder.c_str(),
                           input->read.get(),
                           output->write.get(),
                           errors->write.get(),
                           report->write.get(),
                           static_cast<rlim_t>(request.memoryLimitBytes),
                           ::getpid(),
                           dieWithThread};
    // No signal may run one of our handlers inside the child before its handlers are reset.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0) becomeProgram(setup);
    const int forkError = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0)
        return failure(Cause::internal,
                       fmt::format("cannot start {}: {}", program->string(), std::strerror(forkError)));
    ::setpgid(pid, pid); // in both processes: whichever runs first

    input->read.reset();
    output->write.reset();
    errors->write.reset();
    report->write.reset();
    char bytes[1 + sizeof(int)];
    ssize_t count;
    do count = ::read(report->read.get(), bytes, sizeof bytes);
    while (count < 0 && errno == EINTR);
    if (count > 0) {
        int reason = 0;
        std::memcpy(&reason, bytes + 1, sizeof reason);
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        return failure(Cause::missing, startMessage(bytes[0], reason, program->string(), request.workingFolder));
    }
    Spawned child{pid, std::move(input->write), std::move(output->read), std::move(errors->read), {}};
    dontBlock(child.input);
    dontBlock(child.output);
    dontBlock(child.errors);
    child.exited = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    return child;
}

bool hasEnded(pid_t pid) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

void killGroup(pid_t pid) {
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL); // where setpgid lost the race against a very early exit
}

bool reap(pid_t pid, std::chrono::milliseconds deadline, ChildResult& result) {
    const auto until = std::chrono::steady_clock::now() + deadline;
    for (auto pause = std::chrono::microseconds(200);; pause = std::min(pause * 2, std::chrono::microseconds(20000))) {
        int status = 0;
        const pid_t answer = ::waitpid(pid, &status, WNOHANG);
        if (answer == pid) {
            if (WIFEXITED(status)) {
                result.end = ChildEnd::exited;
                result.exitCode = WEXITSTATUS(status);
            } else {
                result.end = ChildEnd::signalled;
                result.signal = WTERMSIG(status);
            }
            return true;
        }
        if (answer < 0 && errno != EINTR) return false;
        if (std::chrono::steady_clock::now() >= until) return false;
        std::this_thread::sleep_for(pause);
    }
}

ssize_t writeWithoutSignal(int fd, std::string_view bytes) {
    sigset_t pipeSignal, before, pending;
    ::sigemptyset(&pipeSignal);
    ::sigaddset(&pipeSignal, SIGPIPE);
    ::sigpending(&pending);
    const bool wasPending = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipeSignal, &before);
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    const int reason = errno;
    if (written < 0 && reason == EPIPE && !wasPending) {
        const timespec now{0, 0};
        while (::sigtimedwait(&pipeSignal, nullptr, &now) < 0 && errno == EINTR) {
        }
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = reason;
    return written;
}

} // namespace ptxwb::detail
