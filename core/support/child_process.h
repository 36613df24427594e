// Runs a program by argument vector (never a shell) with limits, captures what it writes, and leaves nothing behind.
// Called by toolchain for compilers, by verify for references, by worker for one-shot workers.
#pragma once

#include "support/diagnostic.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb {

struct ChildRequest {
    std::vector<std::string> arguments; ///< [0] is the program: a path, or a name looked up in the child's PATH
    std::optional<std::vector<std::string>> environment; ///< `NAME=value`; absent: `scrubbedEnvironment()`
    std::string workingFolder;                           ///< empty: the current one
    std::string input;                                   ///< written to stdin, which is then closed
    std::size_t outputLimit = std::size_t{64} << 20;     ///< bytes kept of stdout and of stderr, each
    std::chrono::milliseconds deadline{0};               ///< 0: none
    std::uint64_t memoryLimitBytes = 0;                  ///< address space (RLIMIT_AS); 0: none
};

enum class ChildEnd : std::uint8_t {
    exited,     ///< by itself, with `exitCode`
    signalled,  ///< by a signal that was not ours
    timedOut,   ///< killed at the deadline
    cancelled,  ///< killed because the stop token asked
    notStarted, ///< see `startError`
};

struct ChildResult {
    ChildEnd end = ChildEnd::notStarted;
    int exitCode = -1;
    int signal = 0;
    std::string output, errors;
    bool outputTruncated = false, errorsTruncated = false;
    std::string startError; ///< why it did not start: a sentence with the program's name
    double seconds = 0;

    bool succeeded() const { return end == ChildEnd::exited && exitCode == 0; }
};

/// Runs to the end. The child leads its own process group; the whole group is killed when the deadline passes, when
/// `stop` asks (answered at once) and also after a normal end, so that no grandchild stays. Thread-safe.
ChildResult runChild(const ChildRequest& request, std::stop_token stop = {});

/// "ended with status 3", "killed by signal 11 (Segmentation fault)", "timed out after 3 s", ...
/// `deadline` is the request's, for the timeout's figure.
std::string describe(const ChildResult& result, std::chrono::milliseconds deadline = {});

/// "3 s", "1.5 s", "250 ms"
std::string formatDuration(std::chrono::milliseconds duration);

} // namespace ptxwb
