#include "window/theme_menu.h"

#include "theme/theme_source.h"

#include <QActionGroup>
#include <QMenu>
#include <QSettings>

#include <algorithm>

namespace ptxwb::ui {

void fillThemeMenu(QMenu& menu, ThemeSource& theme) {
    const QString key = QStringLiteral("theme");
    const int stored = QSettings().value(key, 0).toInt();
    auto* group = new QActionGroup(&menu);
    const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::system, ThemeSource::tr("As the &desktop")},
                                                       {ThemeChoice::light, ThemeSource::tr("&Light")},
                                                       {ThemeChoice::dark, ThemeSource::tr("Da&rk")},
                                                       {ThemeChoice::contrast, ThemeSource::tr("High &contrast")}};
    for (const auto& [choice, words] : choices) {
        QAction* action = menu.addAction(words);
        action->setCheckable(true);
        action->setChecked(stored == int(choice));
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &theme, [&theme, key, choice = choice] {
            QSettings().setValue(key, int(choice));
            theme.setChoice(choice);
        });
    }
    theme.setChoice(ThemeChoice(std::clamp(stored, 0, themeChoiceCount - 1)));
}

} // namespace ptxwb::ui
