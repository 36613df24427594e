// Sizes against distributions of inputs: which launches of a verification were right.
// A part of the heat map.
#pragma once

#include "verify/result.h"

#include <QTableWidget>

#include <optional>
#include <vector>

namespace ptxwb::ui {

/// A row a size, a column a distribution; a cell says how many launches there were and how many of them failed, by
/// glyph, number and tint. Enter or a double click wants a launch of the cell again: the first that failed, else the
/// first.
class CaseTable : public QTableWidget {
    Q_OBJECT

public:
    explicit CaseTable(QWidget* parent = nullptr);

    void setStages(const std::vector<verify::StageResult>& stages);
    /// Of the current cell; nothing where it holds no launch.
    std::optional<verify::RunCase> currentCase() const;
    int failed() const { return m_failed; } ///< launches
    int launches() const { return m_launches; }

signals:
    void caseWanted(const ptxwb::verify::RunCase& wanted);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();

    std::vector<verify::RunCase> m_cases;
    int m_failed = 0, m_launches = 0;
};

/// "m = 64, n = 33"; "the only size" where the kernel has no symbols.
QString sizeText(const verify::RunCase& runCase);

} // namespace ptxwb::ui
