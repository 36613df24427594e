#include "window/file_menus.h"

#include "models/document.h"
#include "window/session_files.h"

#include <QFileInfo>
#include <QMenu>

namespace ptxwb::ui {

void fillExamplesMenu(QMenu& menu, SessionFiles& files) {
    QObject::connect(&menu, &QMenu::aboutToShow, &files, [&menu, &files] {
        menu.clear();
        for (const QString& name : SessionFiles::examples())
            menu.addAction(name, &files, [&files, name] { files.open(name); });
    });
}

void fillRecentMenu(QMenu& menu, SessionFiles& files) {
    QObject::connect(&menu, &QMenu::aboutToShow, &files, [&menu, &files] {
        menu.clear();
        const QStringList recent = Document::recentFiles();
        for (const QString& file : recent)
            menu.addAction(QFileInfo(file).fileName(), &files, [&files, file] { files.open(file); })
                ->setStatusTip(file);
        if (recent.isEmpty()) menu.addAction(SessionFiles::tr("Nothing was opened yet"))->setEnabled(false);
        menu.addSeparator();
        menu.addAction(SessionFiles::tr("&Clear"), &files, &Document::clearRecentFiles)->setEnabled(!recent.isEmpty());
    });
}

} // namespace ptxwb::ui
