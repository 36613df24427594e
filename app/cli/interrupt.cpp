#include "interrupt.h"

#include <csignal>
#include <pthread.h>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

constexpr int interruptedStatus = 130;

sigset_t waitedFor() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&signals, number);
    return signals;
}

} // namespace

Interrupt::Interrupt() {
    const sigset_t signals = waitedFor();
    // Blocked in every thread, and taken by the one that waits: no code ever runs inside a signal handler.
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_thread = std::thread([this, signals] {
        int number = 0;
        while (sigwait(&signals, &number) == 0) {
            if (number == SIGUSR1) return; // from the destructor
            if (m_stop.stop_requested()) ::_exit(interruptedStatus);
            m_stop.request_stop();
        }
    });
}

Interrupt::~Interrupt() {
    pthread_kill(m_thread.native_handle(), SIGUSR1);
    m_thread.join();
}

} // namespace ptxwb::cli
