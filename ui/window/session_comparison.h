// A window of its own: a text of one session beside a text of another, with the figures of both. As they were when it
// was opened, and read-only: it is for looking.
// Made by the main window.
#pragma once

#include "compare/compare.h"
#include "jobs/latest_job.h"
#include "session/session.h"

#include <QDialog>

#include <array>

class QComboBox;
class QTableWidget;

namespace ptxwb::ui {

class ComparisonView;
struct Theme;

class SessionComparison : public QDialog {
    Q_OBJECT

public:
    /// `current`: the text of `left` that is shown first; of `right` the one of the same name, else its first.
    SessionComparison(session::Session left, const std::string& current, session::Session right, const Theme& theme,
                      QWidget* parent = nullptr);

    ComparisonView& view() { return *m_view; }
    QTableWidget& figures() { return *m_figures; }
    QComboBox& choice(int side) { return *m_choices[std::size_t(side)]; } ///< 0: left, 1: right
    bool isRunning() const { return m_job.isRunning(); }

private:
    const session::Candidate* shown(int side) const;
    void fillChoice(int side, const std::string& first);
    void showChosen(int side);
    void startComparison();
    void fillFigures();

    std::array<session::Session, 2> m_sessions;
    std::array<QComboBox*, 2> m_choices{};
    ComparisonView* m_view;
    QTableWidget* m_figures;
    LatestJob<compare::Comparison> m_job;
};

} // namespace ptxwb::ui
