// The part that one-shot children and long-lived ones share: pipes, fork, exec, kill and reap.
// Called by child_process.cpp and child_stream.cpp only.
#pragma once

#include "support/child_process.h"
#include "support/unique_fd.h"

#include <sys/types.h>

namespace ptxwb::detail {

/// A started child: leader of its own process group. The parent's pipe ends do not block.
struct Spawned {
    pid_t pid = -1;
    UniqueFd input, output, errors;
    UniqueFd exited; ///< pidfd, readable once the child has ended; empty on kernels without it
};

enum class DieWithThread : bool { no, yes };

/// Starts `request`, or says why not (program not found, no permission, no processes left).
Expected<Spawned> spawn(const ChildRequest& request, DieWithThread dieWithThread);

/// True once the leader has ended; it stays a zombie, so that its process group id cannot be given to anybody else.
bool hasEnded(pid_t pid);

/// SIGKILL for the whole group. Only before `reap`.
void killGroup(pid_t pid);

/// Waits for a leader that has ended or has been killed, at most `deadline`; fills `end`, `exitCode`, `signal`.
/// False where the kernel does not let it go in time (a process stuck in a driver call).
bool reap(pid_t pid, std::chrono::milliseconds deadline, ChildResult& result);

/// write() that answers EPIPE without the signal. Returns bytes written or -1 with errno set.
ssize_t writeWithoutSignal(int fd, std::string_view bytes);

} // namespace ptxwb::detail
