// Runs one core call at a time off the window's thread; the newest request wins, an older answer is dropped.
// Used for the checker and the comparison as a person types, for occupancy sweeps, for opening files.
#pragma once

#include <QObject>
#include <QThreadPool>

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <type_traits>

namespace ptxwb::ui {

/// The part without a result type. Lives on the window's thread; nothing is delivered after its end.
class JobTracker {
public:
    explicit JobTracker(QThreadPool* pool = nullptr); ///< nullptr: the global one
    ~JobTracker();                                    ///< asks the running work to stop; does not wait for it
    JobTracker(const JobTracker&) = delete;
    JobTracker& operator=(const JobTracker&) = delete;

    /// Asks the running work to stop and drops its answer.
    void cancel();
    /// True from `start` until the newest answer was delivered.
    bool isRunning() const;

protected:
    using Delivery = std::function<void()>; ///< runs on the window's thread
    void startWork(std::function<Delivery(std::stop_token)> work);

private:
    struct State;
    std::shared_ptr<State> m_state;
    QThreadPool* m_pool;
};

/// `job.start([text](std::stop_token stop) { return check(text, stop); }, [this](Problems p) { show(p); });`
/// `work` runs on a thread of the pool and owns what it reads; `deliver` runs on the window's thread, from its event
/// loop, and only if no newer `start`, `cancel` or the end of the job came first.
template <class Result>
class LatestJob : public JobTracker {
public:
    using JobTracker::JobTracker;

    void start(std::function<Result(std::stop_token)> work, std::function<void(Result)> deliver) {
        startWork([work = std::move(work), deliver = std::move(deliver)](std::stop_token stop) -> Delivery {
            auto result = std::make_shared<Result>(work(stop));
            return [deliver, result] { deliver(std::move(*result)); };
        });
    }
};

} // namespace ptxwb::ui
