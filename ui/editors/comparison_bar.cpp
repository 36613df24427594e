#include "editors/comparison_bar.h"

#include "editors/elided_label.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>

namespace ptxwb::ui {

using compare::RowClass;

QString countsText(const compare::Comparison& comparison) {
    const auto of = [&](RowClass each) { return comparison.counts.of(each); };
    QStringList parts;
    const auto add = [&](std::uint32_t count, const QString& what) {
        if (count != 0) parts << QStringLiteral("%1 %2").arg(count).arg(what);
    };
    add(of(RowClass::opcode), ComparisonBar::tr("~ opcode"));
    add(of(RowClass::modifier), ComparisonBar::tr("~ modifier"));
    add(of(RowClass::operand), ComparisonBar::tr("~ operand"));
    add(of(RowClass::immediate), ComparisonBar::tr("~ immediate"));
    add(of(RowClass::added), ComparisonBar::tr("+ added"));
    add(of(RowClass::removed), ComparisonBar::tr("- removed"));
    add(of(RowClass::moved), ComparisonBar::tr("\u2195 moved"));
    if (comparison.counts.changes() == 0)
        parts << (comparison.same ? ComparisonBar::tr("the same code") : ComparisonBar::tr("no row differs"));
    add(of(RowClass::renamed), ComparisonBar::tr("renamed only"));
    QString text = parts.join(QStringLiteral("  "));
    if (comparison.approximate) text += ComparisonBar::tr("  (approximate)");
    return text;
}

ComparisonBar::ComparisonBar(QWidget* parent)
    : QWidget(parent), m_summary(new ElidedLabel(Qt::ElideRight)), m_level(new QComboBox), m_previous(new QToolButton),
      m_next(new QToolButton) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    m_summary->setAccessibleName(tr("What differs"));
    m_level->addItem(tr("All rows"), int(compare::Level::all));
    m_level->addItem(tr("Renamed and changed"), int(compare::Level::renamed));
    m_level->addItem(tr("Changed rows"), int(compare::Level::changed));
    m_level->setAccessibleName(tr("Rows that are shown"));
    m_level->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_previous->setText(QStringLiteral("\u2191"));
    m_previous->setAccessibleName(tr("Previous change"));
    m_next->setText(QStringLiteral("\u2193"));
    m_next->setAccessibleName(tr("Next change"));
    row->addWidget(m_summary);
    row->addStretch(1);
    row->addWidget(m_level);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    connect(m_level, &QComboBox::activated, this,
            [this](int index) { emit levelChosen(static_cast<compare::Level>(m_level->itemData(index).toInt())); });
    connect(m_previous, &QToolButton::clicked, this, &ComparisonBar::previousWanted);
    connect(m_next, &QToolButton::clicked, this, &ComparisonBar::nextWanted);
}

void ComparisonBar::setActions(QAction* level, QAction* previous, QAction* next) {
    for (const auto& [action, widget] :
         {std::pair<QAction*, QWidget*>{level, m_level}, {previous, m_previous}, {next, m_next}}) {
        widget->setToolTip(action->toolTip());
        connect(action, &QAction::changed, widget,
                [action = action, widget = widget] { widget->setToolTip(action->toolTip()); });
    }
}

void ComparisonBar::setComparison(const compare::Comparison& comparison, bool isCoarse) {
    const QString counts = countsText(comparison);
    m_summary->setFullText(isCoarse ? tr("%1, still aligning\u2026").arg(counts) : counts);
    const bool changes = comparison.counts.changes() + comparison.counts.of(RowClass::renamed) != 0;
    m_next->setEnabled(changes);
    m_previous->setEnabled(changes);
}

void ComparisonBar::setReason(const QString& text) {
    m_summary->setFullText(text);
    m_next->setEnabled(false);
    m_previous->setEnabled(false);
}

void ComparisonBar::setLevel(compare::Level level) {
    m_level->setCurrentIndex(m_level->findData(int(level)));
}

QString ComparisonBar::summary() const {
    return m_summary->fullText();
}

} // namespace ptxwb::ui
