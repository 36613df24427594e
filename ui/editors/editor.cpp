#include "editors/editor.h"

#include "editors/scintilla_numbers.h"
#include "theme/theme.h"

#include <QAction>
#include <QDropEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ptxwb::ui {
namespace {

/// Scintilla's order of bytes.
long colour(const QColor& c) {
    return long(c.red()) | (long(c.green()) << 8) | (long(c.blue()) << 16);
}

constexpr long modificationMask =
    QsciScintillaBase::SC_MOD_INSERTTEXT | QsciScintillaBase::SC_MOD_DELETETEXT | QsciScintillaBase::SC_MOD_CHANGEFOLD;

} // namespace

Editor::Editor(QWidget* parent) : QsciScintilla(parent), m_emptyButton(new QToolButton(viewport())) {
    fitDocument();
    setWrapMode(WrapNone);
    setAutoIndent(true);
    setBraceMatching(SloppyBraceMatch);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    send(SCI_SETSCROLLWIDTHTRACKING, 0); // `fitScrollWidth` says why
    // Past the last row too: panes of different heights then never lose one another at the end.
    send(SCI_SETENDATLASTLINE, 0);
    send(SCI_SETLAYOUTCACHE, SC_CACHE_PAGE);
    send(SCI_SETPOSITIONCACHE, 8192); // words of a page are measured once
    send(SCI_SETBUFFEREDDRAW, 0);     // Qt buffers the whole window
    send(SCI_SETIDLESTYLING, SC_IDLESTYLING_AFTERVISIBLE); // who jumps to the end waits for no line between
    send(SCI_SETMODEVENTMASK, modificationMask);
    send(SCI_SETCARETLINEVISIBLE, 1);
    send(SCI_SETCARETLINEFRAME, 1); // a frame, so that the row's tint stays
    send(SCI_SETMULTIPASTE, SC_MULTIPASTE_EACH);
    viewport()->setMouseTracking(true);
    m_emptyButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_emptyButton->setCursor(Qt::ArrowCursor);
    m_emptyButton->hide();
    connect(this, &Editor::textModified, this, &Editor::placeEmptyButton);
    defineMargins();
    connect(this, &QsciScintilla::linesChanged, this, &Editor::fitLineNumbers);
    connect(this, &QsciScintillaBase::SCN_ZOOM, this, [this] {
        fitLineNumbers();
        fitScrollWidth();
    });
    // The scroll bars tell of what a person does with them, SCN_UPDATEUI of the rest, but not before the next painting.
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &Editor::noticeScrolling);
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, this, &Editor::noticeScrolling);
    connect(this, &QsciScintillaBase::SCN_UPDATEUI, this, &Editor::noticeScrolling);
    connect(this, qOverload<int, int, const char*, int, int, int, int, int, int, int>(&QsciScintillaBase::SCN_MODIFIED),
            this, &Editor::modified);
}

void Editor::show(const QsciDocument& document) {
    setDocument(document);
    fitDocument();
    fitLineNumbers();
    setWidest(0);
    growWidest(0, {bytes(0, length()), std::size_t(length())});
}

/// What Scintilla keeps with the document and not with the widget.
void Editor::fitDocument() {
    setUtf8(true);
    setTabWidth(8);
    setIndentationsUseTabs(true);
}

long Editor::send(unsigned message, std::uintptr_t first, long second) const {
    return SendScintilla(message, static_cast<unsigned long>(first), second);
}

long Editor::send(unsigned message, std::uintptr_t first, const char* second) const {
    return SendScintilla(message, first, second);
}

const char* Editor::bytes(long position, long count) const {
    return reinterpret_cast<const char*>(send(SCI_GETRANGEPOINTER, std::uintptr_t(position), count));
}

void Editor::defineMargins() {
    send(SCI_SETMARGINS, margin::count);
    send(SCI_SETMARGINTYPEN, margin::lineNumbers, long(SC_MARGIN_NUMBER));
    send(SCI_SETMARGINTYPEN, margin::changes, long(SC_MARGIN_TEXT));
    send(SCI_SETMARGINTYPEN, margin::checks, long(SC_MARGIN_SYMBOL));
    send(SCI_SETMARGINTYPEN, margin::stripe, long(SC_MARGIN_SYMBOL));
    send(SCI_SETMARGINMASKN, margin::lineNumbers, 0L);
    send(SCI_SETMARGINMASKN, margin::changes, 0L);
    send(SCI_SETMARGINMASKN, margin::checks, long(marker::checksMask | marker::stepMask));
    send(SCI_SETMARGINMASKN, margin::stripe, long(marker::stripeMask));
    send(SCI_SETMARGINTYPEN, margin::range, long(SC_MARGIN_SYMBOL));
    send(SCI_SETMARGINMASKN, margin::range, long(marker::rangeMask));
    for (int i = 0; i < margin::count; ++i) send(SCI_SETMARGINSENSITIVEN, std::uintptr_t(i), i == margin::checks);
}

void Editor::fitLineNumbers() {
    const QByteArray digits(std::max(3, int(QByteArray::number(lineTotal()).size())), '9');
    const long line = send(SCI_TEXTWIDTH, STYLE_LINENUMBER, (digits + "9").constData());
    const long glyph = send(SCI_TEXTWIDTH, STYLE_LINENUMBER, "\u2195");
    const long em = send(SCI_TEXTWIDTH, STYLE_LINENUMBER, "9");
    const long widths[] = {line, glyph + em, std::max(12L, 2 * em), 5, m_rangeShown ? std::max(12L, 2 * em) : 0};
    for (int i = 0; i < margin::count; ++i)
        if (send(SCI_GETMARGINWIDTHN, std::uintptr_t(i)) != widths[i])
            send(SCI_SETMARGINWIDTHN, std::uintptr_t(i), widths[i]);
}

/// Scintilla would follow the widest line by itself, but to that end it measures all lines of a filler for each of its
/// rows: seconds a painting, where one side is 10,000 lines longer.
void Editor::fitScrollWidth() {
    m_scrollWidthPending = false;
    constexpr long many = 100; // a width in whole pixels of one letter would be wrong by far
    const long ofMany = send(SCI_TEXTWIDTH, STYLE_LINENUMBER, QByteArray(many, '9').constData());
    const long wanted = std::max(1L, (m_widest + 1) * ofMany / many);
    if (send(SCI_GETSCROLLWIDTH) != wanted) send(SCI_SETSCROLLWIDTH, std::uintptr_t(wanted));
}

/// In columns, a tab counted for eight. It never shrinks, as nobody wants the view to jump while lines are deleted.
void Editor::growWidest(int position, std::string_view inserted) {
    const int first = lineFrom(position), last = lineFrom(position + long(inserted.size()));
    long widest = m_widest;
    for (const int line : {first, last}) widest = std::max(widest, send(SCI_GETCOLUMN, std::uintptr_t(lineEnd(line))));
    while (!inserted.empty()) {
        const std::size_t end = std::min(inserted.find('\n'), inserted.size());
        const long tabs = std::count(inserted.begin(), inserted.begin() + std::ptrdiff_t(end), '\t');
        widest = std::max(widest, long(end) + 7 * tabs);
        inserted.remove_prefix(std::min(end + 1, inserted.size()));
    }
    setWidest(widest);
}

void Editor::setWidest(long columns) {
    if (columns == std::exchange(m_widest, columns) || std::exchange(m_scrollWidthPending, true)) return;
    QMetaObject::invokeMethod(this, &Editor::fitScrollWidth, Qt::QueuedConnection); // Scintilla is amid its change
}

void Editor::showRangeMargin(bool shown) {
    m_rangeShown = shown;
    fitLineNumbers();
}

void Editor::setCodeFont(const QFont& font) {
    setMarginsFont(font);
    for (const int each : {style::changeAdded, style::changeRemoved, style::changeMoved}) {
        send(SCI_STYLESETFONT, std::uintptr_t(each), font.family().toUtf8().constData());
        send(SCI_STYLESETSIZEFRACTIONAL, std::uintptr_t(each), std::lround(font.pointSizeF() * 100.0));
    }
    fitLineNumbers();
    fitScrollWidth();
}

void Editor::setTheme(const Theme& theme) {
    m_quiet = theme.marginText;
    m_overlays.setTheme(theme);
    setPaper(theme.background);
    setColor(theme.text);
    setCaretForegroundColor(theme.text);
    send(SCI_SETCARETLINEBACK, std::uintptr_t(colour(theme.currentLine)));
    send(SCI_SETSELBACK, 1, colour(theme.selection));
    setMarginsBackgroundColor(theme.marginBackground);
    setMarginsForegroundColor(theme.marginText);
    setMatchedBraceBackgroundColor(theme.findMatch);
    setMatchedBraceForegroundColor(theme.text);
    setUnmatchedBraceBackgroundColor(theme.background);
    setUnmatchedBraceForegroundColor(theme.error);
    const std::pair<int, QColor> glyphs[] = {{style::changeAdded, theme.addedMark},
                                             {style::changeRemoved, theme.removedMark},
                                             {style::changeMoved, theme.movedMark}};
    for (const auto& [number, fore] : glyphs) {
        send(SCI_STYLESETFORE, std::uintptr_t(number), colour(fore));
        send(SCI_STYLESETBACK, std::uintptr_t(number), colour(theme.marginBackground));
    }
    send(SCI_STYLESETBACK, STYLE_DEFAULT, colour(theme.background));
    defineMarkers(theme);
    defineIndicators(theme);
    viewport()->update();
}

void Editor::defineMarkers(const Theme& theme) {
    const auto define = [this](int number, int symbol, const QColor& fore, const QColor& back) {
        send(SCI_MARKERDEFINE, std::uintptr_t(number), long(symbol));
        send(SCI_MARKERSETFORE, std::uintptr_t(number), colour(fore));
        send(SCI_MARKERSETBACK, std::uintptr_t(number), colour(back));
    };
    define(marker::renamed, SC_MARK_BACKGROUND, theme.text, theme.renamed);
    define(marker::moved, SC_MARK_BACKGROUND, theme.text, theme.moved);
    define(marker::added, SC_MARK_BACKGROUND, theme.text, theme.added);
    define(marker::removed, SC_MARK_BACKGROUND, theme.text, theme.removed);
    define(marker::hiddenBelow, SC_MARK_UNDERLINE, theme.text, theme.currentLine);
    define(marker::linked, SC_MARK_BACKGROUND, theme.text, theme.linked);
    send(SCI_MARKERSETALPHA, marker::linked, theme.isDark ? 56L : 44L);
    for (std::size_t i = 0; i < theme.stripes.size(); ++i)
        define(marker::firstStripe + int(i), SC_MARK_FULLRECT, theme.stripes[i], theme.stripes[i]);
    // The overlays draw these three.
    for (const int each : {marker::note, marker::warning, marker::error})
        define(each, SC_MARK_EMPTY, theme.text, theme.marginBackground);
    define(marker::relatedFinding, SC_MARK_ARROW, theme.finding, theme.marginBackground);
    define(marker::finding, SC_MARK_CIRCLE, theme.finding, theme.finding);
    define(marker::live, SC_MARK_VLINE, theme.addedMark, theme.addedMark);
    define(marker::read, SC_MARK_SMALLRECT, theme.addedMark, theme.addedMark);
    define(marker::write, SC_MARK_ARROWDOWN, theme.removedMark, theme.removedMark);
    define(marker::step, SC_MARK_SHORTARROW, theme.text, theme.linked);
    define(marker::stepLine, SC_MARK_BACKGROUND, theme.text, theme.linked);
    send(SCI_MARKERSETALPHA, marker::stepLine, theme.isDark ? 72L : 60L);
}

void Editor::defineIndicators(const Theme& theme) {
    const auto define = [this](int number, int look, const QColor& fore) {
        send(SCI_INDICSETSTYLE, std::uintptr_t(number), long(look));
        send(SCI_INDICSETFORE, std::uintptr_t(number), colour(fore));
        send(SCI_INDICSETUNDER, std::uintptr_t(number), 1L);
    };
    define(indicator::note, INDIC_DOTS, theme.note);
    define(indicator::warning, INDIC_DIAGONAL, theme.warning);
    define(indicator::error, INDIC_SQUIGGLE, theme.error);
    define(indicator::renamedSpan, INDIC_DOTS, theme.renamedMark);
    define(indicator::removedSpan, INDIC_COMPOSITIONTHICK, theme.removedMark);
    define(indicator::addedSpan, INDIC_COMPOSITIONTHICK, theme.addedMark);
    define(indicator::finding, INDIC_STRAIGHTBOX, theme.finding);
    send(SCI_INDICSETALPHA, indicator::finding, 0L);
    send(SCI_INDICSETOUTLINEALPHA, indicator::finding, 255L);
    define(indicator::use, INDIC_STRAIGHTBOX, theme.addedMark);
    define(indicator::otherUse, INDIC_DASH, theme.removedMark);
    send(SCI_INDICSETALPHA, indicator::use, theme.isDark ? 70L : 50L);
    send(SCI_INDICSETOUTLINEALPHA, indicator::use, 255L);
    define(indicator::match, INDIC_FULLBOX, theme.findMatch);
    send(SCI_INDICSETALPHA, indicator::match, 255L);
    send(SCI_INDICSETOUTLINEALPHA, indicator::match, 255L);
}

int Editor::lineAtY(int y) const {
    const int height = lineHeight();
    if (height <= 0 || y < 0) return -1;
    const int row = firstVisibleRow() + y / height;
    const int line = static_cast<int>(send(SCI_DOCLINEFROMVISIBLE, std::uintptr_t(row)));
    return line < lineTotal() && rowOfLine(line) == row ? line : -1;
}

void Editor::noticeScrolling() {
    if (const int row = firstVisibleRow(); row != m_firstRow) {
        m_firstRow = row;
        emit scrolledVertically();
    }
    if (const long offset = xOffset(); offset != m_xOffset) {
        m_xOffset = offset;
        emit scrolledHorizontally();
    }
}

void Editor::setFirstVisibleRow(int row) {
    send(SCI_SETFIRSTVISIBLELINE, std::uintptr_t(std::max(0, row)));
    noticeScrolling();
}

void Editor::setXOffset(long pixels) {
    send(SCI_SETXOFFSET, std::uintptr_t(pixels));
    noticeScrolling();
}

void Editor::showRow(int row) {
    const int first = firstVisibleRow(), count = rowsOnScreen();
    if (row < first + 2 || row > first + count - 3) setFirstVisibleRow(row - count / 3);
}

void Editor::modified(int position, int type, const char* text, int count, int linesAdded) {
    if ((type & (SC_MOD_INSERTTEXT | SC_MOD_DELETETEXT)) == 0) return;
    emit textModified();
    if (length() == 0)
        setWidest(0);
    else if ((type & SC_MOD_INSERTTEXT) != 0 && text)
        growWidest(position, {text, std::size_t(count)});
    if (linesAdded == 0) return;
    const int line = lineFrom(position);
    const bool wholeLines = position == lineStart(line);
    if (linesAdded > 0)
        emit linesInserted(wholeLines && text && count > 0 && text[count - 1] == '\n' ? line : line + 1, linesAdded);
    else
        emit linesRemoved(wholeLines ? line + 1 : line + 2, -linesAdded);
}

void Editor::setEmptyText(const QString& text, QAction* action) {
    const auto before = m_emptyButton->actions();
    if (text == m_emptyText && before == (action ? QList{action} : QList<QAction*>{})) return; // paints the whole pane
    m_emptyText = text;
    for (QAction* each : before) m_emptyButton->removeAction(each);
    if (action) m_emptyButton->setDefaultAction(action);
    placeEmptyButton();
    viewport()->update();
}

void Editor::placeEmptyButton() {
    const bool wanted = length() == 0 && !m_emptyText.isEmpty() && m_emptyButton->defaultAction() &&
                        !m_emptyButton->actions().isEmpty();
    m_emptyButton->setVisible(wanted);
    if (!wanted) return;
    m_emptyButton->adjustSize();
    // The text stands in the middle, and grows to both sides.
    const QRect middle = viewport()->rect().adjusted(24, 24, -24, -24);
    const QRect text =
        QFontMetrics(QWidget::font()).boundingRect(middle, Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
    m_emptyButton->move((viewport()->width() - m_emptyButton->width()) / 2, text.bottom() + 12);
}

bool Editor::viewportEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize: placeEmptyButton(); break;
    case QEvent::MouseMove: {
        const int line = lineAtY(static_cast<QMouseEvent*>(event)->position().toPoint().y());
        if (line != m_hovered) emit hoveredLine(m_hovered = line);
        break;
    }
    case QEvent::MouseButtonPress: {
        const auto* press = static_cast<QMouseEvent*>(event);
        const QPoint at = press->position().toPoint();
        const int line = lineAtY(at.y());
        if (press->button() != Qt::LeftButton || line < 0 || !m_overlays.hiddenLabel(line).contains(at)) break;
        emit hiddenClicked(line);
        return true;
    }
    case QEvent::Leave:
        if (m_hovered != -1) emit hoveredLine(m_hovered = -1);
        break;
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int line = lineAtY(help->pos().y());
        const long position = send(SCI_POSITIONFROMPOINTCLOSE, std::uintptr_t(help->pos().x()), long(help->pos().y()));
        const QString text = toolTipAt && line >= 0 ? toolTipAt(position, line) : QString();
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, viewport());
        return true;
    }
    default: break;
    }
    return QsciScintilla::viewportEvent(event);
}

void Editor::focusInEvent(QFocusEvent* event) {
    QsciScintilla::focusInEvent(event);
    emit focusGained();
}

bool Editor::touchesLocked(long from, long to) const {
    if (!isLocked) return false;
    const int last = lineFrom(to);
    for (int line = lineFrom(from); line <= last; ++line)
        if (isLocked(line)) return true;
    return false;
}

bool Editor::selectionIsLocked() const {
    return touchesLocked(send(SCI_GETSELECTIONSTART), send(SCI_GETSELECTIONEND));
}

template <class Handle>
void Editor::whileLocked(bool locked, Handle handle) {
    const long before = send(SCI_GETREADONLY);
    if (locked) send(SCI_SETREADONLY, 1);
    handle();
    if (locked) send(SCI_SETREADONLY, std::uintptr_t(before));
}

void Editor::keyPressEvent(QKeyEvent* event) {
    // These two join the caret's line with a neighbour.
    const long from = send(SCI_GETSELECTIONSTART) - (event->key() == Qt::Key_Backspace);
    const long to = send(SCI_GETSELECTIONEND) + (event->key() == Qt::Key_Delete);
    const bool goesBack = event->matches(QKeySequence::Undo) || event->matches(QKeySequence::Redo);
    const bool locked = !goesBack && touchesLocked(std::max(0L, from), std::min(to, length()));
    whileLocked(locked, [&] { QsciScintilla::keyPressEvent(event); });
    noticeScrolling();
}

void Editor::inputMethodEvent(QInputMethodEvent* event) {
    whileLocked(selectionIsLocked(), [&] { QsciScintilla::inputMethodEvent(event); });
}

void Editor::dragEnterEvent(QDragEnterEvent* event) {
    event->mimeData()->hasUrls() ? event->ignore() : QsciScintilla::dragEnterEvent(event);
}

void Editor::dragMoveEvent(QDragMoveEvent* event) {
    event->mimeData()->hasUrls() ? event->ignore() : QsciScintilla::dragMoveEvent(event);
}

void Editor::dropEvent(QDropEvent* event) {
    if (event->mimeData()->hasUrls()) {
        event->ignore();
        return;
    }
    const QPoint at = event->position().toPoint();
    const long position = send(SCI_POSITIONFROMPOINT, std::uintptr_t(at.x()), long(at.y()));
    whileLocked(selectionIsLocked() || touchesLocked(position, position), [&] { QsciScintilla::dropEvent(event); });
}

void Editor::changeEvent(QEvent* event) {
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::FontChange) fitLineNumbers();
}

void Editor::paintEvent(QPaintEvent* event) {
    QsciScintilla::paintEvent(event);
    QPainter painter(viewport());
    if (length() == 0 && !m_emptyText.isEmpty()) {
        painter.setPen(m_quiet);
        painter.setFont(QWidget::font());
        const QRect middle = viewport()->rect().adjusted(24, 24, -24, -24);
        painter.drawText(middle, int(Qt::AlignCenter) | int(Qt::TextWordWrap), m_emptyText);
        return;
    }
    m_overlays.paint(painter);
}

BatchUpdate::BatchUpdate(Editor& editor) : m_editor(editor), m_wasEnabled(editor.updatesEnabled()) {
    m_editor.setUpdatesEnabled(false);
}

BatchUpdate::~BatchUpdate() {
    m_editor.setUpdatesEnabled(m_wasEnabled);
}

} // namespace ptxwb::ui
