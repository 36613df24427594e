// The warp stepper's two tables: registers with a lane a column, and shared memory with a bank a column.
// Shown by the warp panel; both follow a WarpReplay.
#pragma once

#include "models/warp_replay.h"
#include "models/word_format.h"

#include <QAbstractTableModel>

namespace ptxwb::ui {

enum LaneTableRole {
    ChangedRole = Qt::UserRole + 1, ///< bool: by the step before
    ActiveRole, ///< bool: the lane executes the next step; of shared memory: the next step touches it
    StateRole,  ///< int of LaneState; of shared memory: how many words of the bank are touched
};

class RegisterTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Rows : std::uint8_t { all, live, mentioned };

    explicit RegisterTable(WarpReplay* replay, QObject* parent = nullptr);

    void setFormat(WordFormat format);
    WordFormat format() const { return m_format; }
    void setRows(Rows rows);
    /// The row of a register of this name; -1 where it is not shown.
    int rowOf(const QString& name) const;
    std::uint32_t registerOf(int row) const { return m_rows[std::size_t(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override; ///< 32
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void fill();
    void moved();
    std::vector<std::uint32_t> wantedRows() const;

    WarpReplay* m_replay;
    WordFormat m_format = WordFormat::byType;
    Rows m_shown = Rows::all;
    std::vector<std::uint32_t> m_rows; ///< numbers of registers
    const emulator::RecordedFunction* m_function = nullptr;
    // Views ask cell by cell, and a register is read whole.
    mutable int m_cachedRow = -1;
    mutable emulator::RecordedValues m_cached;
    mutable std::uint32_t m_cachedChanges = 0;
};

class SharedTable : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit SharedTable(WarpReplay* replay, QObject* parent = nullptr);

    void setFormat(WordFormat format);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override; ///< 32 banks
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// Rows that the next step touches, ascending.
    const std::vector<int>& touchedRows() const { return m_touchedRows; }

private:
    void moved();
    void look();
    std::uint32_t lanesAt(std::uint32_t word) const;
    bool isChanged(std::uint32_t word) const;

    WarpReplay* m_replay;
    WordFormat m_format = WordFormat::byType;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_touched; ///< word and its lanes, ascending
    std::vector<std::uint32_t> m_changed;                           ///< words, ascending
    std::vector<int> m_touchedRows;
    std::array<int, 32> m_bankWords{}; ///< different words of each bank that the next step touches
};

} // namespace ptxwb::ui
