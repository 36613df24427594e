// Shows a place in the panes: of a problem, of a finding, of what a panel lists by line.
// Made by the main window, which connects the panels that name places.
#pragma once

#include "models/problem_model.h"

#include <QObject>

namespace ptxwb::ui {

class ComparisonView;
class Document;

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

    void nextProblem() { goToProblem(ProblemModel::Direction::next); }
    void previousProblem() { goToProblem(ProblemModel::Direction::previous); }

signals:
    void message(const QString& text);

private:
    void showCuda(const QString& file, int line, int column);
    void goToProblem(ProblemModel::Direction direction);
    void sayThereIsNoPlace();

    Document* m_document;
    ComparisonView* m_view;
    ProblemModel* m_problems;
};

} // namespace ptxwb::ui
