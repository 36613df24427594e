// The review in the window: comments from a selection or a change, marks in the margins, the decision, the bundle.
// Made by the main window between the document, the panes and the review panel.
#pragma once

#include "editors/comparison_view.h"
#include "jobs/tool_call.h"
#include "review/decision.h"

#include <QObject>
#include <QTimer>

#include <array>
#include <functional>

class QAction;
class QMenu;

namespace ptxwb::ui {

class CommentMarks;
class Document;
class ReviewPanel;
struct CommentPlace;

class Reviewing : public QObject {
    Q_OBJECT

public:
    Reviewing(Document* document, ComparisonView* view, QWidget* window);

    ReviewPanel* panel() { return m_panel; }
    void setTheme(const Theme& theme);
    void fillMenu(QMenu* menu);
    const std::vector<QAction*>& actions() const { return m_actions; }
    CommentMarks& marks(PaneId pane) { return *m_marks[pane == PaneId::candidate ? 1 : 0]; }

    /// What was typed must be in the document.
    std::function<void()> flush;
    /// Saves the session; false where it was not.
    std::function<bool()> save;
    /// Brings the dock to the front.
    std::function<void()> showDock;

    void commentOnSelection(); ///< the selected lines of the pane, else the line of its caret
    void commentOnChange();    ///< the hunk at the caret

signals:
    void message(const QString& text);
    /// The open comments about the current candidate, as a wish for a model.
    void askModel(const QString& wish);
    /// An approval that held does not any more.
    void withdrawn(const QString& text);
    void compareSessions();

private:
    QAction* action(const QString& text, const QString& tip, const QKeySequence& key, std::function<void()> run);
    void begin(PaneId pane, int line, int count);
    void connectPanel();
    void update(); ///< everything, at the next turn of the event loop
    void updateNow();
    void updateDecision();
    void updateMarks();
    void followComments(QString id);
    void decide();
    void bundle();
    void sendToModel();
    void goTo(const QString& candidate, int line);
    review::Wish wish() const;
    QString idOf(PaneId pane) const;

    Document* m_document;
    ComparisonView* m_view;
    QWidget* m_window;
    ReviewPanel* m_panel;
    std::array<CommentMarks*, 2> m_marks; ///< of the baseline's pane and the candidate's
    std::vector<QAction*> m_actions;
    review::KernelHashes m_hashes; ///< hashing the spec's files at each letter would be felt
    QTimer m_update, m_follow;
    QString m_followed;   ///< candidate whose text has changed
    QString m_approvedId; ///< candidate whose approval held when it was looked at last
    ToolCall m_bundle;
    QString m_bundleFile;
};

} // namespace ptxwb::ui
