#include "editors/completion_popup.h"

#include "editors/code_pane.h"
#include "editors/editor.h"
#include "ptx/parse.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace ptxwb::ui {

namespace {

using S = QsciScintillaBase;

constexpr int mostRows = 10;

QString asQString(const std::string& text) {
    return QString::fromStdString(text);
}

bool isWordCharacter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '%';
}

} // namespace

CompletionPopup::CompletionPopup(CodePane* pane) : QTreeWidget(pane), m_pane(pane) {
    // A tooltip's window: it comes over everything and never takes the focus.
    setWindowFlags(Qt::ToolTip | Qt::FramelessWindowHint);
    setFocusPolicy(Qt::NoFocus);
    setColumnCount(2);
    header()->hide();
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAccessibleName(tr("Completions"));
    hide();
    pane->editor().installEventFilter(this);
    connect(&pane->editor(), &S::SCN_CHARADDED, this, &CompletionPopup::typed);
    connect(&pane->editor(), &QsciScintilla::cursorPositionChanged, this, [this] {
        if (isVisible()) start();
    });
    connect(this, &QTreeWidget::itemClicked, this, &CompletionPopup::take);
}

void CompletionPopup::ask() {
    start();
}

void CompletionPopup::typed(int character) {
    const Editor& editor = m_pane->editor();
    const long caret = editor.send(S::SCI_GETCURRENTPOS);
    const auto before = [&](long back) {
        return caret >= back ? int(editor.send(S::SCI_GETCHARAT, std::uintptr_t(caret - back))) : 0;
    };
    const int previous = before(2);
    const bool opens = character == '.' || character == '%' ||
                       (isWordCharacter(character) && (isWordCharacter(previous) || previous == '.'));
    if (opens)
        start();
    else
        hide();
}

void CompletionPopup::start() {
    if (m_pane->isReadOnly()) return;
    const long caret = m_pane->editor().send(S::SCI_GETCURRENTPOS);
    m_job.start(
        [text = m_pane->text().toStdString(), caret](std::stop_token) {
            return ptx::complete(*ptx::parse(text), std::uint32_t(caret));
        },
        [this, revision = m_pane->revision(), caret](const ptx::Completions& found) { show(found, revision, caret); });
}

void CompletionPopup::show(const ptx::Completions& completions, quint64 revision, long caret) {
    Editor& editor = m_pane->editor();
    if (revision != m_pane->revision() || caret != editor.send(S::SCI_GETCURRENTPOS) || !editor.hasFocus())
        return hide();
    const std::string_view typed(editor.bytes(long(completions.replaced.offset), long(completions.replaced.length)),
                                 completions.replaced.length);
    // What is there already needs no list.
    if (completions.items.empty() || (completions.items.size() == 1 && completions.items[0].text == typed))
        return hide();
    m_replaced = completions.replaced;
    clear();
    for (const ptx::Completion& item : completions.items)
        addTopLevelItem(new QTreeWidgetItem({asQString(item.text), asQString(item.detail)}));
    setCurrentItem(topLevelItem(0));
    resizeColumnToContents(0);
    resizeColumnToContents(1);
    const int rows = std::min(mostRows, topLevelItemCount());
    const int height = rows * sizeHintForRow(0) + 2 * frameWidth();
    resize(std::min(columnWidth(0) + columnWidth(1) + 24, 640), height);
    const QPoint below(int(editor.send(S::SCI_POINTXFROMPOSITION, 0, long(m_replaced.offset))),
                       int(editor.send(S::SCI_POINTYFROMPOSITION, 0, caret)) + editor.lineHeight());
    move(editor.viewport()->mapToGlobal(below));
    QTreeWidget::show();
}

void CompletionPopup::take() {
    const QTreeWidgetItem* item = currentItem();
    hide();
    if (!item) return;
    Editor& editor = m_pane->editor();
    const QByteArray text = item->text(0).toUtf8();
    editor.send(S::SCI_BEGINUNDOACTION);
    editor.send(S::SCI_SETTARGETRANGE, std::uintptr_t(m_replaced.offset), long(m_replaced.end()));
    editor.send(S::SCI_REPLACETARGET, std::uintptr_t(text.size()), text.constData());
    editor.send(S::SCI_ENDUNDOACTION);
    editor.send(S::SCI_SETEMPTYSELECTION, std::uintptr_t(long(m_replaced.offset) + text.size()));
    m_job.cancel(); // the caret has moved: that is no wish for another list
    hide();
}

bool CompletionPopup::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut) hide();
    if (!isVisible() || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride))
        return QTreeWidget::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        if (event->type() == QEvent::KeyPress) QTreeWidget::keyPressEvent(key);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
        if (event->type() == QEvent::KeyPress) take();
        break;
    case Qt::Key_Escape:
        if (event->type() == QEvent::KeyPress) hide();
        break;
    default: return QTreeWidget::eventFilter(watched, event);
    }
    event->accept();
    return true;
}

} // namespace ptxwb::ui
