// The longest gap of an event loop, felt by a timer of 1 ms: a beat that comes late is what a person feels.
// Used by the benchmarks of the window.
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <utility>

namespace ptxwb::test {

inline double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

class Heartbeat {
public:
    Heartbeat() {
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            m_longest = std::max(m_longest, double(m_since.nsecsElapsed()) * 1e-6);
            m_busiest = std::max(m_busiest, threadMilliseconds() - m_processor);
            m_since.restart();
            m_processor = threadMilliseconds();
        });
        m_timer.start(1);
    }

    /// Runs `step` from the event loop, then the loop until it has been idle for a while. `limit`: of one beat, in
    /// milliseconds of the processor; 0: none.
    template <class Step>
    void measure(const char* what, Step step, double limit = 0) {
        repeat(what, 1, std::move(step), limit);
    }

    /// `step` many times, with a rest as between two keys.
    template <class Step>
    void repeat(const char* what, int times, Step step, double limit = 0) {
        spin(50);
        reset();
        double own = 0;
        for (int i = 0; i < times; ++i) {
            QTimer::singleShot(0, [&] {
                const double before = threadMilliseconds();
                step();
                own = std::max(own, threadMilliseconds() - before);
            });
            spin(times == 1 ? 400 : 60);
        }
        spin(times > 1 ? 400 : 50); // a step that takes longer than its rest has its beat here
        const bool isOver = limit > 0 && m_busiest > limit;
        if (isOver) ++m_over;
        std::printf("%-44s longest gap %7.1f ms, of it processor %6.1f ms; the step itself %6.1f ms%s\n", what,
                    m_longest, m_busiest, own, isOver ? "  OVER" : "");
    }
    static int over() { return m_over; } ///< steps over their limits, of all heartbeats

    void reset() {
        m_longest = m_busiest = 0;
        m_since.restart();
        m_processor = threadMilliseconds();
    }
    double longest() const { return m_longest; } ///< milliseconds between two beats
    double busiest() const { return m_busiest; } ///< of the processor between two beats

    static void spin(int milliseconds) {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    double m_longest = 0, m_busiest = 0, m_processor = 0;
    static inline int m_over = 0;
};

} // namespace ptxwb::test
