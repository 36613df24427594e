#include "editors/code_pane.h"

#include "editors/completion_popup.h"
#include "editors/cuda_lexer.h"
#include "editors/editor.h"
#include "editors/find_bar.h"
#include "editors/instruction_tip.h"
#include "editors/long_lines.h"
#include "editors/operand_tip.h"
#include "editors/pane_header.h"
#include "editors/ptx_lexer.h"
#include "editors/scintilla_numbers.h"
#include "theme/theme.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ptxwb::ui {
namespace {

using S = QsciScintillaBase;

constexpr int markMilliseconds = 80; ///< of rest, before the register at the caret is marked

template <class Lexer>
std::function<void(const Theme&)> giveLexer(Editor& editor, Lexer* lexer, const QFont& font) {
    lexer->setDefaultFont(font);
    lexer->setFont(font);
    editor.setLexer(lexer);
    return [lexer](const Theme& theme) { lexer->setTheme(theme); };
}

} // namespace

struct CodePane::KeptText {
    QsciDocument document;
    long caret = 0;
    int topLine = 0;
};

CodePane::CodePane(Language language, Access access, const QString& accessibleName, QWidget* parent)
    : QWidget(parent), m_editor(new Editor), m_header(new PaneHeader(accessibleName)), m_find(new FindBar(*m_editor)),
      m_longLines(std::make_unique<LongLines>()), m_access(access), m_language(language) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_editor, 1);
    row->addWidget(m_counts = new CountStrip(m_editor));
    column->addLayout(row, 1);
    column->addWidget(m_find);
    setFocusProxy(m_editor);
    setAccessibleName(accessibleName);
    m_editor->setAccessibleName(tr("%1, text").arg(accessibleName));
    const QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    m_themeLexer = language == Language::ptx ? giveLexer(*m_editor, new PtxLexer(m_editor), font)
                                             : giveLexer(*m_editor, new CudaLexer(m_editor), font);
    m_editor->setCodeFont(font);
    setTheme(lightTheme());
    if (language == Language::ptx && access == Access::edit) m_completion = new CompletionPopup(this);
    fitAccess();
    connectEditor();
}

CodePane::~CodePane() = default;

void CodePane::connectEditor() {
    connect(m_editor, &Editor::textModified, this, [this] {
        ++m_revision;
        // Nothing may be marked from here: Scintilla is in the middle of its change.
        if (std::exchange(m_module, nullptr)) m_markTimer->start();
    });
    m_markTimer = new QTimer(this);
    m_markTimer->setSingleShot(true);
    m_markTimer->setInterval(markMilliseconds);
    connect(m_markTimer, &QTimer::timeout, this, &CodePane::markRegister);
    if (m_language == Language::ptx)
        connect(m_editor, &QsciScintilla::cursorPositionChanged, m_markTimer, qOverload<>(&QTimer::start));
    connect(m_editor, &Editor::linesInserted, this, &CodePane::linesInserted);
    connect(m_editor, &Editor::linesRemoved, this, &CodePane::linesRemoved);
    connect(m_editor, &QsciScintilla::textChanged, this, [this] {
        if (m_loading) return;
        m_find->refresh();
        emit textEdited();
        emit undoAvailableChanged();
    });
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this, [this, last = -1](int line, int) mutable {
        if (line != last) emit cursorLineChanged((last = line) + 1);
    });
    connect(m_editor, &Editor::hoveredLine, this, [this](int line) { emit hoveredLineChanged(line + 1); });
    connect(m_editor, &Editor::focusGained, this, &CodePane::focused);
    connect(m_editor, &QsciScintillaBase::SCN_ZOOM, this, [this] { emit zoomChanged(zoom()); });
    connect(m_editor, &QsciScintilla::marginClicked, this, [this](int, int line) {
        if (const int finding = m_marks.findingAt(*m_editor, line); finding >= 0) emit findingClicked(finding);
    });
    connect(m_find, &FindBar::lineWanted, this, &CodePane::goToLine);
    connect(m_find, &FindBar::closed, m_editor, [this] { m_editor->setFocus(); });
    m_editor->isLocked = [this](int line) {
        if (m_longLines->empty()) return false;
        const long from = m_editor->lineStart(line), count = m_editor->lineEnd(line) - from;
        return looksShortened({m_editor->bytes(from, count), std::size_t(count)});
    };
    m_editor->toolTipAt = [this](long position, int line) {
        const QString text = m_marks.toolTip(*m_editor, position, line);
        if (text.isEmpty() && m_language == Language::ptx && position >= 0) {
            const QString card =
                instructionTip(opcodeOnLine(lineBytes(line), int(position - m_editor->lineStart(line))));
            if (!card.isEmpty()) return card;
            const auto offset = moduleOffset(position);
            const auto operand = offset ? ptx::operandAt(*m_module, *offset) : std::nullopt;
            return operand ? operandTip(*m_module, *operand) : QString();
        }
        // Messages quote code, which may look like markup.
        return text.isEmpty() ? text
                              : QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
    };
}

/// Of a line from 0, as the editor holds it: valid until the text changes.
std::string_view CodePane::lineBytes(int line) const {
    const long from = m_editor->lineStart(line), count = m_editor->lineEnd(line) - from;
    return {m_editor->bytes(from, count), std::size_t(count)};
}

void CodePane::setLineCounts(const QString& title, const std::vector<LineCount>& counts, bool stale) {
    m_counts->setCounts(title, counts, stale);
}

void CodePane::complete() {
    if (m_completion) m_completion->ask();
}

void CodePane::setTitle(const PaneTitle& title) {
    m_header->setTitle(title);
}

void CodePane::setTheme(const Theme& theme) {
    m_counts->setTheme(theme);
    m_themeLexer(theme);
    m_editor->setTheme(theme);
    m_header->setTheme(theme);
}

void CodePane::setEmptyText(const QString& text, QAction* action) {
    m_editor->setEmptyText(text, action);
    m_editor->setAccessibleDescription(text);
}

void CodePane::load(const QByteArray& shown) {
    m_loading = true;
    m_editor->setUpdatesEnabled(false);
    m_editor->send(S::SCI_SETREADONLY, 0);
    m_editor->send(S::SCI_SETUNDOCOLLECTION, 0);
    m_editor->send(S::SCI_CLEARALL);
    m_editor->send(S::SCI_ALLOCATE, std::uintptr_t(shown.size()) + 1024);
    // At once: for each insertion QScintilla counts all characters before it, to tell a screen reader the place.
    m_editor->send(S::SCI_APPENDTEXT, std::uintptr_t(shown.size()), shown.constData());
    m_editor->send(S::SCI_SETUNDOCOLLECTION, 1);
    m_editor->send(S::SCI_EMPTYUNDOBUFFER);
    m_editor->send(S::SCI_SETSAVEPOINT);
    const qsizetype newline = shown.indexOf('\n');
    const bool windows = newline > 0 && shown[newline - 1] == '\r';
    m_editor->send(S::SCI_SETEOLMODE, std::uintptr_t(windows ? S::SC_EOL_CRLF : S::SC_EOL_LF));
    m_editor->send(S::SCI_GOTOPOS, 0);
    m_editor->setUpdatesEnabled(true);
    m_loading = false;
}

void CodePane::setText(const QByteArray& utf8) {
    m_longLines->clear();
    m_marks.clear(*m_editor);
    load(m_longLines->shorten(utf8));
    ++m_revision;
    fitAccess();
    emit undoAvailableChanged();
}

void CodePane::keepPlace() {
    const auto shown = m_kept.find(m_name);
    if (shown == m_kept.end()) return;
    shown->second.caret = m_editor->send(S::SCI_GETCURRENTPOS);
    shown->second.topLine = int(m_editor->send(S::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(m_editor->firstVisibleRow())));
}

void CodePane::showText(const QString& name, const QByteArray& utf8) {
    if (name == m_name && m_kept.contains(name)) return setTextKeepingView(utf8);
    keepPlace();
    m_marks.clear(*m_editor);
    m_name = name;
    const auto [kept, isNew] = m_kept.try_emplace(name);
    m_loading = true;
    m_editor->show(kept->second.document);
    m_loading = false;
    if (isNew) return setText(utf8);
    ++m_revision;
    fitAccess();
    setTextKeepingView(utf8);
    const long caret = std::min(kept->second.caret, m_editor->length());
    m_editor->send(S::SCI_SETEMPTYSELECTION, std::uintptr_t(caret));
    m_editor->setFirstVisibleRow(m_editor->rowOfLine(kept->second.topLine));
    emit undoAvailableChanged();
}

void CodePane::forgetTexts() {
    // The editor keeps the one that it shows.
    m_kept.clear();
    m_name.clear();
}

void CodePane::setTextKeepingView(const QByteArray& utf8) {
    const QByteArray next = m_longLines->shorten(utf8);
    const long length = m_editor->length();
    const char* const old = m_editor->bytes(0, length);
    const long shared = std::min(length, long(next.size()));
    long prefix = std::mismatch(old, old + shared, next.constData()).first - old;
    if (prefix == length && prefix == next.size()) return;
    // Whole lines are replaced: then marks of the lines before and after stay where they are.
    while (prefix > 0 && old[prefix - 1] != '\n') --prefix;
    long suffix = 0;
    while (suffix < shared - prefix && old[length - 1 - suffix] == next[next.size() - 1 - suffix]) ++suffix;
    while (suffix > 0 && length - suffix > 0 && old[length - suffix - 1] != '\n') --suffix;

    const int changed = m_editor->lineFrom(prefix), before = m_editor->lineTotal();
    const int topRow = m_editor->firstVisibleRow();
    int top = int(m_editor->send(S::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(topRow)));
    const int within = topRow - m_editor->rowOfLine(top);
    const long delta = long(next.size()) - length;
    const auto moved = [&](long position) {
        if (position <= prefix) return position;
        return position >= length - suffix ? position + delta : std::min(position, long(next.size()) - suffix);
    };
    const long caret = moved(m_editor->send(S::SCI_GETCURRENTPOS)), anchor = moved(m_editor->send(S::SCI_GETANCHOR));

    m_editor->send(S::SCI_SETREADONLY, 0);
    m_editor->send(S::SCI_BEGINUNDOACTION);
    m_editor->send(S::SCI_SETTARGETRANGE, std::uintptr_t(prefix), length - suffix);
    m_editor->send(S::SCI_REPLACETARGET, std::uintptr_t(next.size() - prefix - suffix), next.constData() + prefix);
    m_editor->send(S::SCI_ENDUNDOACTION);
    fitAccess();
    m_editor->send(S::SCI_SETCURRENTPOS, std::uintptr_t(caret));
    m_editor->send(S::SCI_SETANCHOR, std::uintptr_t(anchor));
    if (changed < top) top = std::max(changed, top + m_editor->lineTotal() - before);
    m_editor->setFirstVisibleRow(m_editor->rowOfLine(top) + within);
}

QByteArray CodePane::text() const {
    const long length = m_editor->length();
    const QByteArray shown(m_editor->bytes(0, length), length);
    return m_longLines->restore(shown);
}

quint64 CodePane::revision() const {
    return m_revision;
}

int CodePane::lineCount() const {
    return m_editor->lineTotal();
}

QByteArray CodePane::line(int line) const {
    if (line < 1 || line > lineCount()) return {};
    const long from = m_editor->lineStart(line - 1), to = m_editor->lineEnd(line - 1);
    return m_longLines->restoreLine(QByteArray(m_editor->bytes(from, to - from), to - from));
}

void CodePane::replaceLines(int first, int count, const QByteArray& utf8) {
    QByteArray next = m_longLines->shorten(utf8);
    const bool windows = m_editor->send(S::SCI_GETEOLMODE) == S::SC_EOL_CRLF;
    if (windows) next.replace("\r\n", "\n").replace('\n', "\r\n");
    const QByteArray lineEnd = windows ? "\r\n" : "\n";
    const long length = m_editor->length();
    const auto startOf = [&](int line) { return line > lineCount() ? length : m_editor->lineStart(line - 1); };
    const long from = startOf(first), to = startOf(first + count);
    if (!next.isEmpty()) {
        if (to < length && !next.endsWith('\n')) next += lineEnd;
        if (from == length && length > 0 && *m_editor->bytes(length - 1, 1) != '\n') next.prepend(lineEnd);
    }
    m_editor->send(S::SCI_BEGINUNDOACTION);
    m_editor->send(S::SCI_SETTARGETRANGE, std::uintptr_t(from), to);
    m_editor->send(S::SCI_REPLACETARGET, std::uintptr_t(next.size()), next.constData());
    m_editor->send(S::SCI_ENDUNDOACTION);
    fitAccess();
}

void CodePane::setReadOnly(Access access) {
    m_access = access;
    fitAccess();
}

bool CodePane::isReadOnly() const {
    return m_editor->send(S::SCI_GETREADONLY) != 0;
}

/// QScintilla's C++ lexer cannot protect single lines, so a CUDA text with an over-long line is read-only as a whole.
void CodePane::fitAccess() {
    const bool shortened = !m_longLines->empty();
    const bool locked = m_access == Access::readOnly || (shortened && m_language == Language::cuda);
    m_editor->send(S::SCI_SETREADONLY, locked);
    QStringList notices;
    if (shortened) notices << tr("lines over 8 KiB shortened");
    if (locked) notices << tr("read-only");
    m_header->setNotice(notices.join(QStringLiteral(", ")));
}

bool CodePane::canUndo() const {
    return m_editor->send(S::SCI_CANUNDO) != 0;
}

bool CodePane::canRedo() const {
    return m_editor->send(S::SCI_CANREDO) != 0;
}

bool CodePane::hasSelection() const {
    return m_editor->hasSelectedText();
}

QByteArray CodePane::selectedText() const {
    return m_longLines->restore(m_editor->selectedText().toUtf8());
}

void CodePane::setDiagnostics(std::span<const Diagnostic> diagnostics) {
    m_marks.setDiagnostics(*m_editor, diagnostics);
}

void CodePane::setFindings(std::vector<FindingMark> marks) {
    m_marks.setFindings(*m_editor, std::move(marks));
}

void CodePane::setStepLine(int line) {
    for (const int each : {marker::step, marker::stepLine})
        m_editor->send(S::SCI_MARKERDELETEALL, std::uintptr_t(each));
    if (line <= 0 || line > lineCount()) return;
    const auto index = std::uintptr_t(line - 1);
    for (const int each : {marker::step, marker::stepLine}) m_editor->send(S::SCI_MARKERADD, index, long(each));
    m_editor->send(S::SCI_ENSUREVISIBLE, index);
    m_editor->showRow(m_editor->rowOfLine(line - 1));
}

int CodePane::currentLine() const {
    return m_editor->lineFrom(m_editor->send(S::SCI_GETCURRENTPOS)) + 1;
}

std::pair<int, int> CodePane::selectedLines() const {
    using S = QsciScintillaBase;
    const long from = m_editor->send(S::SCI_GETSELECTIONSTART), to = m_editor->send(S::SCI_GETSELECTIONEND);
    const int first = m_editor->lineFrom(from), last = m_editor->lineFrom(to);
    // A selection that ends at the beginning of a line does not touch it.
    const bool endsBefore = last > first && to == m_editor->lineStart(last);
    return {first + 1, (endsBefore ? last - 1 : last) + 1};
}

int CodePane::currentColumn() const {
    return static_cast<int>(m_editor->send(S::SCI_GETCURRENTPOS) - m_editor->lineStart(currentLine() - 1)) + 1;
}

void CodePane::undo() {
    m_editor->undo();
}

void CodePane::redo() {
    m_editor->redo();
}

void CodePane::cut() {
    if (!m_editor->selectionIsLocked()) m_editor->cut();
}

void CodePane::copy() {
    m_editor->copy();
}

void CodePane::paste() {
    if (!m_editor->selectionIsLocked()) m_editor->paste();
}

void CodePane::selectAll() {
    m_editor->selectAll();
}

void CodePane::goToLine(int line, int column) {
    const int index = std::clamp(line, 1, lineCount()) - 1;
    const long end = m_editor->lineEnd(index);
    const long position = std::min(m_editor->lineStart(index) + std::max(1, column) - 1, end);
    m_editor->send(S::SCI_ENSUREVISIBLE, std::uintptr_t(index));
    m_editor->send(S::SCI_SETEMPTYSELECTION, std::uintptr_t(position));
    m_editor->send(S::SCI_CHOOSECARETX);
    m_editor->showRow(m_editor->rowOfLine(index));
    m_editor->send(S::SCI_SCROLLRANGE, std::uintptr_t(position), position);
}

void CodePane::showFind() {
    m_find->showFind();
}

void CodePane::showReplace() {
    m_find->showReplace();
}

QString CodePane::componentVersion() {
    return QStringLiteral(QSCINTILLA_VERSION_STR);
}

void CodePane::setWrap(bool wrap) {
    m_editor->setWrapMode(wrap ? QsciScintilla::WrapWhitespace : QsciScintilla::WrapNone);
}

void CodePane::showGoToLine() {
    m_find->showGoToLine();
}

void CodePane::findNext() {
    m_find->findNext();
}

void CodePane::findPrevious() {
    m_find->findPrevious();
}

void CodePane::setZoom(int points) {
    if (points != zoom()) m_editor->send(S::SCI_SETZOOM, std::uintptr_t(points));
}

int CodePane::zoom() const {
    return static_cast<int>(m_editor->send(S::SCI_GETZOOM));
}

} // namespace ptxwb::ui
