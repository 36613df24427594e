// The verdict of a person: what was decided, whether it still holds, and the form for deciding anew.
// A part of the review panel; the window's Reviewing says what keeps from it, and does what it asks for.
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QRadioButton;

namespace ptxwb::ui {

enum class DecisionKind : unsigned char { approve, requestChanges, reject };

/// How a decision stands, for its colour and glyph.
enum class DecisionState : unsigned char { none, holds, refused, withdrawn };

class DecisionPage : public QWidget {
    Q_OBJECT

public:
    explicit DecisionPage(QWidget* parent = nullptr);

    /// "vectorized", and "approved by Ada, 2026-12-01T10:00:00Z"; `details` below: reason, what has changed since.
    void setStanding(const QString& candidate, DecisionState state, const QString& text, const QStringList& details);
    /// Why the button cannot be pressed, one a line; empty: it can.
    void setObstacles(const QStringList& obstacles);
    void setTargets(const QString& targets);
    void setReviewer(const QString& reviewer);
    void setAuthors(const QString& authors);
    void clearReason();
    /// Why there is nothing to bundle; empty: there is.
    void setBundleProblem(const QString& why);

    DecisionKind kind() const;
    QStringList targets() const; ///< separated by blanks or commas
    QString reviewer() const, reason() const;
    QStringList authors() const; ///< separated by semicolons
    QString standing() const;
    QString obstacles() const;

signals:
    void changed();        ///< something that the obstacles depend on
    void reviewerEdited(); ///< to be kept for the next time
    void authorsEdited();
    void decided();
    void bundleWanted();

private:
    QLabel *m_standing, *m_details, *m_obstacles;
    bool m_isDecided = false;
    QRadioButton *m_approve, *m_request, *m_reject;
    QLineEdit *m_targets, *m_reviewer, *m_authors;
    QPlainTextEdit* m_reason;
    QPushButton *m_decide, *m_bundle;
};

} // namespace ptxwb::ui
