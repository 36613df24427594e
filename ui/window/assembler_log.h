// What ptxas writes about the current text, word for word, for each target.
// Made by SideWindows, which shows it.
#pragma once

#include <QObject>
#include <QString>

class QDialog;

namespace ptxwb::ui {

class Document;
class VerifyRunner;

class AssemblerLog : public QObject {
    Q_OBJECT

public:
    AssemblerLog(Document* document, VerifyRunner* runner, QObject* parent);

    /// A dialog that is filled once ptxas has answered; nullptr, and a message, where there is no text.
    QDialog* made(QWidget* window);

signals:
    void message(const QString& text);

private:
    Document* m_document;
    VerifyRunner* m_runner;
};

} // namespace ptxwb::ui
