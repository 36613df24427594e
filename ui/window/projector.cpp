#include "window/projector.h"

#include "editors/comparison_view.h"
#include "theme/theme_source.h"

#include <QAction>
#include <QApplication>
#include <QMenu>

namespace ptxwb::ui {

namespace {
constexpr double scale = 1.5; ///< of the type of menus and panels
constexpr int codePoints = 6; ///< by which the type of the code grows
} // namespace

Projector::Projector(ThemeSource* theme, ComparisonView* view, QWidget* window)
    : QObject(window), m_theme(theme), m_view(view), m_action(new QAction(tr("Pro&jector"), window)),
      m_font(QApplication::font()) {
    m_action->setCheckable(true);
    m_action->setShortcut(QKeySequence(tr("Ctrl+Alt+P")));
    m_action->setStatusTip(tr("Large type and high contrast"));
    window->addAction(m_action);
    connect(m_action, &QAction::toggled, this, &Projector::set);
}

Projector::~Projector() {
    if (m_action->isChecked()) QApplication::setFont(m_font);
}

void Projector::fillMenu(QMenu* menu) {
    menu->addSeparator();
    menu->addAction(m_action);
}

void Projector::set(bool on) {
    if (on) m_font = QApplication::font();
    QFont font = m_font;
    if (on && m_font.pointSizeF() > 0)
        font.setPointSizeF(m_font.pointSizeF() * scale);
    else if (on)
        font.setPixelSize(int(m_font.pixelSize() * scale));
    QApplication::setFont(font);
    m_theme->setHighContrast(on);
    CodePane& pane = m_view->pane(m_view->currentPane());
    pane.setZoom(pane.zoom() + (on ? codePoints : -codePoints));
}

} // namespace ptxwb::ui
