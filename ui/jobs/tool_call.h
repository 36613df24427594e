// One run of `ptxwb COMMAND --json` beside the window: doctor and init. Its answer, or its error, comes as a value.
// Used by the card that says what this machine has, and by drafting a spec.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QStringList>

namespace ptxwb::ui {

/// The newest `start` wins; a run that goes on at the end of the object is ended with it.
class ToolCall : public QObject {
    Q_OBJECT

public:
    explicit ToolCall(QObject* parent = nullptr);
    ~ToolCall() override;

    /// `program` and `arguments` as they are, without a shell; `--json` is added. One of `answered` and `failed`
    /// follows.
    void start(const QString& program, const QStringList& arguments);

    /// The command line of a worker ("ssh gpu-box ptxwb worker") with another command in place of `worker`. Empty
    /// where the line cannot be read or does not end in that word.
    static QStringList inPlaceOfWorker(const QString& commandLine, const QStringList& command);

signals:
    void answered(const QJsonObject& answer);
    /// Message and hint as the program says them; where it could not be started or wrote something else, what it wrote.
    void failed(const QString& message, const QString& hint);

private:
    void end();

    QProcess* m_process = nullptr;
};

} // namespace ptxwb::ui
