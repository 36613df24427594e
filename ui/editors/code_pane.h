// One pane of code: header, editor with its margins and marks, find bar.
// The comparison view has three of them; the SASS panel may take one more.
#pragma once

#include "editors/checker_marks.h"
#include "editors/count_strip.h"
#include "editors/pane_header.h"
#include "editors/register_marks.h"

#include <QByteArray>
#include <QString>
#include <QWidget>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

class QAction;
class QTimer;

namespace ptxwb::ui {

struct Theme;
class CardPopup;
class CompletionPopup;
class Editor;
class FindBar;
class LongLines;

enum class Language : unsigned char { cuda, ptx };
enum class Access : unsigned char { edit, readOnly };

/// Lines count from 1, columns in bytes from 1, here and in all signals. The keys named below are bound by the window's
/// actions, which reach the pane that has the focus; only the keys of text editing (Ctrl+Z, Ctrl+Y, Ctrl+X, Ctrl+C,
/// Ctrl+V, Ctrl+A) the editor takes itself while it has the focus.
class CodePane : public QWidget {
    Q_OBJECT
public:
    CodePane(Language language, Access access, const QString& accessibleName, QWidget* parent = nullptr);
    ~CodePane() override;

    void setTitle(const PaneTitle& title);
    void setTheme(const Theme& theme);
    /// Said in the middle of the pane while its text is empty: why, and the action that fills it (nullptr: none).
    void setEmptyText(const QString& text, QAction* action = nullptr);

    /// A new document: text, undo history and marks are replaced, the view goes to the top. Bytes are kept as they are;
    /// a line over 8 KiB is shown shortened and cannot be edited, `text` gives it back whole.
    void setText(const QByteArray& utf8);
    /// The same, with the undo history, caret and scroll position that the text of this name had when it was shown
    /// last; other bytes than then are one step more of its undo. Kept until `forgetTexts`.
    void showText(const QString& name, const QByteArray& utf8);
    void forgetTexts();
    /// The same document in another wording (undo of a candidate operation, a file changed on disk): one step of text
    /// undo; scroll position, caret and folding of what is equal stay. Emits `textEdited` only if bytes change.
    void setTextKeepingView(const QByteArray& utf8);
    QByteArray text() const;
    /// Grows with every change of the text; results for an older number are not for this text.
    quint64 revision() const;
    int lineCount() const; ///< as the editor counts: a newline at the end opens one more
    /// Bytes of one line without its end, whole also where it is shown shortened.
    QByteArray line(int line) const;
    /// Lines [first, first + count) become `utf8` (with its line ends), as one undo step. `count` 0 inserts.
    void replaceLines(int first, int count, const QByteArray& utf8);

    void setReadOnly(Access access);
    bool isReadOnly() const;
    bool canUndo() const;
    bool canRedo() const;
    bool hasSelection() const;
    QByteArray selectedText() const;

    /// Squiggles, gutter marks and tooltips, in place of those there were.
    void setDiagnostics(std::span<const Diagnostic> diagnostics);
    /// Finding marks of a verification, in place of those there were.
    void setFindings(std::vector<FindingMark> marks);
    /// Figures at the right of lines, in place of those there were; none: no column.
    void setLineCounts(const QString& title, const std::vector<LineCount>& counts, bool stale);

    /// The module of the text as it stands, for cards, and for the marks of the register at the caret. An edit forgets
    /// it. One of another text is not taken.
    void setModule(std::shared_ptr<const ptx::Module> module);
    const std::shared_ptr<const ptx::Module>& module() const { return m_module; }
    /// An arrow beside the line, which is shown; 0: none.
    void setStepLine(int line);

    int currentLine() const;
    int currentColumn() const;
    /// First and last line that the selection touches; twice the caret's line where nothing is selected.
    std::pair<int, int> selectedLines() const;

    /// For the comparison view and tests; nothing else talks to Scintilla.
    Editor& editor() { return *m_editor; }
    const Editor& editor() const { return *m_editor; }
    PaneHeader& header() { return *m_header; }
    CardPopup* card() { return m_card; } ///< nullptr until F1 asked for one
    CountStrip& counts() { return *m_counts; }

public slots:
    void undo();
    void redo();
    void cut();
    void copy();
    void paste();
    void selectAll();
    /// Moves the caret there and shows it in the upper third; out of range goes to the nearest line.
    void goToLine(int line, int column = 1);
    void showFind(); ///< Ctrl+F
    void complete(); ///< Ctrl+Space: what could stand at the caret; only where PTX is edited
    /// F1: the card of the instruction on the caret's line and of the operand at the caret.
    void showInstructionHelp();
    void showReplace();      ///< Ctrl+H; finds only where nothing can be edited
    static QString componentVersion(); ///< of QScintilla
    void setWrap(bool wrap); ///< of long lines; off at first
    void showGoToLine();     ///< Ctrl+G
    void findNext();         ///< F3
    void findPrevious();     ///< Shift+F3
    void setZoom(int points);
    int zoom() const;

signals:
    /// After each change of the text that did not come from `setText`. Whoever computes from it debounces.
    void textEdited();
    void cursorLineChanged(int line);
    /// 0 when the pointer leaves.
    void hoveredLineChanged(int line);
    void zoomChanged(int points);
    void undoAvailableChanged();
    /// New lines stand below `line` (0: above the first); lines [first, first + count) are gone. Before `textEdited`.
    void linesInserted(int line, int count);
    void linesRemoved(int first, int count);
    /// A click on a finding's mark in the margin.
    void findingClicked(int index);
    void focused();
    void moduleChanged(); ///< another one, or none

private:
    struct KeptText;
    std::optional<std::uint32_t> moduleOffset(long position) const;
    void markRegister();
    void keepPlace();
    void connectEditor();
    std::string_view lineBytes(int line) const;
    void load(const QByteArray& shown);
    void fitAccess();

    Editor* m_editor;
    PaneHeader* m_header;
    CountStrip* m_counts = nullptr;
    FindBar* m_find;
    CompletionPopup* m_completion = nullptr;
    CardPopup* m_card = nullptr;
    QTimer* m_markTimer = nullptr;
    std::shared_ptr<const ptx::Module> m_module;
    RegisterMarks m_registerMarks;
    std::unique_ptr<LongLines> m_longLines;
    std::map<QString, KeptText> m_kept; ///< texts that were shown by name
    QString m_name;                     ///< of the one that is shown; empty: none of them
    CheckerMarks m_marks;
    Access m_access;
    std::function<void(const Theme&)> m_themeLexer;
    quint64 m_revision = 0;
    Language m_language;
    bool m_loading = false;
};

} // namespace ptxwb::ui
