#include "emulator/instruction_pool.h"

#include <algorithm>
#include <utility>

namespace ptxwb::emulator {

bool InstructionPool::take(std::uint64_t& held, std::uint64_t count) {
    constexpr std::uint64_t portion = 1 << 16;
    std::unique_lock lock(m_mutex);
    m_left += std::exchange(held, 0);
    if (m_left < count) {
        ++m_waiting;
        m_changed.notify_all();
        m_changed.wait(lock, [&] { return m_left >= count || usedUp(); });
        --m_waiting;
        if (m_left < count) return false; // it leaves now, and then the next one sees the same
    }
    held = std::clamp(portion, count, m_left);
    m_left -= held;
    return true;
}

void InstructionPool::leave(std::uint64_t held) {
    std::lock_guard lock(m_mutex);
    m_left += held;
    --m_running;
    m_changed.notify_all();
}

} // namespace ptxwb::emulator
