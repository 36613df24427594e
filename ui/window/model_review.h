// A proposal against the current candidate, change by change; each that is taken or reverted is one step of undo.
// Made by ModelChat.
#pragma once

#include "jobs/latest_job.h"
#include "models/text_changes.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>

namespace ptxwb::ui {

class ComparisonView;
class Document;
class ModelChanges;

class ModelReview : public QObject {
    Q_OBJECT

public:
    ModelReview(Document* document, ComparisonView* view, ModelChanges* panel, QObject* parent);

    std::function<void()> flush; ///< what was typed is in the document afterwards

    void begin(const QString& proposal);
    QString proposal() const { return m_proposal; }
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void message(const QString& text);

private:
    struct Answer {
        std::vector<TextChange> open, taken;
    };
    void update();
    void replace(const TextChange& change);
    void acceptAll();
    void end(const QString& reason);
    bool isCurrentText() const;

    Document* m_document;
    ComparisonView* m_view;
    ModelChanges* m_panel;
    QString m_proposal, m_target; ///< ids; empty: no review
    QByteArray m_start;           ///< the target's text when the review began
    QByteArray m_compared;        ///< the target's text that the shown changes are about
    LatestJob<Answer> m_job;
};

} // namespace ptxwb::ui
