// Ctrl+C: asks whatever runs to stop, so that compilers, workers and references are gone before the program is.
// Used by main.cpp.
#pragma once

#include <stop_token>
#include <thread>

namespace ptxwb::cli {

/// From its construction on, SIGINT and SIGTERM no longer end the program but request a stop; a second one ends it at
/// once. Make it before any other thread is started.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }
    bool happened() const { return m_stop.stop_requested(); }

private:
    std::stop_source m_stop;
    std::thread m_thread;
};

} // namespace ptxwb::cli
