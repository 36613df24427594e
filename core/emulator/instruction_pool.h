// The thread instructions that a run may still execute, shared by its host threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace ptxwb::emulator {

/// Host threads take portions, so that few instructions cost a lock. A thread that finds the pool empty waits for what
/// others hold and do not need: whether the run stays within its limit depends on the launch alone, not on which thread
/// was first.
class InstructionPool {
public:
    InstructionPool(std::uint64_t limit, unsigned threads) : m_left(limit), m_running(threads) {}

    /// Fills `held`, what the calling thread has taken and not used, up to `count` or more. False where the rest of the
    /// limit does not suffice: the thread is to `leave` then.
    bool take(std::uint64_t& held, std::uint64_t count);

    /// The calling thread ends and gives back what it holds.
    void leave(std::uint64_t held);

private:
    bool usedUp() const { return m_waiting == m_running; } ///< everybody needs more than is left

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint64_t m_left;
    unsigned m_running, m_waiting = 0;
};

} // namespace ptxwb::emulator
