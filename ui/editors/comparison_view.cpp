#include "editors/comparison_view.h"

#include "editors/comparison_bar.h"
#include "editors/comparison_paint.h"
#include "editors/editor.h"
#include "editors/overview_ruler.h"
#include "theme/theme.h"

#include <QDataStream>
#include <QHBoxLayout>
#include <QIODevice>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTextDocument>
#include <QThreadPool>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace ptxwb::ui {
namespace {

constexpr std::uint32_t contextRows = 3; ///< shown above and below a change where other rows are hidden

constexpr std::size_t rowsAtOnce = 250;   ///< of both sides: about a millisecond
constexpr std::size_t linesAtOnce = 1000; ///< of stripes

constexpr PaneId allPanes[] = {PaneId::source, PaneId::baseline, PaneId::candidate};

/// Of 10,000 rows it takes some milliseconds, which no frame has to spare.
void freeElsewhere(compare::Comparison old) {
    if (!old.rows.empty()) QThreadPool::globalInstance()->start([held = std::move(old)] {});
}

Side sideOf(PaneId id) {
    return id == PaneId::baseline ? Side::left : Side::right;
}

} // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent), m_splitter(new QSplitter(Qt::Horizontal)), m_bar(new ComparisonBar), m_ruler(new OverviewRuler),
      m_source(new CodePane(Language::cuda, Access::readOnly, tr("CUDA source"))),
      m_baseline(new CodePane(Language::ptx, Access::readOnly, tr("nvcc PTX"))),
      m_candidate(new CodePane(Language::ptx, Access::edit, tr("Candidate PTX"))), m_painter(new QTimer(this)) {
    for (CodePane* each : {m_source, m_baseline, m_candidate}) m_splitter->addWidget(each);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setSizes({260, 370, 370});
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_splitter, 1);
    row->addWidget(m_ruler);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addLayout(row, 1);
    setFocusProxy(m_candidate);
    for (const PaneId id : allPanes) connectPane(id);
    connect(m_painter, &QTimer::timeout, this, &ComparisonView::paintMoreRows);
    connect(m_candidate, &CodePane::textEdited, this, &ComparisonView::candidateEdited);
    connect(m_bar, &ComparisonBar::levelChosen, this, &ComparisonView::setLevel);
    connect(m_bar, &ComparisonBar::nextWanted, this, &ComparisonView::nextChange);
    connect(m_bar, &ComparisonBar::previousWanted, this, &ComparisonView::previousChange);
    connect(m_ruler, &OverviewRuler::rowWanted, this, [this](int wanted) {
        m_candidate->editor().setFirstVisibleRow(wanted - m_candidate->editor().rowsOnScreen() / 2);
    });
    for (const PaneId id : {PaneId::baseline, PaneId::candidate}) {
        Editor& editor = pane(id).editor();
        editor.hiddenText = [this, id](int line) { return hiddenText(id, line); };
        connect(&editor, &Editor::hiddenClicked, this, [this, id](int line) {
            setLevel(compare::Level::all);
            pane(id).goToLine(line + 2); // the first of what was hidden
        });
        editor.toolTipAt = [this, id, others = editor.toolTipAt](long position, int line) {
            const QString said = others(position, line), note = noteAt(id, std::uint32_t(line + 1));
            if (note.isEmpty() || said.isEmpty()) return said + note;
            return Qt::mightBeRichText(said) ? QStringLiteral("%1<p>%2</p>").arg(said, note.toHtmlEscaped())
                                             : said + QLatin1Char('\n') + note;
        };
    }
    // Two side-by-side panes with bars of different heights would end at different rows.
    for (CodePane* each : {m_baseline, m_candidate}) each->editor().setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setTheme(lightTheme());
    clearComparison();
}

ComparisonView::~ComparisonView() = default;

CodePane& ComparisonView::pane(PaneId id) {
    return id == PaneId::source ? *m_source : id == PaneId::baseline ? *m_baseline : *m_candidate;
}

PaneId ComparisonView::currentPane() const {
    return m_current;
}

QString ComparisonView::summary() const {
    return m_bar->summary();
}

void ComparisonView::connectPane(PaneId id) {
    CodePane& own = pane(id);
    connect(&own.editor(), &Editor::scrolledVertically, this, [this, id] { scrolled(id); });
    connect(&own, &CodePane::zoomChanged, this, [this, id](int points) {
        for (const PaneId other : allPanes)
            if (other != id) pane(other).setZoom(points);
    });
    connect(&own, &CodePane::hoveredLineChanged, this, [this, id](int line) { hovered(id, line); });
    connect(&own, &CodePane::focused, this, [this, id] {
        if (m_current == id) return;
        m_current = id;
        emit currentPaneChanged(id);
    });
    if (id == PaneId::source) return;
    connect(&own, &CodePane::linesInserted, this, [this, id](int line, int count) { linesInserted(id, line, count); });
    connect(&own, &CodePane::linesRemoved, this, [this, id](int first, int count) { linesRemoved(id, first, count); });
    CodePane& other = pane(id == PaneId::baseline ? PaneId::candidate : PaneId::baseline);
    connect(&own.editor(), &Editor::scrolledHorizontally, this, [this, &own, &other] {
        if (m_syncing) return;
        const QScopedValueRollback guard(m_syncing, true);
        other.editor().setXOffset(own.editor().xOffset());
    });
}

void ComparisonView::setTheme(const Theme& theme) {
    for (const PaneId id : allPanes) pane(id).setTheme(theme);
    m_ruler->setTheme(theme);
}

void ComparisonView::setSourceText(const QByteArray& utf8) {
    m_source->setText(utf8);
    setSourceLinks({}, {});
}

void ComparisonView::setBaselineText(const QByteArray& utf8) {
    clearComparison();
    m_baseline->setText(utf8);
    setSourceLinks({}, {});
}

void ComparisonView::setCandidateText(const QByteArray& utf8, const QString& name) {
    clearComparison();
    m_candidate->showText(name, utf8);
    setSourceLinks(std::move(m_baselineLinks), {});
}

bool ComparisonView::applyComparison(compare::Comparison comparison, quint64 baselineRevision,
                                     quint64 candidateRevision, bool isCoarse) {
    if (m_baseline->revision() != baselineRevision || m_candidate->revision() != candidateRevision) return false;
    freeElsewhere(std::exchange(m_comparison, std::move(comparison)));
    m_compared = true;
    m_comparedRevisions = {baselineRevision, candidateRevision};
    m_layout =
        RowLayout(m_comparison.rows, std::uint32_t(m_baseline->lineCount()), std::uint32_t(m_candidate->lineCount()));
    m_bar->setComparison(m_comparison, isCoarse);
    takeComparisonLevel();
    applyFillers();
    applyRows();
    applyStripes(); // a candidate without `.loc` is linked through its rows
    return true;
}

void ComparisonView::clearComparison(const QString& reason) {
    const bool had = m_compared;
    m_compared = false;
    freeElsewhere(std::exchange(m_comparison, {}));
    m_layout = {};
    m_changes.clear();
    m_at = {};
    m_bar->setReason(reason.isEmpty() ? tr("not compared yet") : reason);
    m_ruler->setMarks({}, 0);
    if (!had) return;
    for (CodePane* each : {m_baseline, m_candidate}) {
        const BatchUpdate batch(each->editor());
        clearRows(each->editor());
        clearFillers(each->editor());
    }
}

void ComparisonView::setSourceLinks(SourceLinks baseline, SourceLinks candidate) {
    m_baselineLinks = std::move(baseline);
    m_candidateLinks = std::move(candidate);
    applyStripes();
}

void ComparisonView::setLevel(compare::Level level) {
    m_bar->setLevel(level);
    if (level == m_level) return;
    m_level = level;
    if (m_compared) {
        takeComparisonLevel();
        applyFillers();
    }
    emit levelChanged(level);
}

void ComparisonView::cycleLevel() {
    setLevel(m_level == compare::Level::all       ? compare::Level::renamed
             : m_level == compare::Level::renamed ? compare::Level::changed
                                                  : compare::Level::all);
}

void ComparisonView::cyclePanes() {
    const int next = (int(m_current) + 1) % 3;
    pane(static_cast<PaneId>(next)).editor().setFocus(Qt::ShortcutFocusReason);
}

void ComparisonView::zoomIn() {
    m_candidate->setZoom(m_candidate->zoom() + 1);
}

void ComparisonView::zoomOut() {
    m_candidate->setZoom(m_candidate->zoom() - 1);
}

void ComparisonView::resetZoom() {
    m_candidate->setZoom(0);
}

QByteArray ComparisonView::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << quint8(1) << quint8(m_level) << m_splitter->saveState();
    return state;
}

bool ComparisonView::restoreState(const QByteArray& state) {
    QDataStream stream(state);
    quint8 version = 0, level = 0;
    QByteArray splitter;
    stream >> version >> level >> splitter;
    if (stream.status() != QDataStream::Ok || version != 1 || level > quint8(compare::Level::changed)) return false;
    setLevel(static_cast<compare::Level>(level));
    const bool restored = m_splitter->restoreState(splitter);
    m_splitter->setChildrenCollapsible(false); // the state may say otherwise
    return restored;
}

// Rows, fillers and their upkeep.

void ComparisonView::takeComparisonLevel() {
    const compare::Level level = m_level == compare::Level::renamed ? compare::Level::renamed : compare::Level::changed;
    m_changes = changeRanges(m_comparison.rows, compare::hunks(m_comparison, level));
    m_at = {};
}

void ComparisonView::paint(std::size_t firstRow, std::size_t endRow) {
    const auto part = std::span<const compare::Row>(m_comparison.rows).subspan(firstRow, endRow - firstRow);
    paintRows(m_baseline->editor(), part, Side::left);
    paintRows(m_candidate->editor(), part, Side::right);
}

/// What is on the screen at once, the rest in the event loop's spare time: 10,000 rows of marks cost more than a frame.
void ComparisonView::applyRows() {
    const std::size_t rows = m_comparison.rows.size();
    const Editor& editor = m_candidate->editor();
    const int top = static_cast<int>(
        editor.send(QsciScintillaBase::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(editor.firstVisibleRow())));
    const std::size_t first = m_layout.rowOf(Side::right, std::uint32_t(top + 1));
    m_paintedFrom = std::min(first > rowsAtOnce / 4 ? first - rowsAtOnce / 4 : 0, rows);
    m_paintedTo = std::min(m_paintedFrom + rowsAtOnce, rows);
    paint(m_paintedFrom, m_paintedTo);
    m_painter->start(0);
}

void ComparisonView::paintMoreRows() {
    const std::size_t rows = m_comparison.rows.size();
    if (m_compared && m_paintedTo < rows) {
        const std::size_t end = std::min(m_paintedTo + rowsAtOnce, rows);
        paint(m_paintedTo, end);
        m_paintedTo = end;
    } else if (m_compared && m_paintedFrom > 0) {
        const std::size_t from = m_paintedFrom > rowsAtOnce ? m_paintedFrom - rowsAtOnce : 0;
        paint(from, m_paintedFrom);
        m_paintedFrom = from;
    } else if (!paintMoreStripes()) {
        m_painter->stop();
    }
}

/// Stripes of further lines. False where all have theirs.
bool ComparisonView::paintMoreStripes() {
    const std::size_t lines =
        std::size_t(std::max({m_source->lineCount(), m_baseline->lineCount(), m_candidate->lineCount()}));
    if (m_stripedTo >= lines) return false;
    paintStripesOf(m_stripedTo, m_stripedTo + linesAtOnce);
    m_stripedTo += linesAtOnce;
    return true;
}

std::vector<bool> ComparisonView::hiddenRows() const {
    const auto rows = static_cast<std::uint32_t>(m_layout.rows().size());
    if (m_level == compare::Level::all || m_changes.empty()) return {};
    std::vector<bool> hidden(rows, true);
    const auto show = [&](std::uint32_t first, std::uint32_t last) {
        const std::uint32_t from = first > contextRows ? first - contextRows : 0;
        for (std::uint32_t row = from; row <= std::min(last + contextRows, rows - 1); ++row) hidden[row] = false;
    };
    hidden[0] = false; // Scintilla cannot hide the first line
    for (const ChangeRange& range : m_changes) show(firstRowOf(range), lastRowOf(range));
    show(m_layout.rowOf(Side::right, std::uint32_t(m_candidate->currentLine())),
         m_layout.rowOf(Side::right, std::uint32_t(m_candidate->currentLine())));
    return hidden;
}

void ComparisonView::applyFillers() {
    if (m_layout.empty()) return;
    const QScopedValueRollback guard(m_syncing, true);
    // Each line that is hidden or shown asks for a painting of its own. Without them only what differs is painted.
    std::optional<BatchUpdate> leftBatch, rightBatch;
    if (m_level != compare::Level::all || m_linesAreHidden) {
        leftBatch.emplace(m_baseline->editor());
        rightBatch.emplace(m_candidate->editor());
    }
    Editor& own = pane(m_current == PaneId::source ? PaneId::candidate : m_current).editor();
    // What a person looks at stays where it is: the caret's line if it is on the screen, else the topmost line.
    const int first = own.firstVisibleRow();
    int line = own.lineFrom(own.send(QsciScintillaBase::SCI_GETCURRENTPOS));
    int offset = own.rowOfLine(line) - first;
    if (offset < 0 || offset >= own.rowsOnScreen()) {
        line = static_cast<int>(own.send(QsciScintillaBase::SCI_DOCLINEFROMVISIBLE, std::uintptr_t(first)));
        offset = own.rowOfLine(line) - first;
    }
    const std::vector<bool> hidden = hiddenRows();
    m_linesAreHidden = !hidden.empty();
    paintFillers(m_baseline->editor(), m_layout, Side::left, hidden);
    paintFillers(m_candidate->editor(), m_layout, Side::right, hidden);
    const int row = first == 0 ? 0 : own.rowOfLine(line) - offset;
    for (CodePane* each : {m_baseline, m_candidate}) each->editor().setFirstVisibleRow(row);

    std::vector<OverviewRuler::Mark> marks;
    for (const ChangeRange& range : m_changes) {
        const std::uint32_t top = firstRowOf(range);
        const auto kind = range.isMove            ? OverviewRuler::Kind::moved
                          : range.leftCount == 0  ? OverviewRuler::Kind::added
                          : range.rightCount == 0 ? OverviewRuler::Kind::removed
                                                  : OverviewRuler::Kind::changed;
        marks.push_back({int(top), int(lastRowOf(range) - top + 1), kind});
    }
    m_ruler->setMarks(std::move(marks), int(m_layout.rows().size()));
    m_ruler->setView(own.firstVisibleRow(), own.rowsOnScreen());
}

void ComparisonView::linesInserted(PaneId id, int line, int count) {
    if (m_layout.empty()) return;
    m_painter->stop(); // its line numbers no longer fit; the next comparison paints anew
    m_layout.insertLines(sideOf(id), std::uint32_t(line), std::uint32_t(count));
    if (id == PaneId::candidate) insertLines(m_changes, std::uint32_t(line), std::uint32_t(count));
    refitFillers();
}

void ComparisonView::linesRemoved(PaneId id, int first, int count) {
    if (m_layout.empty()) return;
    m_painter->stop();
    m_layout.removeLines(sideOf(id), std::uint32_t(first), std::uint32_t(count));
    if (id == PaneId::candidate) removeLines(m_changes, std::uint32_t(first), std::uint32_t(count));
    refitFillers();
}

/// Once an undo step or a paste is over, and before the next frame is painted. Scintilla has not finished its own work
/// when it tells of a change, so not at once.
void ComparisonView::refitFillers() {
    if (std::exchange(m_refitPending, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_refitPending = false;
            applyFillers();
        },
        Qt::QueuedConnection);
}

} // namespace ptxwb::ui
