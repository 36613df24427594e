#include "jobs/latest_job.h"

#include <QCoreApplication>
#include <QMetaObject>

namespace ptxwb::ui {

/// Touched on the window's thread only.
struct JobTracker::State {
    std::uint64_t generation = 0;
    std::stop_source stop;
    bool running = false;
};

JobTracker::JobTracker(QThreadPool* pool)
    : m_state(std::make_shared<State>()), m_pool(pool ? pool : QThreadPool::globalInstance()) {}

JobTracker::~JobTracker() {
    cancel();
}

void JobTracker::cancel() {
    ++m_state->generation;
    m_state->stop.request_stop();
    m_state->running = false;
}

bool JobTracker::isRunning() const {
    return m_state->running;
}

void JobTracker::startWork(std::function<Delivery(std::stop_token)> work) {
    cancel();
    m_state->stop = std::stop_source();
    m_state->running = true;
    // Weak, so that the state ends on the window's thread, with its owner.
    m_pool->start([work = std::move(work), stop = m_state->stop.get_token(), weak = std::weak_ptr(m_state),
                   generation = m_state->generation] {
        if (stop.stop_requested()) return; // overtaken while it waited for a thread
        auto delivery = work(stop);
        QCoreApplication* application = QCoreApplication::instance();
        if (!application || stop.stop_requested()) return;
        QMetaObject::invokeMethod(
            application,
            [weak, generation, delivery = std::move(delivery)] {
                const auto state = weak.lock();
                if (!state || state->generation != generation) return;
                state->running = false;
                delivery();
            },
            Qt::QueuedConnection);
    });
}

} // namespace ptxwb::ui
