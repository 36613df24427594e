#include "editors/ptx_lexer.h"

#include "editors/editor.h"
#include "editors/ptx_styles.h"
#include "theme/theme.h"

namespace ptxwb::ui {
namespace {

constexpr int shortenedStyle = static_cast<int>(PtxStyle::shortened);
static_assert(shortenedStyle == int(syntaxColourCount));

} // namespace

PtxLexer::PtxLexer(Editor* editor) : QsciLexerCustom(editor), m_editor(*editor) {}

QString PtxLexer::description(int style) const {
    switch (static_cast<PtxStyle>(style)) {
    case PtxStyle::text: return tr("Text");
    case PtxStyle::comment: return tr("Comment");
    case PtxStyle::directive: return tr("Directive");
    case PtxStyle::opcode: return tr("Opcode");
    case PtxStyle::modifier: return tr("Modifier");
    case PtxStyle::type: return tr("Type");
    case PtxStyle::reg: return tr("Register");
    case PtxStyle::specialRegister: return tr("Special register");
    case PtxStyle::label: return tr("Label");
    case PtxStyle::number: return tr("Number");
    case PtxStyle::string: return tr("String");
    case PtxStyle::punctuation: return tr("Punctuation");
    case PtxStyle::bad: return tr("Not PTX");
    case PtxStyle::shortened: return tr("Shortened line");
    }
    return {};
}

void PtxLexer::setTheme(const Theme& theme) {
    setDefaultColor(theme.text);
    setDefaultPaper(theme.background);
    setPaper(theme.background);
    for (int i = 0; i < int(syntaxColourCount); ++i) setColor(theme.of(static_cast<SyntaxColour>(i)), i);
    setColor(theme.of(SyntaxColour::comment), shortenedStyle);
    m_editor.send(QsciScintillaBase::SCI_STYLESETCHANGEABLE, shortenedStyle, 0L);
}

void PtxLexer::styleText(int start, int end) {
    // Whole lines: a token never crosses one, except a block comment, whose state is kept with the line.
    const int firstLine = m_editor.lineFrom(start);
    const int lastLine = m_editor.lineFrom(end);
    const long from = m_editor.lineStart(firstLine);
    const long to = end > m_editor.lineStart(lastLine) ? m_editor.lineStart(lastLine + 1) : end;
    if (to <= from) return;
    const long before =
        firstLine == 0 ? 0 : m_editor.send(QsciScintillaBase::SCI_GETLINESTATE, std::uintptr_t(firstLine - 1));
    const char* const text = m_editor.bytes(from, to - from);
    const PtxStyles styled = stylePtx({text, std::size_t(to - from)}, static_cast<PtxLineState>(before));
    m_editor.send(QsciScintillaBase::SCI_STARTSTYLING, std::uintptr_t(from));
    m_editor.send(QsciScintillaBase::SCI_SETSTYLINGEX, styled.styles.size(), styled.styles.data());
    std::uintptr_t line = std::uintptr_t(firstLine);
    for (const PtxLineState state : styled.lineStates) {
        if (m_editor.send(QsciScintillaBase::SCI_GETLINESTATE, line) != state)
            m_editor.send(QsciScintillaBase::SCI_SETLINESTATE, line, long(state));
        ++line;
    }
}

} // namespace ptxwb::ui
