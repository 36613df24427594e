#include "window/assembler_log.h"

#include "jobs/latest_job.h"
#include "jobs/verify_runner.h"
#include "jobs/worker_call.h"
#include "models/document.h"
#include "worker/requests.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QPlainTextEdit>
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

/// Its own job: a second log does not take the answer of the first, and closing one ends its work.
class LogWindow : public QDialog {
public:
    LogWindow(const QString& name, const worker::AssembleRequest& request, const QString& commandLine, QWidget* parent)
        : QDialog(parent), m_text(new QPlainTextEdit(AssemblerLog::tr("Assembling\u2026"))) {
        setWindowTitle(AssemblerLog::tr("What ptxas writes: %1").arg(name));
        resize(820, 420);
        m_text->setReadOnly(true);
        m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        m_text->setAccessibleName(AssemblerLog::tr("What ptxas writes"));
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
        connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
        auto* column = new QVBoxLayout(this);
        column->addWidget(m_text, 1);
        column->addWidget(buttons);
        m_job.start([request, command = commandLine.toStdString()](
                        std::stop_token stop) { return logOf(request, command, stop); },
                    [this](const Expected<QString>& log) {
                        m_text->setPlainText(log ? *log : qt(log.error().message + '\n' + log.error().hint));
                    });
    }

private:
    QPlainTextEdit* m_text;
    LatestJob<Expected<QString>> m_job;
};

} // namespace

AssemblerLog::AssemblerLog(Document* document, VerifyRunner* runner, QObject* parent)
    : QObject(parent), m_document(document), m_runner(runner) {}

QDialog* AssemblerLog::made(QWidget* window) {
    const session::Candidate* shown = m_document->candidate(m_document->current());
    if (!shown || shown->text.empty()) {
        emit message(tr("There is no PTX to assemble yet."));
        return nullptr;
    }
    return new LogWindow(qt(shown->name), {shown->name + ".ptx", shown->text, m_document->session().targets, {}},
                         m_runner->effectiveCommandLine(), window);
}

} // namespace ptxwb::ui
