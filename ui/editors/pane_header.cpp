#include "editors/pane_header.h"

#include "editors/elided_label.h"
#include "theme/theme.h"

#include <QHBoxLayout>

#include <algorithm>

namespace ptxwb::ui {
namespace {

QColor colourOf(PaneState state, const Theme& theme) {
    switch (state) {
    case PaneState::passed: return theme.passed;
    case PaneState::failed: return theme.failed;
    case PaneState::stale: return theme.stale;
    case PaneState::verifying: return theme.verifying;
    default: return theme.unverified;
    }
}

} // namespace

QString stateText(PaneState state) {
    switch (state) {
    case PaneState::none: return {};
    case PaneState::unverified: return PaneHeader::tr("\u25CB Unverified");
    case PaneState::verifying: return PaneHeader::tr("\u2026 Verifying");
    case PaneState::passed: return PaneHeader::tr("\u2713 Passed");
    case PaneState::failed: return PaneHeader::tr("\u2717 Failed");
    case PaneState::stale: return PaneHeader::tr("\u21BB Stale");
    }
    return {};
}

PaneHeader::PaneHeader(const QString& role, QWidget* parent)
    : QWidget(parent), m_role(role), m_name(new ElidedLabel(Qt::ElideMiddle)),
      m_details(new ElidedLabel(Qt::ElideRight)), m_notice(new ElidedLabel(Qt::ElideRight)), m_chip(new QLabel) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 3, 8, 3);
    row->setSpacing(8);
    QFont bold = font();
    bold.setBold(true);
    m_name->setFont(bold);
    row->addWidget(m_name);
    row->addWidget(m_details);
    row->addStretch(1);
    row->addWidget(m_notice);
    row->addWidget(m_chip);
    m_notice->hide();
    m_chip->hide();
    // All headers have one height, chip or not: rows of neighbouring panes then stand at the same height.
    setFixedHeight(fontMetrics().height() + 14);
    setTitle({});
}

void PaneHeader::setTitle(const PaneTitle& title) {
    if (title == m_title && !m_name->fullText().isEmpty()) return; // laying out reaches the whole window
    m_title = title;
    QStringList details;
    for (const QString& each : {title.target, title.flags})
        if (!each.isEmpty()) details << each;
    m_name->setFullText(title.name.isEmpty() ? m_role : title.name);
    // In a narrow pane the details give way first.
    m_name->setMinimumWidth(std::min(m_name->sizeHint().width(), 18 * fontMetrics().averageCharWidth()));
    m_details->setFullText(details.join(QStringLiteral("  ")));
    const QString chip = stateText(title.state);
    m_chip->setVisible(!chip.isEmpty());
    m_chip->setText(title.stateDetail.isEmpty() ? chip : tr("%1 (%2)").arg(chip, title.stateDetail));
    m_chip->setToolTip(m_chip->text());
    m_chip->setAccessibleName(tr("State of %1: %2").arg(m_role, m_chip->text()));
    setAccessibleName(tr("%1: %2").arg(m_role, (QStringList(m_name->fullText()) + details).join(QStringLiteral(", "))));
    paintChip();
}

QString PaneHeader::chipText() const {
    return m_chip->isHidden() ? QString() : m_chip->text();
}

void PaneHeader::setNotice(const QString& text) {
    if (text == m_notice->fullText()) return;
    m_notice->setFullText(text);
    m_notice->setMinimumWidth(std::min(m_notice->sizeHint().width(), 12 * fontMetrics().averageCharWidth()));
    m_notice->setVisible(!text.isEmpty());
}

void PaneHeader::setTheme(const Theme& theme) {
    m_theme = &theme;
    paintChip();
    QPalette quiet = palette();
    quiet.setColor(QPalette::WindowText, theme.marginText);
    m_details->setPalette(quiet);
    m_notice->setPalette(quiet);
}

void PaneHeader::paintChip() {
    if (!m_theme) return;
    const QString ink = colourOf(m_title.state, *m_theme).name();
    m_chip->setStyleSheet(
        QStringLiteral("QLabel { color: %1; border: 1px solid %1; border-radius: 4px; padding: 1px 6px; }").arg(ink));
}

} // namespace ptxwb::ui
