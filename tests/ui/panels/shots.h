// Panels as a person sees them: shown at a size, in light or dark, and kept as a picture where one is asked for.
// Used by the tests of ui/panels.
#pragma once

#include "theme/theme.h"

#include <QApplication>
#include <QStringList>
#include <QTest>
#include <QWidget>

namespace ptxwb::test {

/// What looks wrong is not seen by a test: set PTXWB_SHOTS to a folder to have pictures to look at.
inline void shoot(QWidget& panel, const QString& name) {
    const QString folder = qEnvironmentVariable("PTXWB_SHOTS");
    if (folder.isEmpty()) return;
    for (const ui::Theme* theme : {&ui::darkTheme(), &ui::lightTheme()}) {
        QApplication::setPalette(theme->palette());
        for (int i = 0; i < 3; ++i) QApplication::processEvents();
        panel.grab().save(QStringLiteral("%1/panel-%2-%3.png").arg(folder, name, theme->name));
    }
}

inline void show(QWidget& panel, QSize size) {
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(ui::lightTheme().palette());
    panel.resize(size);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
}

} // namespace ptxwb::test
