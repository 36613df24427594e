#include "window/counting.h"

#include "jobs/verify_runner.h"
#include "models/counter_store.h"
#include "models/document.h"

namespace ptxwb::ui {

Counting::Counting(Document* document, CounterStore* counters, VerifyRunner* runner, QObject* parent)
    : QObject(parent), m_document(document), m_counters(counters), m_runner(runner) {
    connect(&m_job, &ProfileJob::profiled, this, [this](const verify::ProfileReport& report) {
        if (report.kernels.empty())
            m_counters->fail(tr("the worker's answer holds no kernel"),
                             tr("use the same version of ptxwb on both sides"));
        else
            m_counters->finish(report);
        emit message(tr("Counted."));
        emit busyChanged();
    });
    connect(&m_job, &ProfileJob::failed, this, [this](const QString& why, const QString& hint) {
        m_counters->fail(why, hint);
        emit message(tr("Not counted: %1. %2").arg(why, hint));
        emit busyChanged();
    });
    connect(counters, &CounterStore::dropped, this, &Counting::stop);
    // The answer would have no candidate to belong to.
    connect(document, &Document::candidateRemoved, this, [this] {
        if (!m_counters->running().isEmpty() && !m_document->candidate(m_counters->running())) stop();
    });
}

void Counting::countCurrent() {
    if (flush) flush();
    const QString id = m_document->current();
    auto input = m_document->verifyInput(id, {});
    if (!input) {
        emit message(QString::fromStdString(input.error().message + ' ' + input.error().hint));
        return;
    }
    m_counters->begin(id);
    emit message(tr("Counting…"));
    m_job.start(std::move(*input), m_runner->effectiveCommandLine());
    emit busyChanged();
}

void Counting::stop() {
    if (!isBusy()) return;
    m_job.cancel();
    m_counters->drop();
    emit message(tr("Stopped counting."));
    emit busyChanged();
}

} // namespace ptxwb::ui
