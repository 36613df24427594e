// The strip above a pane: what it shows, for which target, in which state.
// A part of the code pane.
#pragma once

#include <QWidget>

class QLabel;

namespace ptxwb::ui {

class ElidedLabel;
struct PaneTitle;
struct Theme;
enum class PaneState : unsigned char;

class PaneHeader : public QWidget {
    Q_OBJECT
public:
    explicit PaneHeader(const QString& role, QWidget* parent = nullptr);

    void setTitle(const PaneTitle& title);
    void setTheme(const Theme& theme);
    /// Said at the right end: "read-only", "over-long lines shortened".
    void setNotice(const QString& text);
    QString chipText() const;

private:
    void paintChip();

    QString m_role;
    ElidedLabel *m_name, *m_details, *m_notice;
    QLabel* m_chip;
    PaneState m_state{};
    const Theme* m_theme = nullptr;
};

/// Glyph and word: "✓ Passed". Empty for none.
QString stateText(PaneState state);

} // namespace ptxwb::ui
