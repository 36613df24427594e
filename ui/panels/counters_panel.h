// The dock of hardware counters: what a GPU counted of the current candidate, beside the baseline.
// Made by the main window.
#pragma once

#include <QString>
#include <QWidget>

class QAction;
class QLabel;
class QStackedWidget;

namespace ptxwb::ui {

class CounterStore;
class Document;
class EmptyPage;
class FigureTable;
class HotLineTable;
struct Theme;

/// Shows counts of a GPU only; without any it says why and offers to count.
class CountersPanel : public QWidget {
    Q_OBJECT

public:
    CountersPanel(Document* document, CounterStore* counters, QAction* count, QWidget* parent = nullptr);
    ~CountersPanel() override;

    void setTheme(const Theme& theme);

    QString emptyText() const; ///< why there are no counts; empty where there are
    FigureTable& table() { return *m_table; }
    HotLineTable& lines() { return *m_lines; }

signals:
    void lineWanted(int line); ///< of the current candidate

protected:
    void changeEvent(QEvent* event) override;

private:
    QString whyEmpty(const QString& id) const;
    void updateAll();
    void updateLines(const QString& id, bool stale);

    Document* m_document;
    CounterStore* m_counters;
    QStackedWidget* m_pages;
    EmptyPage* m_empty;
    QLabel *m_stale, *m_measuredOn, *m_unknown, *m_sampled;
    FigureTable* m_table;
    HotLineTable* m_lines;
};

} // namespace ptxwb::ui
