// View > Line counts: which figures stand beside the lines of baseline and candidate.
// Made by the main window.
#pragma once

#include "models/line_counts.h"

#include <QObject>

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

    void fillMenu(QMenu* menu); ///< one entry a kind; the choice is remembered

private:
    void choose(CountKind kind);
    void updatePanes();
    void updatePane(CodePane& pane, const QString& id);

    Document* m_document;
    CounterStore* m_counters;
    ComparisonView* m_view;
    CountKind m_kind = CountKind::executed;
};

} // namespace ptxwb::ui
