#include "window/notice_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

namespace ptxwb::ui {

NoticeBar::NoticeBar(QWidget* parent) : QFrame(parent), m_text(new QLabel(this)), m_buttons(new QHBoxLayout) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setForegroundRole(QPalette::ToolTipText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 4, 6, 4);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setForegroundRole(QPalette::ToolTipText);
    row->addWidget(m_text, 1);
    row->addLayout(m_buttons);
    auto* close = new QToolButton(this);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close this notice"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    row->addWidget(close);
    hide();
}

void NoticeBar::say(const QString& text, std::vector<Offer> offers) {
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    m_text->setText(text);
    for (auto& [words, action] : offers) {
        auto* button = new QPushButton(words, this);
        connect(button, &QPushButton::clicked, this, [this, action = std::move(action)] {
            hide();
            action();
        });
        m_buttons->addWidget(button);
    }
    show();
}

QString NoticeBar::text() const {
    return isHidden() ? QString() : m_text->text();
}

} // namespace ptxwb::ui
