#include "window/assembler_log.h"

#include "jobs/verify_runner.h"
#include "jobs/worker_call.h"
#include "models/document.h"
#include "worker/requests.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPointer>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

namespace ptxwb::ui {

namespace {

constexpr std::chrono::minutes deadline{2};

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

/// "$ ptxas -v ..." and what it wrote, one after the other.
Expected<QString> logOf(const worker::AssembleRequest& request, const std::string& commandLine, std::stop_token stop) {
    const auto answer = callWorker(commandLine, worker::Job::assemble, worker::toJson(request), stop, deadline);
    if (!answer) return std::unexpected(answer.error());
    QStringList parts;
    for (const nlohmann::json& result : answer->at("results")) {
        QStringList command{QStringLiteral("$ ptxas")};
        for (const nlohmann::json& argument : result.at("arguments")) command += qt(argument.get<std::string>());
        parts += command.join(QLatin1Char(' ')) + QLatin1Char('\n') + qt(result.at("log").get<std::string>());
    }
    return parts.join(QLatin1Char('\n'));
}

} // namespace

AssemblerLog::AssemblerLog(Document* document, VerifyRunner* runner, QObject* parent)
    : QObject(parent), m_document(document), m_runner(runner) {}

QDialog* AssemblerLog::made(QWidget* window) {
    const session::Candidate* shown = m_document->candidate(m_document->current());
    if (!shown || shown->text.empty()) {
        emit message(tr("There is no PTX to assemble yet."));
        return nullptr;
    }
    auto* dialog = new QDialog(window);
    dialog->setWindowTitle(tr("What ptxas writes: %1").arg(qt(shown->name)));
    dialog->resize(820, 420);
    auto* text = new QPlainTextEdit(tr("Assembling\u2026"), dialog);
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(tr("What ptxas writes"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(text, 1);
    column->addWidget(buttons);
    m_job.start(
        [request = worker::AssembleRequest{shown->name + ".ptx", shown->text, m_document->session().targets, {}},
         command = m_runner->effectiveCommandLine().toStdString()](std::stop_token stop) {
            return logOf(request, command, stop);
        },
        [text = QPointer(text)](const Expected<QString>& log) {
            if (!text) return; // closed meanwhile
            text->setPlainText(log ? *log : qt(log.error().message + '\n' + log.error().hint));
        });
    return dialog;
}

} // namespace ptxwb::ui
