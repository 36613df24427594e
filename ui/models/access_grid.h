// The access that a warp is about to make, drawn as a grid: sectors of memory by their words, or banks by the words
// that they must give one after the other; in each cell the lanes that touch it.
// Made from a WarpReplay, painted by AccessPicture.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace ptxwb::ui {

class WarpReplay;

struct AccessGrid {
    struct Row {
        QString label;              ///< "x + 96", "word 2"
        std::vector<QString> cells; ///< "0-3"; empty: no lane
    };
    QString title;       ///< what is accessed and what it costs
    QStringList columns; ///< heads; empty where only the title says something
    std::vector<Row> rows;
    int rowsLeftOut = 0; ///< of which only the number is told
};

std::vector<AccessGrid> accessGrids(const WarpReplay& replay);

/// "0-7, 12" of a mask.
QString laneList(std::uint32_t lanes);

} // namespace ptxwb::ui
