// The strip above a pane: what it shows, for which target, in which state.
// A part of the code pane.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;

namespace ptxwb::ui {

class ElidedLabel;
struct Theme;

/// The chip in a pane's header.
enum class PaneState : unsigned char { none, unverified, verifying, passed, failed, stale };

struct PaneTitle {
    QString name;   ///< "saxpy.cu", "vectorized"
    QString target; ///< "sm_90"
    QString flags;  ///< "-O3 -lineinfo"
    PaneState state = PaneState::none;
    QString stateDetail; ///< evidence, said beside the chip and in its tooltip: "emulator"
    bool operator==(const PaneTitle&) const = default;
};

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
    PaneTitle m_title;
    const Theme* m_theme = nullptr;
};

/// Glyph and word: "✓ Passed". Empty for none.
QString stateText(PaneState state);

} // namespace ptxwb::ui
