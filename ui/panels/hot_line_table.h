// The busiest PTX lines of a kernel on a GPU, each leading to its place. Used by the counters panel.
#pragma once

#include "panels/hot_lines.h"

#include <QTableWidget>

namespace ptxwb::ui {

/// As high as its rows: the panel around it scrolls.
class HotLineTable : public QTableWidget {
    Q_OBJECT

public:
    explicit HotLineTable(QWidget* parent = nullptr);

    /// `stale`: of an earlier text, whose lines may have moved.
    void setLines(const std::vector<HotLine>& lines, bool stale);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void lineWanted(int line);

private:
    void fillRow(int row, const HotLine& line, bool stale);
};

} // namespace ptxwb::ui
