#include "window/notification.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QVariantMap>

namespace ptxwb::ui {

void notifyDesktop(const QString& title, const QString& text) {
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    // Source: Desktop Notifications Specification 1.2, Notify. -1: the server's own time.
    call << QStringLiteral("PTX Workbench") << 0u << QStringLiteral("ptx-workbench") << title << text << QStringList{}
         << QVariantMap{} << -1;
    bus.send(call);
}

} // namespace ptxwb::ui
