#include "window/layouts.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>

namespace ptxwb::ui {

namespace {

constexpr int stateVersion = 6; ///< of the set of docks: a state of another version is not restored
constexpr std::array<const char*, 3> keys{"tune", "teach", "review"};
const QString currentKey = QStringLiteral("layouts/current"), geometryKey = QStringLiteral("geometry");

QString keyOf(Layouts::Name name) {
    return QStringLiteral("layouts/") + QLatin1String(keys[std::size_t(name)]);
}

} // namespace

Layouts::Layouts(QMainWindow* window, const Docks& docks) : QObject(window), m_window(window), m_docks(docks) {
    window->setDockNestingEnabled(true);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    auto* group = new QActionGroup(this);
    const std::array<std::pair<QString, QString>, 3> words{{
        {tr("&Tune"), tr("Candidates, resources, timing and verification around the panes")},
        {tr("T&each"), tr("The panes, the lesson, the problems and the warp stepper")},
        {tr("&Review"), tr("Candidates, timing, verification and problems side by side")},
    }};
    for (std::size_t i = 0; i < words.size(); ++i) {
        QAction* action = group->addAction(words[i].first);
        action->setStatusTip(words[i].second);
        action->setShortcut(QKeySequence(Qt::CTRL | Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + int(i))));
        action->setCheckable(true);
        action->setChecked(i == 0);
        connect(action, &QAction::triggered, this, [this, i] { choose(Name(i)); });
        m_actions[i] = action;
    }
}

void Layouts::fillMenu(QMenu* menu) {
    for (QAction* action : m_actions) menu->addAction(action);
    menu->addSeparator();
    QAction* reset = menu->addAction(tr("Restore &default layout"), this, &Layouts::restoreDefault);
    reset->setStatusTip(tr("Arrange the panels of this layout as they came"));
}

void Layouts::arrange(Name name) {
    const bool teach = name == Name::teach, review = name == Name::review;
    for (QDockWidget* dock : {m_docks.candidates, m_docks.resources, m_docks.timing, m_docks.counters, m_docks.outline,
                              m_docks.verification, m_docks.problems, m_docks.sass, m_docks.model, m_docks.warp,
                              m_docks.lesson, m_docks.effects}) {
        dock->setFloating(false);
        m_window->removeDockWidget(dock);
    }
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_docks.candidates);
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_docks.resources);
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_docks.timing);
    m_window->tabifyDockWidget(m_docks.resources, m_docks.timing);
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_docks.counters);
    m_window->tabifyDockWidget(m_docks.timing, m_docks.counters);
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_docks.model);
    m_window->tabifyDockWidget(m_docks.counters, m_docks.model);
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_docks.outline);
    if (!teach) m_window->tabifyDockWidget(m_docks.resources, m_docks.outline);
    m_window->addDockWidget(Qt::RightDockWidgetArea, m_docks.lesson);
    m_window->tabifyDockWidget(m_docks.outline, m_docks.lesson);
    m_window->addDockWidget(Qt::BottomDockWidgetArea, m_docks.verification);
    m_window->addDockWidget(Qt::BottomDockWidgetArea, m_docks.problems);
    if (!review) m_window->tabifyDockWidget(m_docks.verification, m_docks.problems);
    m_window->tabifyDockWidget(m_docks.problems, m_docks.sass);
    m_window->tabifyDockWidget(m_docks.sass, m_docks.warp);
    m_window->tabifyDockWidget(m_docks.warp, m_docks.effects);
    m_docks.candidates->setVisible(!teach);
    m_docks.resources->setVisible(!teach && !review);
    m_docks.timing->setVisible(!teach);
    m_docks.counters->setVisible(!teach);
    m_docks.model->setVisible(!teach && !review);
    m_docks.outline->setVisible(true);
    m_docks.verification->setVisible(true);
    m_docks.problems->setVisible(true);
    m_docks.sass->setVisible(true);
    m_docks.warp->setVisible(!review);
    m_docks.lesson->setVisible(teach);
    m_docks.effects->setVisible(true);
    (teach || review ? m_docks.problems : m_docks.verification)->raise();
    (teach ? m_docks.lesson : review ? m_docks.timing : m_docks.resources)->raise();
    if (m_review) {
        m_review->setFloating(false);
        m_window->removeDockWidget(m_review);
        m_window->tabifyDockWidget(m_docks.problems, m_review);
        m_review->setVisible(!teach);
        (review ? m_review : m_docks.problems)->raise();
        if (!teach && !review) m_docks.verification->raise();
    }
    const int width = m_window->width(), height = m_window->height();
    if (teach) m_window->resizeDocks({m_docks.lesson}, {std::clamp(width * 27 / 100, 300, 460)}, Qt::Horizontal);
    m_window->resizeDocks({m_docks.candidates}, {std::clamp(width * 27 / 100, 300, 460)}, Qt::Horizontal);
    m_window->resizeDocks({m_docks.candidates, review ? m_docks.timing : m_docks.resources},
                          {height * 35 / 100, height * 65 / 100}, Qt::Vertical);
    if (review) m_window->resizeDocks({m_docks.verification, m_docks.problems}, {width / 2, width / 3}, Qt::Horizontal);
    m_window->resizeDocks({m_docks.verification}, {std::clamp(height / 4, 150, 300)}, Qt::Vertical);
}

void Layouts::show(Name name) {
    m_current = name;
    m_actions[std::size_t(name)]->setChecked(true);
    if (!m_window->restoreState(QSettings().value(keyOf(name)).toByteArray(), stateVersion)) arrange(name);
}

void Layouts::choose(Name name) {
    QSettings().setValue(keyOf(m_current), m_window->saveState(stateVersion));
    show(name);
}

void Layouts::restoreDefault() {
    QSettings().remove(keyOf(m_current));
    arrange(m_current);
}

void Layouts::restore() {
    const QSettings settings;
    if (!m_window->restoreGeometry(settings.value(geometryKey).toByteArray())) m_window->resize(1600, 960);
    const int stored = settings.value(currentKey, 0).toInt();
    show(stored >= 0 && stored < int(keys.size()) ? Name(stored) : Name::tune);
}

void Layouts::store() const {
    QSettings settings;
    settings.setValue(geometryKey, m_window->saveGeometry());
    settings.setValue(currentKey, int(m_current));
    settings.setValue(keyOf(m_current), m_window->saveState(stateVersion));
}

} // namespace ptxwb::ui
