// A long-lived child that is spoken to line by line over its stdin and stdout.
// Called by the worker client, once for each worker process.
#pragma once

#include "support/child_process.h"

#include <memory>
#include <string_view>

namespace ptxwb {

enum class ReadEnd : std::uint8_t { line, timedOut, cancelled, ended, tooLong };

struct ReadLine {
    ReadEnd end = ReadEnd::ended;
    std::string line; ///< without the newline; with `ended`, what came after the last newline
};

class ChildStream {
public:
    static constexpr std::size_t longestLine = std::size_t{64} << 20;

    /// Starts the program; `input`, `deadline` and `outputLimit` of the request are not used. Unlike with `runChild`
    /// the child does not die with the thread that started it.
    static Expected<std::unique_ptr<ChildStream>> start(const ChildRequest& request);

    /// Kills the whole process group and reaps the child.
    ~ChildStream();
    ChildStream(const ChildStream&) = delete;
    ChildStream& operator=(const ChildStream&) = delete;

    /// The next line of the child's stdout. A deadline of 0 only looks. What was read stays for the next call after
    /// `timedOut` and `cancelled`; after `tooLong` (over 64 MiB without a newline) the stream is of no more use.
    /// One reader at a time; a writer in another thread is fine.
    ReadLine readLine(std::chrono::milliseconds deadline, std::stop_token stop = {});

    /// Writes `line` and a newline. Fails where the child is gone or does not read before the deadline.
    Expected<void> writeLine(std::string_view line, std::chrono::milliseconds deadline);

    /// The child reads an end of file.
    void closeInput();

    bool isAlive() const;

    /// The last lines of stderr, newest last; at most 200 lines and 64 KiB.
    std::vector<std::string> lastErrors() const;

    /// SIGKILL for the whole group; returns when it is gone. May be called from any thread, more than once.
    void kill();

    /// How it ended. Waits for at most `deadline`; nullopt while it still runs.
    std::optional<ChildResult> wait(std::chrono::milliseconds deadline);

private:
    struct State;
    explicit ChildStream(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace ptxwb
