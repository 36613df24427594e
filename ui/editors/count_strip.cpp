#include "editors/count_strip.h"

#include "editors/editor.h"
#include "theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace ptxwb::ui {

namespace {
constexpr int sideMargin = 5; ///< pixels
}

CountStrip::CountStrip(Editor* editor, QWidget* parent) : QWidget(parent), m_editor(editor) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    hide();
    // After each of the editor's own paints: it has scrolled, zoomed, or lines were hidden.
    connect(editor, &QsciScintillaBase::SCN_PAINTED, this, [this] {
        if (!isHidden()) update();
    });
    connect(editor, &QsciScintillaBase::SCN_ZOOM, this, &CountStrip::fit);
}

void CountStrip::setTheme(const Theme& theme) {
    m_paper = theme.marginBackground;
    m_text = theme.text;
    m_quiet = theme.marginText;
    m_tint = theme.highlight;
    update();
}

void CountStrip::setCounts(const QString& title, const std::vector<LineCount>& counts, bool stale) {
    m_title = title;
    m_stale = stale;
    m_counts.clear();
    for (const LineCount& one : counts) m_counts[one.line] = one;
    setVisible(!m_counts.empty());
    setAccessibleName(title);
    fit();
    update();
}

QString CountStrip::textAt(int line) const {
    const auto found = m_counts.find(line);
    return found == m_counts.end() ? QString() : found->second.text;
}

int CountStrip::lineHeight() const {
    return static_cast<int>(m_editor->send(QsciScintillaBase::SCI_TEXTHEIGHT, 0UL));
}

void CountStrip::fit() {
    QFont own = m_editor->font();
    own.setPixelSize(std::max(8, lineHeight() * 2 / 3));
    setFont(own);
    int widest = 0;
    for (const auto& [line, one] : m_counts) widest = std::max(widest, fontMetrics().horizontalAdvance(one.text));
    m_width = widest + 2 * sideMargin;
    setFixedWidth(m_width);
}

std::vector<std::pair<int, int>> CountStrip::shownLines() const {
    using S = QsciScintillaBase;
    std::vector<std::pair<int, int>> lines;
    const auto ask = [this](unsigned message, long value) {
        return static_cast<int>(m_editor->send(message, std::uintptr_t(value)));
    };
    const int first = ask(S::SCI_GETFIRSTVISIBLELINE, 0), shown = ask(S::SCI_LINESONSCREEN, 0);
    int last = -1;
    for (int row = first; row <= first + shown + 1; ++row) {
        const int line = ask(S::SCI_DOCLINEFROMVISIBLE, row);
        if (line == last) continue; // a filler below it
        last = line;
        const long position = m_editor->send(S::SCI_POSITIONFROMLINE, std::uintptr_t(line));
        if (position < 0) break;
        lines.emplace_back(line, static_cast<int>(m_editor->send(S::SCI_POINTYFROMPOSITION, 0UL, position)));
    }
    return lines;
}

void CountStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_paper);
    const int tall = lineHeight();
    for (const auto& [line, y] : shownLines()) {
        const auto found = m_counts.find(line + 1);
        if (found == m_counts.end()) continue;
        const QRect cell(0, y, width(), tall);
        QColor tint = m_tint;
        tint.setAlphaF(0.35F * static_cast<float>(std::clamp(found->second.weight, 0.0, 1.0)));
        if (!m_stale) painter.fillRect(cell, tint);
        painter.setPen(m_stale ? m_quiet : m_text);
        painter.drawText(cell.adjusted(0, 0, -sideMargin, 0), Qt::AlignRight | Qt::AlignVCenter, found->second.text);
    }
}

bool CountStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text = m_title;
    for (const auto& [line, y] : shownLines())
        if (help->pos().y() >= y && help->pos().y() < y + lineHeight())
            if (const auto found = m_counts.find(line + 1); found != m_counts.end())
                text += QLatin1Char('\n') + found->second.tip;
    if (m_stale) text += QLatin1Char('\n') + tr("of an earlier text");
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace ptxwb::ui
