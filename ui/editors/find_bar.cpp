#include "editors/find_bar.h"

#include "editors/editor.h"
#include "editors/scintilla_numbers.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace ptxwb::ui {
namespace {

constexpr int mostMarked = 2000; ///< matches beyond are found, but not marked one by one

} // namespace

FindBar::FindBar(Editor& editor, QWidget* parent)
    : QWidget(parent), m_editor(editor), m_label(new QLabel), m_text(new QLineEdit), m_previous(new QToolButton),
      m_next(new QToolButton), m_case(new QCheckBox(tr("Match case"))), m_result(new QLabel), m_replaceRow(new QWidget),
      m_replacement(new QLineEdit) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 3, 8, 3);
    column->setSpacing(3);
    auto* row = new QHBoxLayout;
    column->addLayout(row);
    column->addWidget(m_replaceRow);
    makeReplaceRow();
    auto* closeButton = new QToolButton;
    closeButton->setText(QStringLiteral("\u2715"));
    closeButton->setAccessibleName(tr("Close the find bar"));
    closeButton->setToolTip(tr("Close (Esc)"));
    m_previous->setText(QStringLiteral("\u2191"));
    m_previous->setAccessibleName(tr("Previous match"));
    m_previous->setToolTip(tr("Previous match (Shift+F3)"));
    m_next->setText(QStringLiteral("\u2193"));
    m_next->setAccessibleName(tr("Next match"));
    m_next->setToolTip(tr("Next match (F3)"));
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setClearButtonEnabled(true);
    m_label->setBuddy(m_text);
    row->addWidget(m_label);
    row->addWidget(m_text, 1);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_case);
    row->addWidget(m_result);
    row->addWidget(closeButton);
    hide();
    connect(m_text, &QLineEdit::textChanged, this, &FindBar::textChanged);
    connect(m_case, &QCheckBox::toggled, this, &FindBar::textChanged);
    connect(m_next, &QToolButton::clicked, this, &FindBar::findNext);
    connect(m_previous, &QToolButton::clicked, this, &FindBar::findPrevious);
    connect(closeButton, &QToolButton::clicked, this, &FindBar::close);
}

void FindBar::makeReplaceRow() {
    auto* row = new QHBoxLayout(m_replaceRow);
    row->setContentsMargins({});
    auto* label = new QLabel(tr("Replace by:"));
    label->setBuddy(m_replacement);
    m_replacement->setObjectName(QStringLiteral("findReplacement"));
    m_replacement->setAccessibleName(tr("Text in its place"));
    auto* one = new QPushButton(tr("&Replace"));
    one->setToolTip(tr("Replace this match and go to the next (Enter in the field)"));
    auto* all = new QPushButton(tr("Replace &all"));
    all->setToolTip(tr("Replace every match of the pane; one undo step"));
    row->addWidget(label);
    row->addWidget(m_replacement, 1);
    row->addWidget(one);
    row->addWidget(all);
    connect(one, &QPushButton::clicked, this, &FindBar::replaceOne);
    connect(all, &QPushButton::clicked, this, &FindBar::replaceAll);
}

void FindBar::setMode(Mode mode) {
    m_mode = mode;
    const bool find = isFinding();
    m_replaceRow->setVisible(mode == Mode::replace);
    m_label->setText(find ? tr("Find:") : tr("Line:"));
    m_text->setAccessibleName(find ? tr("Text to find") : tr("Line, or line:column, to go to"));
    m_text->setPlaceholderText(find ? QString() : tr("line or line:column, up to %1").arg(m_editor.lineTotal()));
    for (QWidget* each :
         {static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_next), static_cast<QWidget*>(m_case)})
        each->setVisible(find);
    m_result->clear();
    show();
    m_text->setFocus(Qt::ShortcutFocusReason);
}

void FindBar::showFind() {
    openFind(Mode::find);
}

void FindBar::showReplace() {
    openFind(m_editor.send(QsciScintillaBase::SCI_GETREADONLY) ? Mode::find : Mode::replace);
}

void FindBar::openFind(Mode mode) {
    m_anchor = m_editor.send(QsciScintillaBase::SCI_GETSELECTIONSTART);
    const QString selected = m_editor.selectedText();
    setMode(mode);
    if (!selected.isEmpty() && !selected.contains(QLatin1Char('\n'))) m_text->setText(selected);
    m_text->selectAll();
    count();
}

void FindBar::showGoToLine() {
    clearMarks();
    setMode(Mode::line);
    m_text->clear();
}

void FindBar::close() {
    clearMarks();
    hide();
    emit closed();
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape: close(); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: accept(event->modifiers() & Qt::ShiftModifier); return;
    default: QWidget::keyPressEvent(event);
    }
}

void FindBar::accept(bool backwards) {
    if (m_mode == Mode::replace && m_replacement->hasFocus()) return replaceOne();
    if (isFinding()) {
        backwards ? findPrevious() : findNext();
        return;
    }
    const QStringList parts = m_text->text().split(QLatin1Char(':'));
    bool isLine = false, isColumn = true;
    const int line = parts[0].trimmed().toInt(&isLine);
    const int column = parts.size() > 1 ? parts[1].trimmed().toInt(&isColumn) : 1;
    if (!isLine || !isColumn || line < 1 || line > m_editor.lineTotal()) {
        m_result->setText(tr("lines are 1 to %1").arg(m_editor.lineTotal()));
        return;
    }
    close();
    emit lineWanted(line, std::max(1, column));
}

void FindBar::textChanged() {
    if (!isFinding()) return;
    count();
    if (!m_text->text().isEmpty() && !select(m_anchor, m_editor.length())) select(0, m_anchor);
}

int FindBar::searchFlags() const {
    return m_case->isChecked() ? int(QsciScintillaBase::SCFIND_MATCHCASE) : 0;
}

/// The first match in [from, to), the last one where from > to; false where there is none.
bool FindBar::select(long from, long to) {
    using S = QsciScintillaBase;
    const QByteArray wanted = m_text->text().toUtf8();
    if (wanted.isEmpty()) return false;
    m_editor.send(S::SCI_SETSEARCHFLAGS, std::uintptr_t(searchFlags()));
    m_editor.send(S::SCI_SETTARGETRANGE, std::uintptr_t(from), to);
    const long at = m_editor.send(S::SCI_SEARCHINTARGET, std::uintptr_t(wanted.size()), wanted.constData());
    if (at < 0) return false;
    const long end = m_editor.send(S::SCI_GETTARGETEND);
    m_editor.send(S::SCI_ENSUREVISIBLE, std::uintptr_t(m_editor.lineFrom(at)));
    m_editor.send(S::SCI_SETSEL, std::uintptr_t(at), end);
    m_editor.showRow(m_editor.rowOfLine(m_editor.lineFrom(at)));
    m_editor.send(S::SCI_SCROLLRANGE, std::uintptr_t(end), at);
    return true;
}

void FindBar::findNext() {
    const long from = m_editor.send(QsciScintillaBase::SCI_GETSELECTIONEND);
    if (!select(from, m_editor.length()) && select(0, from) && isVisible())
        m_result->setText(tr("from the top; %1").arg(m_result->text().section(QLatin1String("; "), -1)));
    m_anchor = m_editor.send(QsciScintillaBase::SCI_GETSELECTIONSTART);
}

void FindBar::findPrevious() {
    const long from = m_editor.send(QsciScintillaBase::SCI_GETSELECTIONSTART);
    if (!select(from, 0) && select(m_editor.length(), from) && isVisible())
        m_result->setText(tr("from the end; %1").arg(m_result->text().section(QLatin1String("; "), -1)));
    m_anchor = m_editor.send(QsciScintillaBase::SCI_GETSELECTIONSTART);
}

void FindBar::replaceOne() {
    using S = QsciScintillaBase;
    const QString selected = m_editor.selectedText(), wanted = m_text->text();
    const auto sensitivity = m_case->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive;
    if (!wanted.isEmpty() && selected.compare(wanted, sensitivity) == 0) {
        if (m_editor.selectionIsLocked()) return m_result->setText(tr("this line is shortened and takes no edit"));
        m_editor.send(S::SCI_REPLACESEL, 0, m_replacement->text().toUtf8().constData());
    }
    findNext();
}

void FindBar::replaceAll() {
    using S = QsciScintillaBase;
    const QByteArray wanted = m_text->text().toUtf8(), replacement = m_replacement->text().toUtf8();
    if (wanted.isEmpty()) return;
    int replaced = 0, locked = 0;
    m_editor.send(S::SCI_BEGINUNDOACTION);
    for (long from = 0;;) {
        m_editor.send(S::SCI_SETSEARCHFLAGS, std::uintptr_t(searchFlags()));
        m_editor.send(S::SCI_SETTARGETRANGE, std::uintptr_t(from), m_editor.length());
        const long at = m_editor.send(S::SCI_SEARCHINTARGET, std::uintptr_t(wanted.size()), wanted.constData());
        if (at < 0) break;
        if (m_editor.isLocked && m_editor.isLocked(m_editor.lineFrom(at))) {
            from = m_editor.send(S::SCI_GETTARGETEND);
            ++locked;
            continue;
        }
        m_editor.send(S::SCI_REPLACETARGET, std::uintptr_t(replacement.size()), replacement.constData());
        from = at + long(replacement.size());
        ++replaced;
    }
    m_editor.send(S::SCI_ENDUNDOACTION);
    count();
    const QString told = tr("%1 replaced").arg(replaced);
    m_result->setText(locked ? tr("%1, %2 on shortened lines left").arg(told).arg(locked) : told);
}

void FindBar::clearMarks() {
    m_editor.send(QsciScintillaBase::SCI_SETINDICATORCURRENT, indicator::match);
    m_editor.send(QsciScintillaBase::SCI_INDICATORCLEARRANGE, 0, m_editor.length());
}

void FindBar::refresh() {
    if (isVisible() && isFinding()) count();
}

void FindBar::count() {
    using S = QsciScintillaBase;
    clearMarks();
    const QByteArray wanted = m_text->text().toUtf8();
    if (wanted.isEmpty()) {
        m_result->clear();
        return;
    }
    m_editor.send(S::SCI_SETSEARCHFLAGS, std::uintptr_t(searchFlags()));
    int found = 0;
    for (long from = 0; found < mostMarked;) {
        m_editor.send(S::SCI_SETTARGETRANGE, std::uintptr_t(from), m_editor.length());
        const long at = m_editor.send(S::SCI_SEARCHINTARGET, std::uintptr_t(wanted.size()), wanted.constData());
        if (at < 0) break;
        from = m_editor.send(S::SCI_GETTARGETEND);
        m_editor.send(S::SCI_INDICATORFILLRANGE, std::uintptr_t(at), from - at);
        ++found;
    }
    m_result->setText(found == 0            ? tr("not in this pane")
                      : found == 1          ? tr("1 match")
                      : found == mostMarked ? tr("%1 matches or more").arg(found)
                                            : tr("%1 matches").arg(found));
}

} // namespace ptxwb::ui
