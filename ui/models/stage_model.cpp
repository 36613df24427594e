#include "models/stage_model.h"

#include "models/candidate_figures.h"
#include "models/problems.h"

#include <QBrush>
#include <QPalette>

namespace ptxwb::ui {

namespace {

constexpr quintptr topLevel = 0; ///< a finding's internal id is its stage's row + 1
constexpr int tickMilliseconds = 100;

QString asQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

StageModel::State stateOf(verify::Status status) {
    switch (status) {
    case verify::Status::pass: return StageModel::State::pass;
    case verify::Status::fail: return StageModel::State::fail;
    case verify::Status::skipped: return StageModel::State::skipped;
    case verify::Status::inconclusive: return StageModel::State::inconclusive;
    }
    return StageModel::State::notRun;
}

bool isOpen(StageModel::State state) {
    return state == StageModel::State::waiting || state == StageModel::State::running;
}

QString secondsText(double seconds) {
    return seconds < 10 ? QStringLiteral("%1 s").arg(seconds, 0, 'f', seconds < 0.0995 ? 3 : 1)
                        : QStringLiteral("%1 s").arg(seconds, 0, 'f', 0);
}

} // namespace

QString StageModel::text(State state) {
    switch (state) {
    case State::notRun: return tr("not run");
    case State::waiting: return tr("waiting");
    case State::running: return tr("running");
    case State::pass: return tr("pass");
    case State::fail: return tr("fail");
    case State::skipped: return tr("skipped");
    case State::inconclusive: return tr("inconclusive");
    case State::stopped: return tr("stopped");
    }
    return {};
}

StageModel::StageModel(QObject* parent) : QAbstractItemModel(parent) {
    m_tick.setInterval(tickMilliseconds);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (m_runningRow < 0) return;
        const QModelIndex cell = index(m_runningRow, Elapsed);
        emit dataChanged(cell, cell);
    });
}

void StageModel::begin() {
    beginResetModel();
    m_rows.fill({});
    for (Row& row : m_rows) row.state = State::waiting;
    m_runningRow = -1;
    m_stale = false;
    endResetModel();
    run(0);
}

void StageModel::run(int row) {
    m_runningRow = row < stageCount && m_rows[static_cast<std::size_t>(row)].state == State::waiting ? row : -1;
    if (m_runningRow < 0) return m_tick.stop();
    m_rows[static_cast<std::size_t>(row)].state = State::running;
    m_since.start();
    m_tick.start();
    rowChanged(row);
}

void StageModel::rowChanged(int row) {
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void StageModel::setStage(const verify::StageResult& stage) {
    const int row = static_cast<int>(stage.stage);
    Row& to = m_rows[static_cast<std::size_t>(row)];
    const bool wasRunning = isRunning();
    const QModelIndex parent = index(row, 0);
    if (to.result && !to.result->findings.empty()) {
        beginRemoveRows(parent, 0, static_cast<int>(to.result->findings.size()) - 1);
        to.result.reset();
        endRemoveRows();
    }
    if (!stage.findings.empty()) beginInsertRows(parent, 0, static_cast<int>(stage.findings.size()) - 1);
    to = {stateOf(stage.status), stage, {}, stage.seconds};
    if (!stage.findings.empty()) endInsertRows();
    if (wasRunning) runNextAfter(row);
    rowChanged(row); // with its own time: the clock has gone on to the next
}

void StageModel::runNextAfter(int row) {
    if (m_runningRow != row && m_runningRow >= 0 &&
        m_rows[static_cast<std::size_t>(m_runningRow)].state == State::running)
        return;
    for (int next = row + 1; next < stageCount; ++next)
        if (m_rows[static_cast<std::size_t>(next)].state == State::waiting) return run(next);
    m_runningRow = -1;
    m_tick.stop();
}

void StageModel::setProgress(int done, int of, const QString& what) {
    if (!isRunning()) return;
    const auto named = verify::stage(what.section(':', 0, 0).toStdString());
    const int row = named ? static_cast<int>(*named) : m_runningRow;
    if (row != m_runningRow && m_rows[static_cast<std::size_t>(row)].state == State::waiting) {
        m_rows[static_cast<std::size_t>(m_runningRow)].state = State::waiting;
        rowChanged(m_runningRow);
        run(row);
    }
    Row& to = m_rows[static_cast<std::size_t>(row)];
    if (to.state != State::running) return;
    const QString detail = what.section(':', 1).trimmed();
    const QString step = detail.isEmpty() ? what : detail;
    to.progress = of > 0 ? tr("%1 (%2 of %3)").arg(step).arg(done).arg(of) : step;
    rowChanged(row);
}

void StageModel::end() {
    m_tick.stop();
    for (int row = 0; row < stageCount; ++row) {
        Row& to = m_rows[static_cast<std::size_t>(row)];
        if (!isOpen(to.state)) continue;
        if (to.state == State::running) to.seconds = static_cast<double>(m_since.elapsed()) / 1000;
        to.state = to.state == State::running ? State::stopped : State::notRun;
        rowChanged(row);
    }
    m_runningRow = -1;
}

void StageModel::setStages(const std::vector<verify::StageResult>& stages, bool stale) {
    m_tick.stop();
    beginResetModel();
    m_rows.fill({});
    m_runningRow = -1;
    m_stale = stale;
    for (const verify::StageResult& stage : stages)
        m_rows[static_cast<std::size_t>(stage.stage)] = {stateOf(stage.status), stage, {}, stage.seconds};
    endResetModel();
}

void StageModel::setStale(bool stale) {
    if (m_stale == stale) return;
    m_stale = stale;
    emit dataChanged(index(0, 0), index(stageCount - 1, ColumnCount - 1));
}

StageModel::State StageModel::state(verify::Stage stage) const {
    return m_rows[static_cast<std::size_t>(stage)].state;
}

bool StageModel::isRunning() const {
    return m_runningRow >= 0;
}

const Finding* StageModel::finding(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == topLevel) return nullptr;
    const auto& result = m_rows.at(index.internalId() - 1).result;
    const auto row = static_cast<std::size_t>(index.row());
    return result && row < result->findings.size() ? &result->findings[row] : nullptr;
}

QModelIndex StageModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : topLevel);
}

QModelIndex StageModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == topLevel) return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, topLevel);
}

int StageModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return stageCount;
    if (parent.internalId() != topLevel || parent.column() != 0) return 0;
    const auto& result = m_rows[static_cast<std::size_t>(parent.row())].result;
    return result ? static_cast<int>(result->findings.size()) : 0;
}

int StageModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

QVariant StageModel::findingData(const Finding& finding, int column, int role) const {
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        if (column == StageColumn) return asQString(name(finding.kind));
        if (column == StatusColumn) return finding.line > 0 ? tr("line %1").arg(finding.line) : QString();
        if (column == Message) {
            const QString where = circumstances(finding), message = asQString(finding.message);
            return where.isEmpty() ? message : QStringLiteral("%1 [%2]").arg(message, where);
        }
        return {};
    case Qt::ToolTipRole:
        return asQString(finding.hint.empty() ? finding.message : finding.message + "\n" + finding.hint);
    case LineRole: return static_cast<int>(finding.line);
    case ColumnRole: return static_cast<int>(finding.column);
    case LengthRole: return static_cast<int>(finding.length);
    case CudaFileRole: return finding.cuda ? asQString(finding.cuda->file) : QString();
    case CudaLineRole: return finding.cuda ? static_cast<int>(finding.cuda->line) : 0;
    default: return {};
    }
}

QVariant StageModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == StaleRole) return m_stale;
    if (role == Qt::ForegroundRole)
        return m_stale ? QVariant(QBrush(QPalette().color(QPalette::Disabled, QPalette::Text))) : QVariant();
    if (const Finding* of = finding(index)) return findingData(*of, index.column(), role);
    if (index.internalId() != topLevel) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool running = index.row() == m_runningRow;
    const double seconds = running ? static_cast<double>(m_since.elapsed()) / 1000 : row.seconds;
    const bool hasTime = row.result || running || row.state == State::stopped;
    const auto shown = [&]() -> QString {
        switch (index.column()) {
        case StageColumn: return asQString(verify::name(static_cast<verify::Stage>(index.row())));
        case StatusColumn: return text(row.state);
        case Elapsed: return hasTime ? secondsText(seconds) : QString();
        case Backend: return row.result ? judgeName(row.result->backend) : QString();
        case Message: return row.result ? asQString(row.result->reason) : row.progress;
        default: return {};
        }
    };
    switch (role) {
    case Qt::DisplayRole: return shown();
    case Qt::ToolTipRole: return row.result && !row.result->reason.empty() ? asQString(row.result->reason) : QString();
    case Qt::AccessibleTextRole:
        return index.column() == StatusColumn && m_stale ? tr("%1, of an earlier text").arg(shown()) : shown();
    case StateRole: return static_cast<int>(row.state);
    case SecondsRole: return hasTime ? QVariant(seconds) : QVariant();
    case LineRole: return 0;
    default: return {};
    }
}

QVariant StageModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case StageColumn: return tr("Stage");
    case StatusColumn: return tr("Status");
    case Elapsed: return tr("Time");
    case Backend: return tr("Judged by");
    case Message: return tr("Message");
    default: return {};
    }
}

} // namespace ptxwb::ui
