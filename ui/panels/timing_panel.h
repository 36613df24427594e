// The dock of time: whether the current candidate is faster than the baseline, and how that was measured.
// Made by the main window.
#pragma once

#include <QString>
#include <QWidget>

class QAction;
class QLabel;
class QStackedWidget;

namespace ptxwb::ui {

class Document;
class EmptyPage;
class TimingPlot;
class FigureTable;
struct Theme;
struct TimingFigures;

/// Shows time from a GPU only; without any it says why, and what the emulator counted.
class TimingPanel : public QWidget {
    Q_OBJECT

public:
    /// `open`: for who has nothing open yet.
    TimingPanel(Document* document, QAction* verify, QAction* open = nullptr, QWidget* parent = nullptr);
    ~TimingPanel() override;

    void setTheme(const Theme& theme);

    QString callText() const;    ///< "▲ faster: 1.269 x, ..."; with what explains it
    QString emptyText() const;   ///< why there is no time; empty where there is one
    QString outsideText() const; ///< samples that the plot does not show; empty where it shows all
    FigureTable& table() { return *m_table; }
    TimingPlot& plot() { return *m_plot; }

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeFigures();
    void updateAll();
    void show(const TimingFigures& figures);

    Document* m_document;
    QStackedWidget* m_pages;
    EmptyPage* m_empty;
    QAction *m_verify, *m_open;
    QLabel *m_stale, *m_call, *m_explanation, *m_measuredOn, *m_outside, *m_note;
    TimingPlot* m_plot;
    FigureTable* m_table;
    bool m_isStale = false, m_updatePending = false;
};

} // namespace ptxwb::ui
