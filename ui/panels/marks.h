// Glyph and colour of a verdict, a stage, a severity: the two always go with a word, so that colour never stands alone.
// Used by all panels.
#pragma once

#include "models/stage_model.h"
#include "theme/theme.h"

#include <QPalette>
#include <QStyledItemDelegate>

#include <functional>

namespace ptxwb::ui {

struct Mark {
    QString glyph;
    QColor colour;
};

/// Panels follow the palette, which the window keeps in step with the theme in force.
const Theme& themeFor(const QPalette& palette);

Mark markOf(StageModel::State state, const Theme& theme);
Mark markOf(Severity severity, const Theme& theme);
/// `verdict` as CandidateModel::VerdictRole gives it.
Mark verdictMark(const QString& verdict, const Theme& theme);

/// The text of a cell with its glyph before it, in the mark's colour; what the model greys stays grey. The tooltip of a
/// cell that is too narrow begins with the whole text.
class MarkDelegate : public QStyledItemDelegate {
public:
    using MarkOf = std::function<Mark(const QModelIndex&, const Theme&)>; ///< an empty glyph: the cell as it is
    MarkDelegate(MarkOf markOf, QObject* parent) : QStyledItemDelegate(parent), m_markOf(std::move(markOf)) {}

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    MarkOf m_markOf;
};

} // namespace ptxwb::ui
