// Which theme is in force: the desktop's, or the one a person chose.
// Made once by the window, which hands `changed` on to what paints.
#pragma once

#include "theme/theme.h"

#include <QObject>

class QDBusVariant;

namespace ptxwb::ui {

enum class ThemeChoice : unsigned char { system, light, dark, contrast };
inline constexpr int themeChoiceCount = 4;

/// Follows the desktop (its palette, and the portal's colour-scheme and contrast settings where there are any) unless
/// told otherwise, and keeps the application's palette in step. One for the program; needs the QApplication.
class ThemeSource : public QObject {
    Q_OBJECT
public:
    explicit ThemeSource(QObject* parent = nullptr);
    ~ThemeSource() override;

    const Theme& current() const { return *m_current; }
    ThemeChoice choice() const { return m_choice; }
    void setChoice(ThemeChoice choice);
    /// Of the theme in force the one with more contrast.
    void setHighContrast(bool wanted);

signals:
    /// After the application's palette was set.
    void changed(const ptxwb::ui::Theme& theme);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private slots:
    void portalChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void askPortal();
    void ask(const QString& key, uint ThemeSource::* to);
    bool desktopIsDark() const;
    const Theme& wanted() const;
    void update();

    ThemeChoice m_choice = ThemeChoice::system;
    bool m_highContrast = false;
    const Theme* m_current;
    QPalette m_desktop;        ///< the palette before we set one
    uint m_portalScheme = 0;   ///< 0 no preference, 1 dark, 2 light
    uint m_portalContrast = 0; ///< 0 no preference, 1 higher
    bool m_ownChange = false;
};

} // namespace ptxwb::ui
