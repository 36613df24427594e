#include "window/drafting.h"

#include "dialogs/draft_dialog.h"
#include "jobs/verify_runner.h"
#include "models/document.h"
#include "window/notice_bar.h"
#include "window/session_files.h"

namespace ptxwb::ui {

void draftSpec(const Document& document, SessionFiles& files, NoticeBar& notices, QWidget* window) {
    // The file lies here, so the program beside the window drafts it, wherever the worker is.
    const QStringList program = ToolCall::inPlaceOfWorker(VerifyRunner::defaultCommandLine(), {});
    DraftDialog dialog(program.value(0, QStringLiteral("ptxwb")),
                       QString::fromStdString(document.session().sourceFile.string()), window);
    if (dialog.exec() != QDialog::Accepted) return;
    const QString spec = dialog.specFile();
    files.open(spec);
    notices.say(DraftDialog::tr("Drafted %1. To decide in it:\n%2").arg(spec, dialog.notes().join(QLatin1Char('\n'))));
}

} // namespace ptxwb::ui
