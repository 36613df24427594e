// Keeps panes, checker and comparison in step with the document while a person types.
// Made by the main window, between the document, the comparison view and the problem model.
#pragma once

#include "compare/compare.h"
#include "editors/source_links.h"
#include "jobs/latest_job.h"
#include "ptx/analysis/outline.h"
#include "ptx/module.h"
#include "support/diagnostic.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <vector>

namespace ptxwb::ui {

class ComparisonView;
class Document;
class ProblemModel;

/// The candidate pane shows the document's current candidate; nothing while that is the baseline. What is typed reaches
/// the document after a short rest, or at `flush`. Checking and comparing run off the window's thread.
class LiveAnalysis : public QObject {
    Q_OBJECT

public:
    LiveAnalysis(Document* document, ComparisonView* view, ProblemModel* problems, QObject* parent = nullptr);

    /// What was typed is in the document afterwards. Before saving, verifying, closing.
    void flush();
    /// Errors and warnings of the shown candidate, as the checker last said.
    const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }
    bool isRunning() const { return m_rest.isActive() || m_job.isRunning() || m_steps.isActive(); }

signals:
    void checked();
    /// Of the shown candidate, or of the baseline while that is the current one.
    void outlineChanged(const std::vector<ptxwb::ptx::OutlineFunction>& outline);

private:
    struct Parsed {
        QByteArray text;
        std::shared_ptr<const ptx::Module> module;
    };
    struct Answer {
        Parsed baseline, candidate;
        std::vector<Diagnostic> diagnostics;
        std::vector<ptx::OutlineFunction> outline;
        compare::Comparison comparison;
        bool isCoarse = false; ///< an exact comparison follows
        SourceLinks baselineLinks, candidateLinks;
    };
    enum class Exactness : std::uint8_t { coarse, full };
    static Answer analyse(QByteArray baseline, QByteArray candidate, Parsed known, const std::string& sourceName,
                          Exactness exactness, std::stop_token stop);

    void showSource();
    void showBaseline();
    void showCandidate();
    void textChangedElsewhere(const QString& id);
    void start();
    void start(Exactness exactness);
    void deliver(Answer answer, quint64 baselineRevision, quint64 candidateRevision);
    void deliverMore();
    bool isCurrent() const;

    Document* m_document;
    ComparisonView* m_view;
    ProblemModel* m_problems;
    QString m_left;  ///< id of what the pane beside it shows
    QString m_shown; ///< id of the candidate in the pane; empty: none
    bool m_typed = false;
    QTimer m_rest;
    Parsed m_baseline; ///< of the last answer: parsed once for all edits of a candidate
    std::vector<Diagnostic> m_diagnostics;
    LatestJob<Answer> m_job;
    /// An answer goes to the panes step by step, so that a large one is never felt.
    struct Delivery {
        Answer answer;
        quint64 baselineRevision = 0, candidateRevision = 0;
        int step = 0;
    } m_delivery;
    QTimer m_steps;
};

} // namespace ptxwb::ui
