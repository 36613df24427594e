// The verification as a heat map: sizes against distributions, and of a launch that is made again where its wrong
// elements lie. A part of the verification panel.
#pragma once

#include "verify/replay.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSplitter;

namespace ptxwb::ui {

class CaseTable;
class ElementMap;

class HeatMap : public QWidget {
    Q_OBJECT

public:
    explicit HeatMap(QWidget* parent = nullptr);

    /// Null where nothing was verified. `stale`: of an earlier text, which cannot be run again.
    void setResult(const verify::CandidateResult* result, bool stale);
    void setRunning(const verify::RunCase& run);
    void setReport(const verify::ReplayReport& report);
    void setFailure(const QString& text);
    void clearReplay(); ///< of another candidate or text

    CaseTable& cases() { return *m_cases; }
    ElementMap& elements() { return *m_elements; }
    QPushButton& replayButton() { return *m_replay; }
    QListWidget& findings() { return *m_findings; }
    QString summary() const; ///< of the launches
    QString answer() const;  ///< what the launch that was made again showed

signals:
    void replayWanted(const ptxwb::verify::RunCase& run);
    void ptxLineWanted(int line, int column);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showOutput(int index);
    void updateButton();

    QLabel *m_summary, *m_answer, *m_cell;
    CaseTable* m_cases;
    QPushButton* m_replay;
    QComboBox* m_output;
    ElementMap* m_elements;
    QListWidget* m_findings;
    QSplitter* m_splitter;
    verify::ReplayReport m_report;
    bool m_stale = false;
};

} // namespace ptxwb::ui
