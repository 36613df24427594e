#include "panels/marks.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>

namespace ptxwb::ui {

const Theme& themeFor(const QPalette& palette) {
    const QColor base = palette.color(QPalette::Base);
    for (const Theme* theme : {&contrastTheme(), &contrastLightTheme()})
        if (base == theme->base && palette.color(QPalette::Window) == theme->window) return *theme;
    return base.lightness() < 128 ? darkTheme() : lightTheme();
}

Mark markOf(StageModel::State state, const Theme& theme) {
    using State = StageModel::State;
    switch (state) {
    case State::notRun:
    case State::waiting: return {QStringLiteral("\u25CB"), theme.unverified};
    case State::running: return {QStringLiteral("\u2026"), theme.verifying};
    case State::pass: return {QStringLiteral("\u2713"), theme.passed};
    case State::fail: return {QStringLiteral("\u2717"), theme.failed};
    case State::skipped: return {QStringLiteral("\u2013"), theme.unverified};
    case State::inconclusive: return {QStringLiteral("?"), theme.warning};
    case State::stopped: return {QStringLiteral("\u25A0"), theme.unverified};
    }
    return {};
}

Mark markOf(Severity severity, const Theme& theme) {
    switch (severity) {
    case Severity::error: return {QStringLiteral("\u2717"), theme.error};
    case Severity::warning: return {QStringLiteral("!"), theme.warning};
    case Severity::note: return {QStringLiteral("i"), theme.note};
    }
    return {};
}

Mark verdictMark(const QString& verdict, const Theme& theme) {
    if (verdict == QStringLiteral("pass")) return markOf(StageModel::State::pass, theme);
    if (verdict == QStringLiteral("fail")) return markOf(StageModel::State::fail, theme);
    if (verdict == QStringLiteral("incomplete")) return markOf(StageModel::State::inconclusive, theme);
    if (verdict == QStringLiteral("running")) return markOf(StageModel::State::running, theme);
    return markOf(StageModel::State::notRun, theme);
}

void MarkDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const Mark mark = m_markOf(index, themeFor(option->palette));
    if (mark.glyph.isEmpty()) return;
    option->text = QStringLiteral("%1 %2").arg(mark.glyph, option->text);
    if (!index.data(Qt::ForegroundRole).isValid()) option->palette.setColor(QPalette::Text, mark.colour);
}

bool MarkDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
    if (event->type() != QEvent::ToolTip || sizeHint(option, index).width() <= option.rect.width())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const QString whole = index.data().toString(), more = index.data(Qt::ToolTipRole).toString();
    const QString text = more.isEmpty() || more.startsWith(whole) ? more + (more.isEmpty() ? whole : QString())
                                                                  : whole + QLatin1Char('\n') + more;
    QToolTip::showText(event->globalPos(), text, view);
    return true;
}

} // namespace ptxwb::ui
