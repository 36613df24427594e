#include "window/baseline_compiling.h"

#include "jobs/verify_runner.h"
#include "models/document.h"
#include "window/notice_bar.h"

namespace ptxwb::ui {

namespace {

QString firstWords(const std::vector<Diagnostic>& messages) {
    if (messages.empty()) return {};
    const Diagnostic& first = messages.front();
    return QStringLiteral("\n%1:%2: %3")
        .arg(QString::fromStdString(first.place.file))
        .arg(first.place.line)
        .arg(QString::fromStdString(first.message));
}

} // namespace

BaselineCompiling::BaselineCompiling(Document* document, VerifyRunner* runner, NoticeBar* notices, QObject* parent)
    : QObject(parent), m_document(document), m_runner(runner), m_notices(notices) {
    connect(document, &Document::sessionReplaced, this, &BaselineCompiling::sessionReplaced);
    connect(&m_compiler, &BaselineCompiler::compiled, this, &BaselineCompiling::compiled);
    connect(&m_compiler, &BaselineCompiler::failed, this, &BaselineCompiling::failed);
}

bool BaselineCompiling::isPossible() const {
    const session::Session& session = m_document->session();
    return session.hasKernel() && !session.kernel.spec.source.empty();
}

void BaselineCompiling::start() {
    QString arch;
    if (const auto& targets = m_document->session().targets; !targets.empty())
        arch = QString::fromStdString(targets.front());
    m_compiler.start(m_document->session().kernel, arch, m_runner->effectiveCommandLine());
    emit changed();
}

void BaselineCompiling::sessionReplaced() {
    m_problem.clear();
    m_compiler.cancel();
    const session::Session& session = m_document->session();
    const bool isMissing = session.hasKernel() && session.baseline.text.empty() && !session.source.empty();
    isMissing ? start() : emit changed();
}

void BaselineCompiling::compiled(const QString& ptx, const std::vector<Diagnostic>& warnings) {
    m_problem.clear();
    m_document->setBaseline(ptx);
    emit message(warnings.empty() ? tr("Compiled.") : tr("Compiled with warnings.") + firstWords(warnings));
    emit changed();
}

void BaselineCompiling::failed(const QString& why, const QString& hint, const std::vector<Diagnostic>& messages) {
    m_problem = tr("The baseline could not be compiled: %1.%2\n%3").arg(why, firstWords(messages), hint);
    if (!m_document->session().baseline.text.empty()) m_notices->say(m_problem);
    emit changed();
}

} // namespace ptxwb::ui
