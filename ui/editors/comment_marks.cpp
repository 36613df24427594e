#include "editors/comment_marks.h"

#include "editors/code_pane.h"
#include "editors/editor.h"
#include "editors/scintilla_numbers.h"
#include "theme/theme.h"

#include <algorithm>

namespace ptxwb::ui {

namespace {

using S = QsciScintillaBase;

long colour(const QColor& c) {
    return long(c.red()) | long(c.green()) << 8 | long(c.blue()) << 16;
}

} // namespace

CommentMarks::CommentMarks(CodePane* pane) : QObject(pane), m_pane(pane) {
    Editor& editor = pane->editor();
    const long mask = editor.send(S::SCI_GETMARGINMASKN, margin::checks);
    editor.send(S::SCI_SETMARGINMASKN, margin::checks, mask | long(marker::commentMask));
    editor.toolTipAt = [this, others = editor.toolTipAt](long position, int line) {
        const QString said = others ? others(position, line) : QString();
        const QString own = toolTip(line + 1);
        return position >= 0 || own.isEmpty() ? said : said.isEmpty() ? own : said + QLatin1Char('\n') + own;
    };
    connect(&editor, &QsciScintilla::marginClicked, this, [this](int which, int line) {
        if (which != margin::checks) return;
        if (const CommentMark* mark = at(line)) emit clicked(mark->id);
    });
}

void CommentMarks::setTheme(const Theme& theme) {
    Editor& editor = m_pane->editor();
    for (const auto& [number, filled] : {std::pair{marker::openComment, true}, {marker::resolvedComment, false}}) {
        editor.send(S::SCI_MARKERDEFINE, std::uintptr_t(number), long(S::SC_MARK_BOOKMARK));
        editor.send(S::SCI_MARKERSETFORE, std::uintptr_t(number), colour(theme.link));
        editor.send(S::SCI_MARKERSETBACK, std::uintptr_t(number), colour(filled ? theme.link : theme.marginBackground));
    }
}

/// Whether these flags stand there already, each at its line: an edit may have moved or merged some.
bool CommentMarks::shows(const std::vector<CommentMark>& marks) const {
    return !marks.empty() && marks == m_marks && std::ranges::equal(marks, lines(), {}, &CommentMark::line);
}

void CommentMarks::show(std::vector<CommentMark> marks) {
    Editor& editor = m_pane->editor();
    std::erase_if(marks, [&](const CommentMark& each) { return each.line < 1 || each.line > editor.lineTotal(); });
    if (shows(marks)) return;
    for (const int number : {marker::openComment, marker::resolvedComment})
        editor.send(S::SCI_MARKERDELETEALL, std::uintptr_t(number));
    m_marks = std::move(marks);
    m_handles.clear();
    for (const CommentMark& each : m_marks)
        m_handles.push_back(int(editor.send(S::SCI_MARKERADD, std::uintptr_t(each.line - 1),
                                            long(each.open ? marker::openComment : marker::resolvedComment))));
}

const CommentMark* CommentMarks::at(int line) const {
    for (std::size_t i = 0; i < m_marks.size(); ++i)
        if (int(m_pane->editor().send(S::SCI_MARKERLINEFROMHANDLE, std::uintptr_t(m_handles[i]))) == line)
            return &m_marks[i];
    return nullptr;
}

std::vector<int> CommentMarks::lines() const {
    std::vector<int> lines;
    for (const int handle : m_handles)
        if (const long line = m_pane->editor().send(S::SCI_MARKERLINEFROMHANDLE, std::uintptr_t(handle)); line >= 0)
            lines.push_back(int(line) + 1);
    return lines;
}

QString CommentMarks::toolTip(int line) const {
    QStringList words;
    for (std::size_t i = 0; i < m_marks.size(); ++i)
        if (int(m_pane->editor().send(S::SCI_MARKERLINEFROMHANDLE, std::uintptr_t(m_handles[i]))) == line - 1)
            words += m_marks[i].words;
    return words.join(QLatin1Char('\n'));
}

} // namespace ptxwb::ui
