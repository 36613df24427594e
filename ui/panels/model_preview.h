// Exactly what would leave this machine, to be read before it does.
// A part of the Model panel; shown for the first question, and for every further one unless the person says otherwise.
#pragma once

#include "jobs/model_run.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabBar;

namespace ptxwb::ui {

class ModelPreview : public QWidget {
    Q_OBJECT

public:
    explicit ModelPreview(QWidget* parent = nullptr);

    void showQuestion(const PreparedQuestion& question, std::uint32_t candidates, std::uint32_t rounds);
    /// Of a run that goes on: only what is new since the last question is shown at first.
    void showFurther(const PendingQuestion& question, const PreparedQuestion& first);
    bool sendsFurther() const; ///< without asking again

signals:
    void agreed();
    void refused();
    void copyWanted();

private:
    void present(const QString& head, const QStringList& remarks, const QString& text, const QString& body);

    QLabel *m_head, *m_remarks;
    QTabBar* m_forms;
    QPlainTextEdit* m_text;
    QCheckBox* m_further;
    QPushButton *m_send, *m_back, *m_copy;
    QString m_asText, m_asSent;
};

/// Roles and texts, one after the other, as a person reads them.
QString messagesText(const std::vector<llm::Message>& messages, std::size_t from = 0);

} // namespace ptxwb::ui
