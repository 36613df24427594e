#include "panels/effect_panel.h"

#include "panels/empty_page.h"
#include "panels/marks.h"
#include "panels/panel_page.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ptxwb::ui {

namespace {

using report::Figure;

constexpr int lineRole = Qt::UserRole + 1;
constexpr int mostLines = 200;

QString text(std::string_view words) {
    return QString::fromUtf8(words.data(), qsizetype(words.size()));
}

QString number(double value) {
    return QString::number(value, 'f', value == std::floor(value) ? 0 : 1);
}

QString lineText(const std::string& all, std::uint32_t line) {
    std::size_t from = 0;
    for (std::uint32_t i = 1; i < line && from != std::string::npos; ++i) {
        from = all.find('\n', from);
        if (from != std::string::npos) ++from;
    }
    if (line == 0 || from == std::string::npos) return {};
    return QString::fromStdString(all.substr(from, std::min(all.find('\n', from), all.size()) - from)).simplified();
}

QString countText(std::uint64_t was, std::uint64_t is) {
    if (was == 0 && is == 0) return {};
    return was == is ? QString::number(is) : QStringLiteral("%1 \u2192 %2").arg(was).arg(is);
}

QString range(std::uint32_t first, std::uint32_t last) {
    if (first == 0) return {};
    return first == last ? QString::number(first) : QStringLiteral("%1\u2013%2").arg(first).arg(last);
}

QTableWidget* table(const QString& name) {
    auto* made = new QTableWidget;
    made->setAccessibleName(name);
    made->setEditTriggers(QAbstractItemView::NoEditTriggers);
    made->setSelectionBehavior(QAbstractItemView::SelectRows);
    made->setSelectionMode(QAbstractItemView::SingleSelection);
    made->setTabKeyNavigation(false);
    made->setShowGrid(false);
    made->verticalHeader()->hide();
    made->verticalHeader()->setDefaultSectionSize(made->fontMetrics().height() + 6);
    made->horizontalHeader()->setHighlightSections(false);
    return made;
}

} // namespace

QString figureText(const std::optional<double>& value, const std::optional<double>& before) {
    if (!value) return QStringLiteral("?");
    if (!before || *before == *value) return number(*value);
    const double difference = *value - *before;
    return QStringLiteral("%1 (%2%3)")
        .arg(number(*value), difference > 0 ? QStringLiteral("+") : QString(), number(difference));
}

EffectPanel::EffectPanel(QAction* verify, QWidget* parent)
    : QWidget(parent), m_theme(themeFor(palette())), m_pages(new QStackedWidget), m_empty(new EmptyPage({}, {verify})),
      m_table(table(tr("Versions"))), m_lines(table(tr("Lines that the edit moved"))), m_sentence(paragraph()) {
    auto* upper = new QWidget;
    auto* column = new QVBoxLayout(upper);
    column->setContentsMargins({});
    column->addWidget(m_table);
    m_sentence->setContentsMargins(8, 0, 8, 0);
    column->addWidget(m_sentence);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(upper);
    splitter->addWidget(m_lines);
    splitter->setChildrenCollapsible(false);
    m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_pages->addWidget(splitter);
    m_pages->addWidget(m_empty);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_pages);
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) { showEdit(row); });
    const auto follow = [this](int row) {
        const QTableWidgetItem* item = m_lines->item(row, 0);
        if (const int line = item ? item->data(lineRole).toInt() : 0; line > 0) emit lineWanted(line);
    };
    connect(m_lines, &QTableWidget::cellClicked, this, follow);
    connect(m_lines, &QTableWidget::cellActivated, this, follow);
    showReason({});
}

void EffectPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    if (!m_versions.empty()) fillVersions();
}

void EffectPanel::showReason(const QString& words) {
    m_versions.clear();
    m_effects.clear();
    m_empty->setText(words);
    m_pages->setCurrentIndex(1);
}

void EffectPanel::setVersions(std::vector<report::Version> versions, std::vector<report::EditEffect> effects) {
    m_versions = std::move(versions);
    m_effects = std::move(effects);
    m_pages->setCurrentIndex(0);
    fillVersions();
    m_table->setCurrentCell(int(m_versions.size()) - 1, 0);
    showEdit(int(m_versions.size()) - 1);
}

/// A row a version, a column a figure that some version knows. What got better or worse has its arrow and colour.
void EffectPanel::fillVersions() {
    const QSignalBlocker quiet(m_table);
    const int current = m_table->currentRow();
    std::vector<report::Figures> figures;
    for (const report::Version& version : m_versions)
        figures.push_back(version.result ? report::figuresOf(*version.result, {}) : report::Figures{});
    for (std::size_t i = 0; i < m_effects.size(); ++i) {
        figures[i] = m_effects[i].before;
        figures[i + 1] = m_effects[i].after;
    }
    std::vector<std::size_t> columns;
    QStringList heads{tr("Version")};
    for (std::size_t f = 0; f < report::figureCount; ++f)
        if (std::ranges::any_of(figures, [&](const report::Figures& of) { return of[f].has_value(); })) {
            columns.push_back(f);
            heads += text(report::name(static_cast<Figure>(f)));
        }
    m_table->clear();
    m_table->setRowCount(int(m_versions.size()));
    m_table->setColumnCount(int(columns.size()) + 1);
    m_table->setHorizontalHeaderLabels(heads);
    for (std::size_t row = 0; row < m_versions.size(); ++row) {
        m_table->setItem(int(row), 0, new QTableWidgetItem(QString::fromStdString(m_versions[row].name)));
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const auto& now = figures[row][columns[c]];
            const auto before = row == 0 ? std::nullopt : figures[row - 1][columns[c]];
            auto* item = new QTableWidgetItem(figureText(now, before));
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            if (now && before && *now != *before) {
                const bool better = (*now < *before) == report::lessIsBetter(static_cast<Figure>(columns[c]));
                item->setText((*now < *before ? QStringLiteral("\u25BC ") : QStringLiteral("\u25B2 ")) + item->text());
                item->setForeground(better ? m_theme.passed : m_theme.failed);
                item->setToolTip(better ? tr("better than before") : tr("worse than before"));
            }
            m_table->setItem(int(row), int(c) + 1, item);
        }
    }
    m_table->resizeColumnsToContents();
    if (current >= 0 && current < m_table->rowCount()) m_table->setCurrentCell(current, 0);
}

void EffectPanel::addLine(const QString& before, const QString& after, const QString& what,
                          const emulator::WorkCounts& was, const emulator::WorkCounts& is, const QString& words,
                          int line) {
    const int row = m_lines->rowCount();
    m_lines->insertRow(row);
    const QString cells[] = {before,
                             after,
                             what,
                             countText(was.warpInstructions, is.warpInstructions),
                             countText(was.globalSectors, is.globalSectors),
                             countText(was.sharedWavefronts, is.sharedWavefronts),
                             countText(was.divergentBranches, is.divergentBranches),
                             words};
    for (int column = 0; column < int(std::size(cells)); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        item->setData(lineRole, line);
        m_lines->setItem(row, column, item);
    }
}

/// What the edit that led to the version in a row moved.
void EffectPanel::showEdit(int row) {
    m_lines->clear();
    m_lines->setRowCount(0);
    m_lines->setColumnCount(8);
    m_lines->setHorizontalHeaderLabels({tr("Before"), tr("After"), tr("What"), tr("Warp instructions"), tr("Sectors"),
                                        tr("Wavefronts"), tr("Divergent"), tr("Text")});
    m_lines->setVisible(row > 0);
    if (row <= 0 || row > int(m_effects.size())) {
        say(m_sentence, row == 0 ? tr("This is where it begins.") : QString());
        return;
    }
    const report::EditEffect& effect = m_effects[std::size_t(row) - 1];
    const report::Version& before = m_versions[std::size_t(row) - 1];
    const report::Version& after = m_versions[std::size_t(row)];
    const bool isLast = row + 1 == int(m_versions.size());
    QStringList moved;
    for (std::size_t f = 0; f < report::figureCount; ++f)
        if (effect.before[f] && effect.after[f] && *effect.before[f] != *effect.after[f])
            moved += QStringLiteral("%1 %2 \u2192 %3")
                         .arg(text(report::name(static_cast<Figure>(f))), number(*effect.before[f]),
                              number(*effect.after[f]));
    QStringList sentences;
    if (effect.sameText) sentences += tr("The text is the same.");
    sentences += moved.isEmpty() ? tr("No figure that is known on both sides has moved.")
                                 : tr("Moved: %1.").arg(moved.join(QStringLiteral(", ")));
    sentences += effect.noLines.empty()
                     ? tr("Counts are of the emulator's run, not time; registers and occupancy are of "
                          "the whole kernel.")
                     : tr("Not told by line: %1.").arg(QString::fromStdString(effect.noLines));
    say(m_sentence, sentences.join(QLatin1Char(' ')));
    for (const report::HunkEffect& hunk : effect.hunks)
        addLine(range(hunk.leftFirst, hunk.leftLast), range(hunk.rightFirst, hunk.rightLast), tr("hunk"), hunk.before,
                hunk.after, QString::fromStdString(hunk.kernel), isLast ? int(hunk.rightFirst) : 0);
    for (const report::LineEffect& line : effect.lines) {
        if (m_lines->rowCount() >= mostLines) break;
        addLine(range(line.leftLine, line.leftLine), range(line.rightLine, line.rightLine),
                text(compare::name(line.rowClass)), line.before, line.after,
                line.rightLine ? lineText(after.text, line.rightLine) : lineText(before.text, line.leftLine),
                isLast ? int(line.rightLine) : 0);
    }
    if (const int rest = int(effect.lines.size()) + int(effect.hunks.size()) - m_lines->rowCount(); rest > 0)
        addLine({}, {}, tr("and %n more", nullptr, rest), {}, {}, {}, 0);
    m_lines->resizeColumnsToContents();
}

QString EffectPanel::emptyText() const {
    return m_pages->currentIndex() == 1 ? m_empty->text() : QString();
}

QString EffectPanel::sentence() const {
    return m_sentence->text();
}

void EffectPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit shown();
}

} // namespace ptxwb::ui
