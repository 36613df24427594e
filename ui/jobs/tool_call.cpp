#include "jobs/tool_call.h"

#include "worker/requests.h"

#include <QJsonDocument>

#include <utility>

namespace ptxwb::ui {

ToolCall::ToolCall(QObject* parent) : QObject(parent) {}

ToolCall::~ToolCall() {
    end();
}

void ToolCall::end() {
    if (!m_process) return;
    QProcess* process = std::exchange(m_process, nullptr);
    process->disconnect(this);
    process->kill();
    process->waitForFinished(2000);
    process->deleteLater();
}

void ToolCall::start(const QString& program, const QStringList& arguments) {
    end();
    m_process = new QProcess(this);
    connect(m_process, &QProcess::errorOccurred, this, [this, program](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return; // the others end in `finished`
        const QString why = m_process->errorString();
        end();
        emit failed(tr("%1 could not be started: %2").arg(program, why),
                    tr("Install ptxwb beside the window, or set its command line in the settings."));
    });
    connect(m_process, &QProcess::finished, this, [this, program] {
        const QByteArray output = m_process->readAllStandardOutput(), log = m_process->readAllStandardError();
        const int status = m_process->exitCode();
        const bool crashed = m_process->exitStatus() == QProcess::CrashExit;
        end();
        const QJsonDocument answer = QJsonDocument::fromJson(output);
        const QJsonObject error = answer.object().value(QStringLiteral("error")).toObject();
        if (!error.isEmpty())
            emit failed(error.value(QStringLiteral("message")).toString(),
                        error.value(QStringLiteral("hint")).toString());
        else if (!crashed && answer.isObject())
            emit answered(answer.object());
        else
            emit failed(crashed ? tr("%1 crashed.").arg(program)
                                : tr("%1 ended with status %2 and without an answer.").arg(program).arg(status),
                        QString::fromUtf8((log.isEmpty() ? output : log).right(400)).trimmed());
    });
    m_process->start(program, arguments + QStringList{QStringLiteral("--json")});
    m_process->closeWriteChannel();
}

QStringList ToolCall::inPlaceOfWorker(const QString& commandLine, const QStringList& command) {
    const auto words = worker::splitCommandLine(commandLine.toStdString());
    if (!words || words->size() < 2 || words->back() != "worker") return {};
    QStringList line;
    for (auto word = words->begin(); word + 1 != words->end(); ++word) line += QString::fromStdString(*word);
    return line + command;
}

} // namespace ptxwb::ui
