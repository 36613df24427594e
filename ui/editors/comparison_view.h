// The middle of the window: CUDA source, nvcc's PTX and the candidate side by side, with what differs marked.
// Made by the window, which hands it texts and results; it computes nothing heavy itself.
#pragma once

#include "compare/compare.h"
#include "editors/change_ranges.h"
#include "editors/code_pane.h"
#include "editors/row_layout.h"
#include "editors/source_links.h"

#include <QString>
#include <QWidget>

#include <array>

class QSplitter;
class QTimer;

namespace ptxwb::ui {

class ComparisonBar;
class OverviewRuler;
struct Theme;

enum class PaneId : unsigned char { source, baseline, candidate };

/// Lines count from 1; 0: that side has none.
struct ListedChange {
    QString text; ///< "saxpy, baseline line 12, candidate line 14: 2 changed"
    int baselineLine = 0, candidateLine = 0;
};

/// Lines count from 1.
class ComparisonView : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonView(QWidget* parent = nullptr);
    ~ComparisonView() override;

    CodePane& source() { return *m_source; }
    CodePane& baseline() { return *m_baseline; } ///< read-only
    CodePane& candidate() { return *m_candidate; }
    CodePane& pane(PaneId id);
    PaneId currentPane() const; ///< the one that has or last had the focus

    void setTheme(const Theme& theme);

    /// New texts; rows and marks of the old ones go. Fast; the comparison comes later through `applyComparison`.
    void setSourceText(const QByteArray& utf8);
    void setBaselineText(const QByteArray& utf8);
    /// `name`: of the candidate, for `CodePane::showText`.
    void setCandidateText(const QByteArray& utf8, const QString& name = {});

    /// Rows, tints, underlines, fillers and counts from a comparison of the texts that had these revisions
    /// (`CodePane::revision` when their text was taken). False, and nothing changes, where a text has changed since:
    /// the next answer will fit.
    /// `isCoarse`: a finer one of the same texts follows, which the bar says.
    bool applyComparison(compare::Comparison comparison, quint64 baselineRevision, quint64 candidateRevision,
                         bool isCoarse = false);
    /// No comparison: no tint, no filler. `reason` stands in the bar ("compiling…").
    void clearComparison(const QString& reason = {});
    const compare::Comparison& comparison() const { return m_comparison; }

    /// CUDA line <-> PTX line tables, made by `makeSourceLinks` off the thread. A candidate without `.loc` (empty
    /// links) is linked through the rows that it shares with the baseline.
    void setSourceLinks(SourceLinks baseline, SourceLinks candidate);

    compare::Level level() const { return m_level; }
    QString summary() const; ///< the bar's words: counts, or why there are none
    const RowLayout& layoutOfRows() const { return m_layout; }
    /// What differs, a sentence for each hunk: the accessible view of the comparison.
    std::vector<ListedChange> changeList() const;
    /// First line and count, in the current pane, of the change at its caret. Count 0: it has no line on this side;
    /// both 0: the caret stands on no change.
    std::pair<int, int> changedLines() const;

    ComparisonBar& bar() { return *m_bar; }

    QByteArray saveState() const; ///< splitter and level
    bool restoreState(const QByteArray& state);

public slots:
    void nextChange();     ///< F7
    void previousChange(); ///< Shift+F7
    void cycleLevel();     ///< Ctrl+Alt+N: all, renamed, changed
    void setLevel(ptxwb::compare::Level level);
    void cyclePanes();           ///< F6
    void revealInOtherPanes();   ///< Ctrl+F10: the current line of the current pane
    void takeHunkFromBaseline(); ///< Alt+Enter: the hunk at the candidate's (or baseline's) caret, one undo step
    void zoomIn();
    void zoomOut();
    void resetZoom();
    /// Shows a candidate or baseline line, and the CUDA line it came from.
    void showPtxLine(ptxwb::ui::PaneId id, int line, int column = 1);

signals:
    void candidateEdited(); ///< not debounced
    void levelChanged(ptxwb::compare::Level level);
    void currentPaneChanged(ptxwb::ui::PaneId id);
    /// For the status bar: "no further change", "the caret stands on no change".
    void message(const QString& text);

private:
    void connectPane(PaneId id);
    void scrolled(PaneId from);
    void followSource(PaneId from);
    void hovered(PaneId id, int line);
    void linesInserted(PaneId id, int line, int count);
    void linesRemoved(PaneId id, int first, int count);
    void refitFillers();
    void applyRows();
    void paintMoreRows();
    void paint(std::size_t firstRow, std::size_t endRow);
    void applyFillers();
    void applyStripes();
    void paintStripesOf(std::size_t firstLine, std::size_t endLine);
    bool paintMoreStripes();
    void takeComparisonLevel();
    std::vector<bool> hiddenRows() const;
    void showRow(std::uint32_t row);
    QString noteAt(PaneId id, std::uint32_t line) const;
    QString hiddenText(PaneId id, int line) const;
    int changeGoneTo() const; ///< -1 once a caret has moved
    int hunkAtCaret() const;
    void goToHunk(int index);
    std::uint32_t firstRowOf(const ChangeRange& range) const;
    std::uint32_t lastRowOf(const ChangeRange& range) const;
    std::uint32_t caretRow() const;
    int sourceLineOf(PaneId id, int line) const;
    std::vector<int> ptxLinesOf(PaneId id, int sourceLine) const;

    QSplitter* m_splitter;
    ComparisonBar* m_bar;
    OverviewRuler* m_ruler;
    CodePane *m_source, *m_baseline, *m_candidate;
    compare::Comparison m_comparison;
    std::vector<ChangeRange> m_changes; ///< what F7 goes through
    RowLayout m_layout;
    SourceLinks m_baselineLinks, m_candidateLinks;
    compare::Level m_level = compare::Level::all;
    PaneId m_current = PaneId::candidate;
    /// Where F7 went last, and the lines that the carets stand on since.
    struct AtChange {
        int index = -1, left = 0, right = 0;
    } m_at;
    QTimer* m_painter;
    std::size_t m_paintedFrom = 0, m_paintedTo = 0;      ///< rows that have their marks
    std::array<std::vector<std::uint32_t>, 3> m_stripes; ///< of each pane: CUDA lines at line - 1
    std::size_t m_stripedTo = 0;                         ///< lines that have their stripes
    std::pair<quint64, quint64> m_comparedRevisions; ///< of the panes' texts, of which `m_comparison` is
    bool m_linesAreHidden = false;
    bool m_compared = false;
    bool m_syncing = false;
    bool m_refitPending = false;
};

} // namespace ptxwb::ui
