// Everything that is wrong with the current candidate: the checker's diagnostics, ptxas messages, findings of the
// funnel. Shown by the Problems panel; the editor takes its squiggles from `problems()`.
#pragma once

#include "support/diagnostic.h"
#include "verify/result.h"

#include <QAbstractItemModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace ptxwb::ui {

/// Two levels: a problem, and below it its other places (the second access of a race, the CUDA line, further
/// occurrences of the same message).
class ProblemModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { SeverityColumn, Message, PlaceColumn, Source, Hint, ColumnCount };
    enum Role {
        LineRole = Qt::UserRole + 1, ///< int, from 1; 0: no place
        ColumnRole,                  ///< int, bytes from 1; 0: whole line
        LengthRole,                  ///< int, bytes
        PaneRole,                    ///< "ptx" or "cuda"
        FileRole,                    ///< QString
        SeverityRole,                ///< int of ptxwb::Severity
        StaleRole,                   ///< bool: of a text that has changed since
        SortRole,                    ///< severity, then place
    };

    enum class Pane : std::uint8_t { ptx, cuda };
    struct Problem {
        Severity severity = Severity::error;
        Pane pane = Pane::ptx;
        Place place;
        QString message, hint, source; ///< source: "checker", "ptxas", "stress (emulator)"
        QString kind;
        QString circumstances; ///< of a finding: sizes, thread, seed; a part of the message
        std::vector<Problem> others; ///< further places
        int occurrences = 1;
        bool operator==(const Problem&) const = default;
    };

    explicit ProblemModel(QObject* parent = nullptr);
    ~ProblemModel() override;

    /// The checker's, as one types.
    void setChecker(const std::vector<Diagnostic>& diagnostics);
    /// Of the last verification; `stale`: the text has changed since. Parse findings are left out: the checker has
    /// them.
    void setStages(const std::vector<verify::StageResult>& stages, bool stale);
    void setStale(bool stale);
    void clear();

    const std::vector<Problem>& problems() const { return m_problems; }
    int count(Severity severity) const;
    /// The first problem after (or before) a PTX line, going round; an invalid index where there is none with a place.
    enum class Direction : std::uint8_t { next, previous };
    QModelIndex neighbour(int line, Direction direction) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void rebuild();
    const Problem* at(const QModelIndex& index) const;

    std::vector<Problem> m_checker, m_stages, m_problems;
    std::vector<Diagnostic> m_diagnostics; ///< that m_checker was made from
    bool m_hasChecked = false;
    bool m_stale = false;
};

} // namespace ptxwb::ui
