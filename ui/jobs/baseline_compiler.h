// Compiles the kernel's CUDA source to the baseline's PTX, in a worker of its own that ends afterwards.
// Used by BaselineCompiling when a kernel has no baseline yet, and when its source has changed.
#pragma once

#include "jobs/latest_job.h"
#include "kernel/spec.h"
#include "support/diagnostic.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace ptxwb::ui {

class BaselineCompiler : public QObject {
    Q_OBJECT

public:
    explicit BaselineCompiler(QObject* parent = nullptr);

    /// `commandLine`: of a worker, as `VerifyRunner::commandLine`. One of the two signals follows, unless a newer
    /// `start` or `cancel` comes first.
    void start(const kernel::Kernel& kernel, const QString& architecture, const QString& commandLine);
    void cancel();
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void compiled(const QString& ptx, const std::vector<ptxwb::Diagnostic>& warnings);
    /// `messages`: the compiler's own, with their places; empty where it did not come to run.
    void failed(const QString& message, const QString& hint, const std::vector<ptxwb::Diagnostic>& messages);

private:
    struct Answer {
        QString ptx;
        std::vector<Diagnostic> messages;
        std::optional<Diagnostic> error;
    };
    static Answer compile(const kernel::Kernel& kernel, const std::string& architecture, const std::string& commandLine,
                          std::stop_token stop);

    LatestJob<Answer> m_job;
};

} // namespace ptxwb::ui
