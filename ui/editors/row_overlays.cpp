#include "editors/row_overlays.h"

#include "editors/editor.h"
#include "editors/scintilla_numbers.h"
#include "theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace ptxwb::ui {

namespace {
using S = QsciScintillaBase;
}

void RowOverlays::setTheme(const Theme& theme) {
    m_filler = theme.filler;
    m_fillerLine = theme.fillerLine;
    m_quiet = theme.marginText;
    m_letters = {theme.note, theme.warning, theme.error};
}

void RowOverlays::paint(QPainter& painter) const {
    paintFillers(painter);
    paintLetters(painter);
    paintHidden(painter);
}

QString RowOverlays::hiddenText(int line) const {
    const auto marks = unsigned(m_editor.send(S::SCI_MARKERGET, std::uintptr_t(line)));
    return (marks & 1u << marker::hiddenBelow) == 0 || !m_editor.hiddenText ? QString() : m_editor.hiddenText(line);
}

QRect RowOverlays::hiddenLabel(int line) const {
    const QString text = hiddenText(line);
    if (text.isEmpty()) return {};
    const int width = QFontMetrics(static_cast<const QWidget&>(m_editor).font()).horizontalAdvance(text) + 12,
              height = m_editor.lineHeight();
    return {m_editor.viewport()->width() - width, (m_editor.rowOfLine(line) - m_editor.firstVisibleRow()) * height,
            width, height};
}

void RowOverlays::paintHidden(QPainter& painter) const {
    painter.setFont(static_cast<const QWidget&>(m_editor).font());
    for (int row = m_editor.firstVisibleRow(); row <= m_editor.firstVisibleRow() + m_editor.rowsOnScreen(); ++row) {
        const int line = static_cast<int>(m_editor.send(S::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(row)));
        if (line >= m_editor.lineTotal() || m_editor.rowOfLine(line) != row) continue;
        const QRect label = hiddenLabel(line);
        if (label.isEmpty()) continue;
        painter.fillRect(label, m_filler);
        painter.setPen(m_quiet);
        painter.drawText(label, Qt::AlignCenter, hiddenText(line));
    }
}

/// E, W or N of the worst check on a line. Scintilla cuts the letters that it draws itself.
void RowOverlays::paintLetters(QPainter& painter) const {
    const int height = m_editor.lineHeight(), first = m_editor.firstVisibleRow();
    const auto widthOf = [this](int each) {
        return static_cast<int>(m_editor.send(S::SCI_GETMARGINWIDTHN, std::uintptr_t(each)));
    };
    const QRect column(widthOf(margin::lineNumbers) + widthOf(margin::changes), 0, widthOf(margin::checks), height);
    QFont font = static_cast<const QWidget&>(m_editor).font();
    font.setPixelSize(std::max(6, height * 2 / 3));
    font.setBold(true);
    painter.setFont(font);
    constexpr unsigned findings = 1u << marker::finding | 1u << marker::relatedFinding;
    for (int row = 0; row <= m_editor.viewport()->height() / std::max(1, height); ++row) {
        const long line = m_editor.send(S::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(first + row));
        if (line >= m_editor.lineTotal() || m_editor.rowOfLine(int(line)) != first + row) continue;
        const auto marks = unsigned(m_editor.send(S::SCI_MARKERGET, std::uintptr_t(line)));
        if ((marks & marker::checksMask) == 0 || (marks & findings) != 0) continue;
        const int worst = (marks & (1u << marker::error)) ? 2 : (marks & (1u << marker::warning)) ? 1 : 0;
        painter.setPen(m_letters[std::size_t(worst)]);
        painter.drawText(column.translated(0, row * height), Qt::AlignCenter, QString(QLatin1Char("NWE"[worst])));
    }
}

/// Scintilla paints an annotation's blank text like any paper; the hatching tells that no line stands here.
void RowOverlays::paintFillers(QPainter& painter) const {
    const int height = m_editor.lineHeight(), first = m_editor.firstVisibleRow();
    int left = 0;
    for (int i = 0; i < margin::count; ++i)
        left += static_cast<int>(m_editor.send(S::SCI_GETMARGINWIDTHN, std::uintptr_t(i)));
    const int right = m_editor.viewport()->width();
    const int rows = m_editor.viewport()->height() / std::max(1, height) + 1;
    constexpr int step = 8;
    for (int row = 0; row < rows; ++row) {
        const int line = static_cast<int>(m_editor.send(S::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(first + row)));
        const int below = first + row - m_editor.rowOfLine(line);
        if (below < 1 || below > static_cast<int>(m_editor.send(S::SCI_ANNOTATIONGETLINES, std::uintptr_t(line))))
            continue;
        const QRect area(left, row * height, right - left, height);
        painter.setClipRect(area);
        painter.fillRect(area, m_filler);
        painter.setPen(QPen(m_fillerLine, 1.0));
        painter.setRenderHint(QPainter::Antialiasing);
        const int phase = ((first + row + 1) * height) % step; // the hatching runs on from row to row
        for (int x = left - height - step + phase; x < right; x += step)
            painter.drawLine(QPointF(x, area.bottom() + 1), QPointF(x + height, area.top()));
    }
    painter.setClipping(false);
}

} // namespace ptxwb::ui
