// The machine code of the current candidate beside the baseline's, row by row.
// Filled by Disassembly, shown by SassPanel.
#pragma once

#include "compare/sass_rows.h"

#include <QAbstractTableModel>
#include <QString>

#include <map>
#include <vector>

namespace ptxwb::ui {

struct SassLine {
    std::uint32_t offset = 0; ///< bytes from the function's start
    std::string text, label;
    int line = 0; ///< PTX line, from 1; 0: no line accounts for it
};

struct SassFunctionText {
    QString name;
    std::vector<SassLine> lines;
};

class SassModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { BaselineLine, Baseline, Mark, Candidate, CandidateLine, Samples, ColumnCount };
    enum Role { BaselineLineRole = Qt::UserRole + 1, CandidateLineRole, KindRole };

    explicit SassModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// `baseline` may be empty: then nothing is compared.
    void setCode(std::vector<SassFunctionText> baseline, std::vector<SassFunctionText> candidate);
    /// Share of the samples, by byte offset in the entry's code; empty: nobody counted.
    void setSamples(const std::map<std::uint64_t, double>& percent);
    void clear() { setCode({}, {}); }
    bool isCompared() const { return m_compared; }
    bool hasSamples() const { return !m_samples.empty(); }
    /// "12 same, 3 renamed, 2 changed, 5 removed, 9 added"; empty where nothing was compared.
    QString counts() const;
    /// Rows that a PTX line of the candidate or of the baseline became, in order.
    std::vector<int> rowsOf(Column side, int ptxLine) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        compare::SassRowKind kind = compare::SassRowKind::same;
        const SassLine* baseline = nullptr;
        const SassLine* candidate = nullptr;
        QString title; ///< of a row that names a function
        bool isEntry = false;
    };
    void addFunction(const SassFunctionText* baseline, const SassFunctionText& candidate, bool isEntry);
    QString display(const Row& row, int column) const;
    QString tip(const Row& row) const;

    std::vector<SassFunctionText> m_baseline, m_candidate;
    std::vector<Row> m_rows;
    std::map<std::uint64_t, double> m_samples;
    bool m_compared = false;
};

} // namespace ptxwb::ui
