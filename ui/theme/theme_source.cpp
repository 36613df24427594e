#include "theme/theme_source.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QEvent>

namespace ptxwb::ui {
namespace {

const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
const QString interface = QStringLiteral("org.freedesktop.portal.Settings");
const QString appearance = QStringLiteral("org.freedesktop.appearance");
const QString colourScheme = QStringLiteral("color-scheme"), contrastKey = QStringLiteral("contrast");

/// `Read` wraps its answer in one variant more than `ReadOne` does.
uint numberIn(QVariant value) {
    while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    return value.toUInt();
}

} // namespace

ThemeSource::ThemeSource(QObject* parent)
    : QObject(parent), m_current(&lightTheme()), m_desktop(QApplication::palette()) {
    m_current = desktopIsDark() ? &darkTheme() : &lightTheme();
    qApp->installEventFilter(this);
    update();
    askPortal();
}

ThemeSource::~ThemeSource() = default;

void ThemeSource::askPortal() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(service, path, interface, QStringLiteral("SettingChanged"), this,
                SLOT(portalChanged(QString, QString, QDBusVariant)));
    ask(colourScheme, &ThemeSource::m_portalScheme);
    ask(contrastKey, &ThemeSource::m_portalContrast);
}

void ThemeSource::ask(const QString& key, uint ThemeSource::* to) {
    QDBusMessage question = QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
    question << appearance << key;
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(question, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, to](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        done->deleteLater();
        if (reply.isError()) return; // no portal on this desktop: the palette decides
        this->*to = numberIn(QVariant::fromValue(reply.value()));
        update();
    });
}

void ThemeSource::portalChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group != appearance || (key != colourScheme && key != contrastKey)) return;
    (key == colourScheme ? m_portalScheme : m_portalContrast) = numberIn(value.variant());
    update();
}

void ThemeSource::setChoice(ThemeChoice choice) {
    m_choice = choice;
    update();
}

void ThemeSource::setHighContrast(bool wanted) {
    m_highContrast = wanted;
    update();
}

bool ThemeSource::desktopIsDark() const {
    if (m_portalScheme == 1) return true;
    if (m_portalScheme == 2) return false;
    return m_desktop.color(QPalette::Window).lightness() < m_desktop.color(QPalette::WindowText).lightness();
}

const Theme& ThemeSource::wanted() const {
    const bool isLight = m_choice == ThemeChoice::light || (m_choice == ThemeChoice::system && !desktopIsDark());
    if (m_highContrast) return isLight ? contrastLightTheme() : contrastTheme();
    switch (m_choice) {
    case ThemeChoice::light: return lightTheme();
    case ThemeChoice::dark: return darkTheme();
    case ThemeChoice::contrast: return contrastTheme();
    case ThemeChoice::system: break;
    }
    return m_portalContrast == 1 ? contrastTheme() : desktopIsDark() ? darkTheme() : lightTheme();
}

void ThemeSource::update() {
    const Theme& wanted = this->wanted();
    const QPalette palette = wanted.palette();
    if (&wanted == m_current && QApplication::palette() == palette) return;
    m_current = &wanted;
    m_ownChange = true;
    QApplication::setPalette(palette);
    m_ownChange = false;
    emit changed(wanted);
}

bool ThemeSource::eventFilter(QObject* watched, QEvent* event) {
    if (watched == qApp && event->type() == QEvent::ApplicationPaletteChange && !m_ownChange &&
        QApplication::palette() != m_current->palette()) {
        m_desktop = QApplication::palette();
        // Setting a palette from within its own notice would be lost.
        QMetaObject::invokeMethod(this, &ThemeSource::update, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace ptxwb::ui
