#include "window/reference_question.h"

#include "dialogs/problem_box.h"
#include "dialogs/trust_dialog.h"
#include "kernel/reference.h"
#include "kernel/trust.h"
#include "support/resources.h"

#include <QMessageBox>

namespace ptxwb::ui {

namespace {

using verify::ReferenceTrust;

/// Bundled code is known wherever a session takes its copy.
void remember(const std::string& hash, QWidget* parent) {
    if (const auto kept = kernel::TrustStore().trust(hash); !kept) showProblem(parent, kept.error());
}

} // namespace

ReferenceTrust ReferenceQuestion::answer(const session::Session& session, Ask ask, const Theme& theme,
                                         QWidget* parent) {
    const auto known = kernel::trustOf(session.kernel, session.specFile, examplesFolder());
    const std::string hash = kernel::nativeCodeHash(session.kernel);
    if (known && *known == kernel::Trust::nothingToTrust) {
        if (ask == Ask::again)
            QMessageBox::information(parent, QObject::tr("PTX Workbench"),
                                     QObject::tr("This kernel has no native code: there is nothing to trust."));
        return ReferenceTrust::refused;
    }
    if (known && *known == kernel::Trust::trusted && ask == Ask::once) {
        if (session.place == session::KernelPlace::example) remember(hash, parent);
        return ReferenceTrust::granted;
    }
    if (ask == Ask::once && m_refused.contains(hash)) return ReferenceTrust::refused;
    if (!known) showProblem(parent, known.error());
    const std::string& file = session.kernel.spec.reference.file;
    const auto text = session.kernel.files.find(file);
    TrustDialog dialog(QString::fromStdString(session.specFile.string()), QString::fromStdString(file),
                       text == session.kernel.files.end() ? QByteArray() : QByteArray::fromStdString(text->second),
                       theme, parent);
    if (dialog.exec() != QDialog::Accepted) {
        m_refused.insert(hash);
        return ReferenceTrust::refused;
    }
    m_refused.erase(hash);
    remember(hash, parent);
    return ReferenceTrust::granted;
}

} // namespace ptxwb::ui
