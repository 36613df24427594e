// The baseline from the kernel's CUDA source: compiled when a kernel came without one, or when a person wants it anew.
// Made by the main window.
#pragma once

#include "jobs/baseline_compiler.h"

#include <QObject>
#include <QString>

namespace ptxwb::ui {

class Document;
class NoticeBar;
class VerifyRunner;

class BaselineCompiling : public QObject {
    Q_OBJECT

public:
    BaselineCompiling(Document* document, VerifyRunner* runner, NoticeBar* notices, QObject* parent = nullptr);

    void start();
    bool isRunning() const { return m_compiler.isRunning(); }
    bool isPossible() const;                             ///< the kernel has a spec that names a source
    const QString& problem() const { return m_problem; } ///< why there is no baseline; empty where nothing failed

signals:
    void message(const QString& text);
    void changed(); ///< it runs, it ended, or the session is another one

private:
    void sessionReplaced();
    void compiled(const QString& ptx, const std::vector<Diagnostic>& warnings);
    void failed(const QString& why, const QString& hint, const std::vector<Diagnostic>& messages);

    Document* m_document;
    VerifyRunner* m_runner; ///< knows the worker's command line
    NoticeBar* m_notices;
    BaselineCompiler m_compiler;
    QString m_problem;
};

} // namespace ptxwb::ui
