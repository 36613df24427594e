// The six stages of the funnel for one candidate: status, time, findings, filling as answers come.
// Shown as a row of chips and by the verification panel.
#pragma once

#include "verify/result.h"

#include <QAbstractItemModel>
#include <QElapsedTimer>
#include <QTimer>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ptxwb::ui {

/// Top level: one row a stage, in the funnel's order. Below it: its findings.
class StageModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { StageColumn, StatusColumn, Elapsed, Backend, Message, ColumnCount };
    enum Role {
        StateRole = Qt::UserRole + 1, ///< int of State
        SecondsRole,                  ///< double
        LineRole,                     ///< int, PTX line of a finding, 0: none
        ColumnRole,
        LengthRole,
        CudaFileRole, ///< QString, empty: none
        CudaLineRole,
        StaleRole, ///< bool
    };
    enum class State : std::uint8_t { notRun, waiting, running, pass, fail, skipped, inconclusive, stopped };
    static QString text(State state); ///< "not run", "waiting", "running", "pass", ...

    explicit StageModel(QObject* parent = nullptr);

    /// All stages wait, the first runs.
    void begin();
    void setStage(const verify::StageResult& stage);
    /// `what` begins with the stage's name; the stage it names is the one that runs.
    void setProgress(int done, int of, const QString& what);
    /// No more answers: what still waits or runs has been stopped (cancel, failure).
    void end();
    /// The results of another candidate, or of an earlier session. Empty: not run.
    void setStages(const std::vector<verify::StageResult>& stages, bool stale);
    void setStale(bool stale);

    State state(verify::Stage stage) const;
    bool isRunning() const;
    const Finding* finding(const QModelIndex& index) const; ///< nullptr for a stage

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    static constexpr int stageCount = 6;
    struct Row {
        State state = State::notRun;
        std::optional<verify::StageResult> result;
        QString progress;
        double seconds = 0;
    };
    void run(int row);
    void runNextAfter(int row);
    void rowChanged(int row);
    QVariant findingData(const Finding& finding, int column, int role) const;

    std::array<Row, stageCount> m_rows;
    int m_runningRow = -1;
    bool m_stale = false;
    QElapsedTimer m_since;
    QTimer m_tick; ///< the running stage's elapsed time
};

} // namespace ptxwb::ui
