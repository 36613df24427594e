#include "window/icons.h"

#include "theme/theme.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace ptxwb::ui {

namespace {

QByteArray drawing(const QString& name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) qFatal("the icon %s is not among the program's resources", qPrintable(name));
    return file.readAll();
}

/// The sizes of tool bars, menus and buttons at 1x, 1.5x and 2x, and of the program's icon.
void addPixmaps(QIcon& icon, const QByteArray& svg, std::initializer_list<int> sizes, QIcon::Mode mode) {
    QSvgRenderer renderer(svg);
    for (const int size : sizes) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        icon.addPixmap(pixmap, mode);
    }
}

} // namespace

QIcon themedIcon(const QString& name, const Theme& theme) {
    QIcon icon;
    const std::initializer_list<int> sizes{16, 20, 24, 32, 40, 48, 64};
    addPixmaps(icon, drawing(name).replace("currentColor", theme.text.name().toLatin1()), sizes, QIcon::Normal);
    addPixmaps(icon, drawing(name).replace("currentColor", theme.disabledText.name().toLatin1()), sizes,
               QIcon::Disabled);
    return icon;
}

QIcon programIcon() {
    QIcon icon;
    addPixmaps(icon, drawing(QStringLiteral("ptx-workbench")), {16, 24, 32, 48, 64, 128, 256}, QIcon::Normal);
    return icon;
}

} // namespace ptxwb::ui
