// A table of words with a lane or a bank a column: narrow cells in a fixed font, what changed and what is active
// marked. Used by the warp panel for registers and for shared memory.
#pragma once

#include "theme/theme.h"

#include <QTableView>

namespace ptxwb::ui {

class LaneGrid : public QTableView {
    Q_OBJECT

public:
    /// What an active cell is: of registers the lane executes, of shared memory the next instruction touches the word.
    enum class Kind : std::uint8_t { registers, banks };

    LaneGrid(Kind kind, QAbstractItemModel* model, const QString& accessibleName, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Columns as wide as the widest text that the format can give.
    void setColumnCharacters(int count);

private:
    void fit();

    int m_characters = 8;
};

} // namespace ptxwb::ui
