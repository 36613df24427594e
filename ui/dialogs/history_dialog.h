// What a candidate was before: its versions, and three panes with the baseline, a version and the candidate.
// Shown by SideWindows; the document keeps the versions and takes one back.
#pragma once

#include "compare/compare.h"
#include "editors/three_rows.h"
#include "jobs/latest_job.h"

#include <QDialog>
#include <QTimer>

#include <array>
#include <vector>

class QLabel;
class QListWidget;
class QPushButton;

namespace ptxwb::ui {

class CodePane;
class Document;
struct Theme;

/// Follows the candidate while it is open. Newest version first; the one that is shown first is the newest whose text
/// is not the candidate's own. Blue: what the baseline (in the version) or the version (in the candidate) does not
/// have; orange: what the text to the right has no more.
class HistoryDialog : public QDialog {
    Q_OBJECT

public:
    HistoryDialog(Document* document, const QString& candidate, const Theme& theme, QWidget* parent = nullptr);
    ~HistoryDialog() override;

    QListWidget& list() { return *m_list; }
    QPushButton& restoreButton() { return *m_restore; }
    CodePane& pane(int column) { return *m_panes[std::size_t(column)]; } ///< 0 baseline, 1 version, 2 candidate
    QString summary() const;
    bool isComparing() const { return m_job.isRunning() || m_rest.isActive(); }

public slots:
    void nextChange();
    void previousChange();
    void restore();

private:
    struct Answer {
        compare::Comparison first, second;
    };
    void makePanes(const Theme& theme);
    void fillList();
    void showVersion();
    void apply(const Answer& answer);
    void scrolled(int from);
    void goToChange(int step);
    int version() const; ///< index in the history, -1 for none

    Document* m_document;
    QString m_candidate;
    QListWidget* m_list;
    QLabel* m_summary;
    QPushButton* m_restore;
    std::array<CodePane*, 3> m_panes{};
    std::vector<std::uint32_t> m_changedRows; ///< the first row of each run that differs
    LatestJob<Answer> m_job;
    int m_change = -1; ///< of the changed rows, the one that was gone to
    int m_shown = -2;  ///< the version in the pane
    bool m_syncing = false;
    QTimer m_rest; ///< while somebody types
};

} // namespace ptxwb::ui
