#include "panels/panel_page.h"

#include <QLabel>
#include <QScrollArea>

namespace ptxwb::ui {

QLabel* paragraph() {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setMinimumWidth(1); // a long word must not make the panel wider than its dock
    return label;
}

void say(QLabel* label, const QString& text) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

QScrollArea* scrolling(QWidget* page) {
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

} // namespace ptxwb::ui
