// The dock of the verification: stages as chips, the verdict, every finding with all that is known about it.
// Made by the main window, which makes the two actions and shows the lines.
#pragma once

#include "models/stage_model.h"

#include <QString>
#include <QWidget>

class QAction;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QTextBrowser;
class QToolButton;
class QTreeView;
class QUrl;

namespace ptxwb::ui {

class CheckList;
class HeatMap;
class ElidedLabel;
class StageChips;

/// While nothing was verified the panel says so and offers the button. A click or Enter on a finding shows its PTX
/// line; the detail beside the list holds the whole finding, with links to both sides of a race and to the CUDA line.
/// Behind it lie the list of all checks and the heat map of all launches.
class VerificationPanel : public QWidget {
    Q_OBJECT

public:
    VerificationPanel(StageModel* model, QAction* verify, QAction* stop, QWidget* parent = nullptr);
    ~VerificationPanel() override;

    QTreeView& tree() { return *m_tree; }
    QAction& stepsAction() { return *m_steps; }
    QList<QAction*> findingActions() const { return {m_replay, m_steps, m_copy}; } ///< on the selected finding
    StageChips& chips() { return *m_chips; }
    QTextBrowser& detail() { return *m_detail; }
    CheckList& checks() { return *m_checks; }
    HeatMap& heatMap() { return *m_heatMap; }
    QTabWidget& tabs() { return *m_tabs; }

    /// One line: "fail (emulator): stress: a race on ...".
    void setVerdict(const QString& text);
    /// What checks and cases are shown of; null where nothing was verified.
    void setResult(const verify::CandidateResult* result, bool stale);
    /// Selects the stage, its first finding where it has one.
    void showStage(verify::Stage stage);

signals:
    /// Lines from 1; column in bytes from 1, 0 for the whole line.
    void ptxLineWanted(int line, int column);
    void cudaLineWanted(const QString& file, int line);
    void replayWanted(const ptxwb::verify::RunCase& run);
    void stepsWanted(const ptxwb::Finding& finding); ///< the warp stepper on the case of a finding

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeContent(QAction* verify, QAction* stop);
    void makeTree();
    void connectModel();
    void showFailure();
    void updateDetail();
    void jump(const QModelIndex& index);
    void openLink(const QUrl& link);
    void copy();
    void replaySelected();
    void fitColumns();

    StageModel* m_model;
    StageChips* m_chips;
    ElidedLabel* m_verdict;
    QTreeView* m_tree;
    QTextBrowser* m_detail;
    CheckList* m_checks;
    HeatMap* m_heatMap;
    QAction* m_replay;
    QTabWidget* m_tabs;
    QSplitter* m_splitter;
    QStackedWidget* m_pages;
    QAction* m_steps = nullptr; ///< enabled on a finding that names a thread
    QAction* m_copy = nullptr;
};

} // namespace ptxwb::ui
