// Every named check of the funnel for one candidate: passed, failed, or not run and why; and how much the tests would
// have noticed. A part of the verification panel.
#pragma once

#include "verify/result.h"

#include <QWidget>

#include <vector>

class QLabel;
class QTreeWidget;

namespace ptxwb::ui {

class CheckList : public QWidget {
    Q_OBJECT

public:
    explicit CheckList(QWidget* parent = nullptr);

    /// `result` is null where nothing was verified. `stale`: of an earlier text.
    void setResult(const verify::CandidateResult* result, bool stale);

    QTreeWidget& tree() { return *m_tree; }
    QString summary() const;  ///< "31 checks passed, 1 failed, 14 not run"
    QString strength() const; ///< what no run reached; plain text

signals:
    void ptxLineWanted(int line);

private:
    void fill(const verify::CandidateResult& result, bool stale);
    void showStrength(const verify::CandidateResult& result);

    QLabel *m_summary, *m_strength;
    QTreeWidget* m_tree;
    std::vector<verify::CheckOutcome> m_shown;
    bool m_shownStale = false;
};

} // namespace ptxwb::ui
