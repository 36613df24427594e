// The dock of the candidates: a sortable table of verdicts and figures, with the operations on them.
// Made by the main window, which makes the actions and takes `message` to its status bar.
#pragma once

#include "models/candidate_model.h"

#include <QByteArray>
#include <QString>
#include <QWidget>

class QAction;
class QStackedWidget;
class QTableView;
class QToolBar;

namespace ptxwb::ui {

class CandidateSort;
class Document;
class ElidedLabel;

/// Made by the window with icons, keys and texts; they act on the document's current candidate.
struct CandidateActions {
    QAction* create = nullptr;
    QAction* duplicate = nullptr;
    QAction* rename = nullptr;
    QAction* remove = nullptr;
    QAction* import = nullptr;
    QAction* verify = nullptr;
    QAction* delta = nullptr; ///< show all others as differences to the chosen one
    QAction* noDelta = nullptr;
};

/// The selected row is the document's current candidate, whichever of the two changes. While there is nothing to list,
/// the panel says so and offers what fills it.
class CandidatePanel : public QWidget {
    Q_OBJECT

public:
    CandidatePanel(Document* document, const CandidateActions& actions, QWidget* parent = nullptr);
    ~CandidatePanel() override;

    CandidateModel& model() { return *m_model; }
    QTableView& table() { return *m_table; }
    QString selected() const; ///< id; empty where no row is selected

    /// Opens the name's editor in its row.
    void editName(const QString& id);

    QByteArray saveState() const; ///< order, widths and sorting of the columns
    bool restoreState(const QByteArray& state);

signals:
    /// Something that a person wants to know: why a name was refused.
    void message(const QString& text);

private:
    void makeTable();
    QToolBar* makeToolBar();
    void connectDocument();
    void selectCurrent();
    void takeSelection();
    void updateColumns();
    void updatePage();
    void showMenu(const QPoint& at);
    void setDeltaAgainst(const QString& id);

    Document* m_document;
    CandidateActions m_actions;
    CandidateModel* m_model;
    CandidateSort* m_sorted;
    QTableView* m_table;
    QStackedWidget* m_pages;
    ElidedLabel* m_deltaText;
    QString m_deltaAgainst;
    bool m_selecting = false; ///< the selection follows the document: it is no choice of a person's
    bool m_fitting = true;    ///< widths change by us, and not by a person
    bool m_ownWidths = false; ///< a person has chosen widths: they stay
};

} // namespace ptxwb::ui
