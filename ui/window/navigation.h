// Shows a place in the panes: of a problem, of a finding, of what a panel lists by line.
// Made by the main window, which connects the panels that name places.
#pragma once

#include "models/problem_model.h"

#include <QObject>

#include <vector>

namespace ptxwb::ui {

class ComparisonView;
class Document;
struct FindingMark;
enum class PaneId : unsigned char;

/// Lines and columns count from 1; line 0: there is no place, and a message says so.
class Navigation : public QObject {
    Q_OBJECT

public:
    Navigation(Document* document, ComparisonView* view, ProblemModel* problems, QObject* parent = nullptr);

    void showPlace(ProblemModel::Pane pane, const QString& file, int line, int column);
    void showPtx(int line, int column); ///< of the current candidate
    void showPtxLine(int line) { showPtx(line, 0); }
    void showBaselineLine(int line);
    void showCudaLine(const QString& file, int line) { showCuda(file, line, 0); }

    /// In the pane that shows the current candidate, and none in the other one.
    void mark(const std::vector<FindingMark>& findings);

    void nextProblem() { goToProblem(ProblemModel::Direction::next); }
    void previousProblem() { goToProblem(ProblemModel::Direction::previous); }

signals:
    void message(const QString& text);
    void messageOver(const QString& text); ///< no longer true of what is shown

private:
    void showCuda(const QString& file, int line, int column);
    void goToProblem(ProblemModel::Direction direction);
    void sayThereIsNoPlace();
    PaneId currentPane() const;

    Document* m_document;
    ComparisonView* m_view;
    ProblemModel* m_problems;
    QString m_told; ///< of a problem of the current candidate
};

} // namespace ptxwb::ui
