// Diagnostics as squiggles, gutter marks and tooltips, and findings as marks in the margin.
// A part of the code pane; the window hands its lists to the pane.
#pragma once

#include "support/diagnostic.h"

#include <QStringList>

#include <span>
#include <vector>

namespace ptxwb::ui {

class Editor;

/// Where a finding of a verification shows. `primary` is its own line; `related` the other side of a race, or another
/// line that it names.
struct FindingMark {
    enum class Side : unsigned char { primary, related };
    int line = 0; ///< from 1
    int column = 0;
    Side side = Side::primary;
    int finding = 0; ///< the caller's index, told back by `CodePane::findingClicked`
    QString message; ///< the tooltip: what it is and where the other side stands
};

class CheckerMarks {
public:
    /// Errors are squiggles, warnings diagonal strokes, notes dots; each with its letter in the margin (E, W, N). A
    /// place without a column marks the line's text.
    void setDiagnostics(Editor& editor, std::span<const Diagnostic> diagnostics);
    void setFindings(Editor& editor, std::vector<FindingMark> marks);
    void clear(Editor& editor);

    /// What to say at a byte position (-1: anywhere on the line) of a line from 0; empty where there is nothing.
    QString toolTip(const Editor& editor, long position, int line) const;
    /// The caller's index; -1 where no finding stands on the line (from 0).
    int findingAt(const Editor& editor, int line) const;

private:
    /// Marks move with their lines as a person types: each remembers Scintilla's handle of its line.
    struct Marked {
        int handle = -1;
        int indicator = -1;
        QString message;
    };
    std::vector<Marked> m_diagnostics;
    std::vector<FindingMark> m_findings;
    std::vector<int> m_findingHandles;
};

} // namespace ptxwb::ui
