#include "panels/check_list.h"

#include "panels/marks.h"
#include "panels/panel_page.h"
#include "verify/checks.h"

#include <QHeaderView>
#include <QLabel>
#include <QTextDocumentFragment>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <map>

namespace ptxwb::ui {

namespace {

using verify::CheckStatus;

enum Column { Name, Outcome, columns };
constexpr int statusRole = Qt::UserRole; ///< int of CheckStatus; none on a stage's row
constexpr std::size_t mostPlaces = 8;

QString asQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

Mark markOfRow(const QModelIndex& index, const Theme& theme) {
    const QVariant status = index.data(statusRole);
    if (index.column() != Outcome || !status.isValid()) return {};
    switch (static_cast<CheckStatus>(status.toInt())) {
    case CheckStatus::passed: return markOf(StageModel::State::pass, theme);
    case CheckStatus::failed: return markOf(StageModel::State::fail, theme);
    case CheckStatus::notRun: break;
    }
    return markOf(StageModel::State::skipped, theme);
}

QString outcomeText(const verify::CheckOutcome& outcome) {
    const QString reason = asQString(outcome.reason);
    switch (outcome.status) {
    case CheckStatus::passed:
        return reason.isEmpty() ? CheckList::tr("passed") : CheckList::tr("passed: %1").arg(reason);
    case CheckStatus::failed:
        return reason.isEmpty() ? CheckList::tr("failed") : CheckList::tr("failed: %1").arg(reason);
    case CheckStatus::notRun: break;
    }
    return reason.isEmpty() ? CheckList::tr("not run") : CheckList::tr("not run: %1").arg(reason);
}

/// "3 of 4 passed, 1 failed"
QString groupText(const std::array<int, 3>& counts) {
    const int all = counts[0] + counts[1] + counts[2], failed = counts[static_cast<int>(CheckStatus::failed)];
    const QString passed = CheckList::tr("%1 of %2 passed").arg(counts[static_cast<int>(CheckStatus::passed)]).arg(all);
    return failed > 0 ? CheckList::tr("%1, %2 failed").arg(passed).arg(failed) : passed;
}

QString link(std::uint32_t line) {
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(line).arg(CheckList::tr("line %1").arg(line));
}

} // namespace

CheckList::CheckList(QWidget* parent)
    : QWidget(parent), m_summary(paragraph()), m_strength(paragraph()), m_tree(new QTreeWidget) {
    m_tree->setColumnCount(columns);
    m_tree->setHeaderLabels({tr("Check"), tr("Outcome")});
    m_tree->setAccessibleName(tr("Checks"));
    m_tree->setUniformRowHeights(true);
    m_tree->setItemDelegate(new MarkDelegate(markOfRow, this));
    m_tree->header()->setSectionResizeMode(Name, QHeaderView::ResizeToContents);
    m_tree->setMinimumSize(100, 40);
    m_strength->setTextFormat(Qt::RichText);
    m_strength->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(m_strength, &QLabel::linkActivated, this,
            [this](const QString& line) { emit ptxLineWanted(line.toInt()); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 0);
    column->setSpacing(4);
    for (QWidget* each : std::initializer_list<QWidget*>{m_summary, m_strength, m_tree}) column->addWidget(each);
    setResult(nullptr, false);
}

void CheckList::setResult(const verify::CandidateResult* result, bool stale) {
    // Called with every letter that is typed: what is shown already stays.
    const auto same = [](const verify::CheckOutcome& a, const verify::CheckOutcome& b) {
        return a.check == b.check && a.status == b.status && a.reason == b.reason;
    };
    const std::vector<verify::CheckOutcome> none;
    const auto& outcomes = result ? result->checks : none;
    if (!m_summary->text().isEmpty() && stale == m_shownStale && std::ranges::equal(outcomes, m_shown, same)) return;
    m_shown = outcomes;
    m_shownStale = stale;
    m_tree->clear();
    const bool isEmpty = !result || result->checks.empty();
    m_tree->setVisible(!isEmpty);
    say(m_strength, {});
    if (isEmpty) return say(m_summary, tr("No check was made yet: a verification names each with its outcome."));
    fill(*result, stale);
    showStrength(*result);
}

void CheckList::fill(const verify::CandidateResult& result, bool stale) {
    std::array<int, 3> all{};
    struct Group {
        QTreeWidgetItem* item = nullptr;
        std::array<int, 3> counts{};
    };
    std::map<QString, Group> groups;
    for (const verify::CheckOutcome& outcome : result.checks) {
        const verify::Check* check = verify::findCheck(outcome.check);
        // In the order of the funnel: the first stage that a check is made in is its group.
        const QString stages = check ? asQString(check->stages) : tr("others");
        const QString group = stages.section(QLatin1Char(' '), 0, 0);
        auto& [stage, counts] = groups[group];
        if (!stage) {
            stage = new QTreeWidgetItem(m_tree, {group});
            stage->setExpanded(true);
        }
        const QString text = outcomeText(outcome);
        auto* row = new QTreeWidgetItem(stage, {asQString(outcome.check), text});
        row->setData(Outcome, statusRole, static_cast<int>(outcome.status));
        const QString what = check ? asQString(check->what) : QString();
        const QString sentence = tr("%1, %2").arg(asQString(outcome.check), stale ? tr("stale, %1").arg(text) : text);
        for (int i = 0; i < columns; ++i) {
            row->setToolTip(i, what + (text.contains(QLatin1Char(':')) ? QLatin1Char('\n') + text : QString()));
            row->setData(i, Qt::AccessibleTextRole, sentence);
            if (stale) row->setForeground(i, palette().brush(QPalette::Disabled, QPalette::Text));
        }
        ++counts[static_cast<std::size_t>(outcome.status)];
        ++all[static_cast<std::size_t>(outcome.status)];
        stage->setText(Outcome, groupText(counts));
    }
    const QString words = tr("%1 checks passed, %2 failed, %3 not run.")
                              .arg(all[static_cast<std::size_t>(CheckStatus::passed)])
                              .arg(all[static_cast<std::size_t>(CheckStatus::failed)])
                              .arg(all[static_cast<std::size_t>(CheckStatus::notRun)]);
    say(m_summary, stale ? tr("\u21BB Of an earlier text. %1").arg(words) : words);
}

void CheckList::showStrength(const verify::CandidateResult& result) {
    if (!result.strength) return;
    const verify::Strength& s = *result.strength;
    QStringList sentences{tr("The runs reached %1 of %2 instructions and took %3 of %4 ways of branches.")
                              .arg(s.reached)
                              .arg(s.instructions)
                              .arg(s.waysTaken)
                              .arg(s.branchWays)};
    QStringList places;
    for (const verify::Unreached& one : s.unreached)
        if (places.size() < qsizetype(mostPlaces))
            places += tr("%1 %2").arg(link(one.line), asQString(one.what).toHtmlEscaped());
    if (s.unreached.size() > mostPlaces) places += tr("%1 more").arg(s.unreached.size() - mostPlaces);
    if (!places.isEmpty()) sentences += tr("Not tried: %1.").arg(places.join(QStringLiteral(", ")));
    if (s.mutants > 0) {
        sentences += tr("%1 of %2 mutants were noticed.").arg(s.killed).arg(s.mutants);
        QStringList lived;
        for (const verify::Survivor& one : s.survivors)
            if (lived.size() < qsizetype(mostPlaces))
                lived += tr("%1 %2").arg(link(one.line), asQString(one.what).toHtmlEscaped());
        if (!lived.isEmpty()) sentences += tr("Not noticed: %1.").arg(lived.join(QStringLiteral(", ")));
    }
    say(m_strength, sentences.join(QLatin1Char(' ')));
}

QString CheckList::summary() const {
    return m_summary->text();
}

QString CheckList::strength() const {
    return QTextDocumentFragment::fromHtml(m_strength->text()).toPlainText();
}

} // namespace ptxwb::ui
