// The machine code of a candidate and of the baseline, by a worker that ends afterwards.
// Used by Disassembly.
#pragma once

#include "jobs/latest_job.h"
#include "models/sass_model.h"
#include "support/diagnostic.h"

#include <QObject>
#include <QString>

#include <vector>

namespace ptxwb::ui {

struct SassTexts {
    std::vector<SassFunctionText> baseline, candidate;
};

class SassJob : public QObject {
    Q_OBJECT

public:
    explicit SassJob(QObject* parent = nullptr) : QObject(parent) {}

    /// PTX texts; `baseline` may be empty. `architecture`: what both are assembled for. One of the two signals follows,
    /// unless a newer `start` or `cancel` comes first.
    void start(const QString& baseline, const QString& candidate, const QString& architecture,
               const QString& commandLine);
    void cancel() { m_job.cancel(); }

signals:
    void disassembled(const ptxwb::ui::SassTexts& texts);
    void failed(const QString& message, const QString& hint);

private:
    LatestJob<Expected<SassTexts>> m_job;
};

} // namespace ptxwb::ui
