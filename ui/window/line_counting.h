// View > Line counts: which figures stand beside the lines of baseline and candidate.
// Made by the main window.
#pragma once

#include "jobs/latest_job.h"
#include "models/line_counts.h"

#include <QObject>

class QAction;
class QMenu;

namespace ptxwb::ui {

class CodePane;
class ComparisonView;
class CounterStore;
class Document;

class LineCounting : public QObject {
    Q_OBJECT

public:
    LineCounting(Document* document, CounterStore* counters, ComparisonView* view, QObject* parent = nullptr);

    /// "sectors", "pressure", as lessons write it; another word changes nothing.
    void chooseByName(const QString& name);
    void fillMenu(QMenu* menu); ///< one entry a kind; the choice is remembered

private:
    void choose(CountKind kind);
    void updatePanes();
    void updatePane(CodePane& pane, const QString& id);
    void analyse(CodePane& pane, LatestJob<std::vector<LineCount>>& job);

    Document* m_document;
    CounterStore* m_counters;
    ComparisonView* m_view;
    CountKind m_kind = CountKind::executed;
    std::array<QAction*, countKinds.size()> m_actions{};
    LatestJob<std::vector<LineCount>> m_baselineJob, m_candidateJob;
};

} // namespace ptxwb::ui
