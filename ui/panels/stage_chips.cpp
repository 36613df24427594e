#include "panels/stage_chips.h"

#include "panels/flow_layout.h"
#include "panels/marks.h"

#include <QEvent>
#include <QToolButton>

#include <utility>

namespace ptxwb::ui {

namespace {

using Column = StageModel::Column;

QString shown(const StageModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

/// "0.31 s": the chip shows less, the name and the tooltip more.
QString exactSeconds(const StageModel& model, int row) {
    const QVariant seconds = model.index(row, 0).data(StageModel::SecondsRole);
    return seconds.isValid() ? QStringLiteral("%1 s").arg(seconds.toDouble(), 0, 'f', 2) : QString();
}

QString nameOf(const StageModel& model, int row) {
    QString name =
        QStringLiteral("%1: %2").arg(shown(model, row, Column::StageColumn), shown(model, row, Column::StatusColumn));
    if (const QString seconds = exactSeconds(model, row); !seconds.isEmpty()) name += QStringLiteral(", ") + seconds;
    if (model.index(row, 0).data(StageModel::StaleRole).toBool()) name += StageChips::tr(", of an earlier text");
    return name;
}

QString tipOf(const StageModel& model, int row) {
    QStringList lines{nameOf(model, row)};
    if (const QString judge = shown(model, row, Column::Backend); !judge.isEmpty())
        lines += StageChips::tr("judged by %1").arg(judge);
    if (const int findings = model.rowCount(model.index(row, 0)); findings > 0)
        lines += findings == 1 ? StageChips::tr("1 finding") : StageChips::tr("%1 findings").arg(findings);
    if (const QString message = shown(model, row, Column::Message); !message.isEmpty()) lines += message;
    return lines.join(QLatin1Char('\n'));
}

} // namespace

StageChips::StageChips(StageModel* model, QWidget* parent) : QWidget(parent), m_model(model) {
    auto* row = new FlowLayout(this, 4);
    row->setContentsMargins(4, 2, 4, 2);
    for (std::size_t i = 0; i < stageCount; ++i) {
        m_chips[i] = new QToolButton(this);
        m_chips[i]->setFocusPolicy(Qt::StrongFocus);
        m_chips[i]->setToolButtonStyle(Qt::ToolButtonTextOnly);
        row->addWidget(m_chips[i]);
        connect(m_chips[i], &QToolButton::clicked, this,
                [this, i] { emit stageChosen(static_cast<verify::Stage>(i)); });
    }
    connect(model, &QAbstractItemModel::modelReset, this, &StageChips::updateAll);
    // Once for all that an answer changes.
    connect(model, &QAbstractItemModel::dataChanged, this, [this] {
        if (std::exchange(m_updatePending, true)) return;
        QMetaObject::invokeMethod(this, &StageChips::updateAll, Qt::QueuedConnection);
    });
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred); // as high as the rows that the width makes
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    updateAll();
}

StageChips::~StageChips() = default;

QString StageChips::textOf(int row) const {
    const StageModel::State state = m_model->state(static_cast<verify::Stage>(row));
    const QString text = QStringLiteral("%1 %2").arg(markOf(state, themeFor(palette())).glyph,
                                                     shown(*m_model, row, Column::StageColumn));
    // Six times "not run" would say nothing that the glyph does not.
    if (state == StageModel::State::notRun) return text;
    QStringList words{shown(*m_model, row, Column::StatusColumn), shown(*m_model, row, Column::Elapsed)};
    words.removeAll(QString());
    return QStringLiteral("%1: %2").arg(text, words.join(QLatin1Char(' ')));
}

/// In a narrow panel glyph and stage have to do: all chips in two rows say more than some in four.
bool StageChips::isNarrow() const {
    int wanted = 0;
    for (int row = 0; row < static_cast<int>(stageCount); ++row) {
        const QToolButton& chip = *m_chips[static_cast<std::size_t>(row)];
        const int around = chip.sizeHint().width() - fontMetrics().horizontalAdvance(chip.text());
        wanted += fontMetrics().horizontalAdvance(textOf(row)) + around + layout()->spacing();
    }
    return wanted > 2 * width() - 100; // what the end of a row leaves free
}

void StageChips::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (isNarrow() != m_isNarrow) updateAll();
}

void StageChips::updateAll() {
    m_updatePending = false;
    m_isNarrow = isNarrow();
    for (int row = 0; row < static_cast<int>(stageCount); ++row) updateChip(row);
}

void StageChips::updateChip(int row) {
    QToolButton& chip = *m_chips[static_cast<std::size_t>(row)];
    const Theme& theme = themeFor(palette());
    const Mark mark = markOf(m_model->state(static_cast<verify::Stage>(row)), theme);
    const bool stale = m_model->index(row, 0).data(StageModel::StaleRole).toBool();
    chip.setText(m_isNarrow ? QStringLiteral("%1 %2").arg(mark.glyph, shown(*m_model, row, Column::StageColumn))
                            : textOf(row));
    chip.setAccessibleName(nameOf(*m_model, row));
    chip.setToolTip(tipOf(*m_model, row));
    QPalette ink = palette();
    ink.setColor(QPalette::ButtonText, stale ? theme.disabledText : mark.colour);
    if (chip.palette().color(QPalette::ButtonText) != ink.color(QPalette::ButtonText)) chip.setPalette(ink);
}

void StageChips::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) updateAll();
    // The chips have their font after this one.
    if (event->type() == QEvent::FontChange)
        QMetaObject::invokeMethod(this, &StageChips::updateAll, Qt::QueuedConnection);
}

} // namespace ptxwb::ui
