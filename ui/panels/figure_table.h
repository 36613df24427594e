// Figures, a row for each, the candidate's beside the baseline's.
// Used by the panels of timing and of counters.
#pragma once

#include "session/session.h"

#include <QTableWidget>

#include <vector>

namespace ptxwb::ui {

/// One figure, by column.
struct FigureRow {
    QString name, meaning;
    QStringList cells;
};

/// As wide as its dock and as high as its rows: what is long is wrapped, and the panel around it scrolls.
class FigureTable : public QTableWidget {
    Q_OBJECT

public:
    explicit FigureTable(const QString& accessibleName, QWidget* parent = nullptr);

    /// `columns`: whose figures, as many as each row has cells.
    void setFigures(const std::vector<FigureRow>& rows, const QStringList& columns, session::Freshness freshness);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    void fillColumn(int column, const QString& who, const std::vector<FigureRow>& rows, session::Freshness freshness);
    void copy() const;
    void fit(); ///< texts of the header to its width, the height to the rows

    bool m_fitPending = false;
};

} // namespace ptxwb::ui
