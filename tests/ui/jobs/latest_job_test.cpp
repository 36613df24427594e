#include "jobs/latest_job.h"

#include <QCoreApplication>
#include <QTest>
#include <QThread>

#include <atomic>
#include <semaphore>

using namespace ptxwb::ui;

class LatestJobTest : public QObject {
    Q_OBJECT

private slots:
    void deliversOnTheThreadOfTheWindow() {
        LatestJob<QThread*> job;
        QThread* worked = nullptr;
        QThread* delivered = nullptr;
        job.start([](std::stop_token) { return QThread::currentThread(); },
                  [&](QThread* thread) {
                      worked = thread;
                      delivered = QThread::currentThread();
                  });
        QVERIFY(job.isRunning());
        QTRY_VERIFY(delivered);
        QCOMPARE(delivered, QThread::currentThread());
        QVERIFY(worked != delivered);
        QVERIFY(!job.isRunning());
    }

    void theNewestWins() {
        QThreadPool pool;
        pool.setMaxThreadCount(2);
        LatestJob<int> job(&pool);
        std::vector<int> delivered;
        std::binary_semaphore slowBegan(0), slowMayEnd(0);
        std::atomic<bool> slowEnded = false, slowWasAsked = false;
        const auto deliver = [&](int value) { delivered.push_back(value); };
        job.start(
            [&](std::stop_token stop) {
                slowBegan.release();
                slowMayEnd.acquire();
                slowWasAsked = stop.stop_requested();
                slowEnded = true;
                return 1;
            },
            deliver);
        slowBegan.acquire();
        job.start([](std::stop_token) { return 2; }, deliver);
        QTRY_COMPARE(delivered, std::vector<int>{2});
        slowMayEnd.release();
        pool.waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(slowEnded);
        QVERIFY(slowWasAsked);
        QCOMPARE(delivered, std::vector<int>{2});
    }

    void anAnswerOnItsWayIsDroppedToo() {
        QThreadPool pool;
        LatestJob<int> job(&pool);
        std::vector<int> delivered;
        const auto deliver = [&](int value) { delivered.push_back(value); };
        job.start([](std::stop_token) { return 1; }, deliver);
        pool.waitForDone(); // its answer waits in the event loop
        job.start([](std::stop_token) { return 2; }, deliver);
        QTRY_COMPARE(delivered, std::vector<int>{2});
    }

    void whatWasOvertakenInTheQueueNeverRuns() {
        QThreadPool pool;
        pool.setMaxThreadCount(1);
        LatestJob<int> job(&pool);
        std::binary_semaphore mayEnd(0);
        std::atomic<int> ran = 0;
        int delivered = 0;
        const auto deliver = [&](int value) { delivered = value; };
        job.start(
            [&](std::stop_token) {
                mayEnd.acquire();
                return ++ran, 1;
            },
            deliver);
        for (int i = 2; i < 100; ++i)
            job.start(
                [&ran, i](std::stop_token) {
                    ++ran;
                    return i;
                },
                deliver);
        mayEnd.release();
        QTRY_COMPARE(delivered, 99);
        QVERIFY2(ran <= 2, std::to_string(ran).c_str());
    }

    void cancelDropsTheAnswer() {
        QThreadPool pool;
        LatestJob<int> job(&pool);
        bool delivered = false;
        job.start([](std::stop_token) { return 1; }, [&](int) { delivered = true; });
        job.cancel();
        QVERIFY(!job.isRunning());
        pool.waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(!delivered);
    }

    void nothingIsDeliveredAfterItsEnd() {
        QThreadPool pool;
        bool delivered = false;
        std::binary_semaphore mayEnd(0);
        {
            LatestJob<int> job(&pool);
            job.start(
                [&](std::stop_token) {
                    mayEnd.acquire();
                    return 1;
                },
                [&](int) { delivered = true; });
        }
        mayEnd.release();
        pool.waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(!delivered);
    }

    void aDeliveryMayEndTheJobOrStartAnother() {
        auto job = std::make_unique<LatestJob<int>>();
        std::vector<int> delivered;
        job->start([](std::stop_token) { return 1; },
                   [&](int first) {
                       delivered.push_back(first);
                       job->start([](std::stop_token) { return 2; },
                                  [&](int second) {
                                      delivered.push_back(second);
                                      job.reset();
                                  });
                   });
        QTRY_COMPARE(delivered, (std::vector<int>{1, 2}));
        QVERIFY(!job);
    }
};

QTEST_GUILESS_MAIN(LatestJobTest)
#include "latest_job_test.moc"
