#include "models/problem_model.h"

#include "models/problems.h"

#include <QBrush>
#include <QPalette>

#include <algorithm>

namespace ptxwb::ui {

namespace {

/// Top-level rows have no parent row; a child's internal id is its parent's row + 1.
constexpr quintptr topLevel = 0;

QString severityText(Severity severity) {
    switch (severity) {
    case Severity::error: return ProblemModel::tr("error");
    case Severity::warning: return ProblemModel::tr("warning");
    case Severity::note: return ProblemModel::tr("note");
    }
    return {};
}

} // namespace

ProblemModel::ProblemModel(QObject* parent) : QAbstractItemModel(parent) {}
ProblemModel::~ProblemModel() = default;

void ProblemModel::setChecker(const std::vector<Diagnostic>& diagnostics) {
    if (m_hasChecked && diagnostics == m_diagnostics) return; // most letters change nothing
    m_hasChecked = true;
    m_diagnostics = diagnostics;
    m_checker = problemsFrom(diagnostics);
    rebuild();
}

void ProblemModel::setStages(const std::vector<verify::StageResult>& stages, bool stale) {
    if (!stages.empty() || !m_stages.empty()) {
        m_stages = problemsFrom(stages);
        rebuild();
    }
    setStale(stale);
}

void ProblemModel::setStale(bool stale) {
    if (m_stale == stale) return;
    m_stale = stale;
    if (!m_problems.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void ProblemModel::clear() {
    m_checker.clear();
    m_hasChecked = false;
    m_stages.clear();
    m_stale = false;
    rebuild();
}

void ProblemModel::rebuild() {
    auto all = m_checker;
    all.insert(all.end(), m_stages.begin(), m_stages.end());
    auto problems = grouped(std::move(all));
    if (problems == m_problems) return; // a reset lays the list out anew
    beginResetModel();
    m_problems = std::move(problems);
    endResetModel();
}

int ProblemModel::count(Severity severity) const {
    return static_cast<int>(std::ranges::count(m_problems, severity, &Problem::severity));
}

QModelIndex ProblemModel::neighbour(int line, Direction direction) const {
    int nearest = -1, wrapped = -1;
    const auto lineOf = [this](int row) {
        return static_cast<int>(m_problems[static_cast<std::size_t>(row)].place.line);
    };
    const bool forward = direction == Direction::next;
    const auto before = [forward](int a, int b) { return forward ? a < b : a > b; };
    for (int row = 0; row < rowCount(); ++row) {
        const int at = lineOf(row);
        if (at == 0 || m_problems[static_cast<std::size_t>(row)].pane != Pane::ptx) continue;
        if (before(line, at) && (nearest < 0 || before(at, lineOf(nearest)))) nearest = row;
        if (wrapped < 0 || before(at, lineOf(wrapped))) wrapped = row;
    }
    const int found = nearest >= 0 ? nearest : wrapped;
    return found < 0 ? QModelIndex() : index(found, 0);
}

const ProblemModel::Problem* ProblemModel::at(const QModelIndex& index) const {
    if (!index.isValid()) return nullptr;
    const auto row = static_cast<std::size_t>(index.row());
    if (index.internalId() == topLevel) return row < m_problems.size() ? &m_problems[row] : nullptr;
    const auto& others = m_problems.at(index.internalId() - 1).others;
    return row < others.size() ? &others[row] : nullptr;
}

QModelIndex ProblemModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : topLevel);
}

QModelIndex ProblemModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == topLevel) return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, topLevel);
}

int ProblemModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(m_problems.size());
    if (parent.internalId() != topLevel || parent.column() != 0) return 0;
    const Problem* problem = at(parent);
    return problem ? static_cast<int>(problem->others.size()) : 0;
}

int ProblemModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const {
    const Problem* problem = at(index);
    if (!problem) return {};
    const bool stale = m_stale && problem->source != QStringLiteral("checker");
    const auto text = [&](int column) -> QString {
        switch (column) {
        case SeverityColumn: return severityText(problem->severity);
        case Message:
            return problem->occurrences > 1 ? tr("%1 (%2 times)").arg(problem->message).arg(problem->occurrences)
                                            : problem->message;
        case PlaceColumn: return placeText(*problem);
        case Source: return problem->source;
        case Hint: return problem->hint;
        default: return {};
        }
    };
    switch (role) {
    case Qt::DisplayRole: return text(index.column());
    case Qt::ToolTipRole:
        return problem->hint.isEmpty() ? problem->message
                                       : QStringLiteral("%1\n%2").arg(problem->message, problem->hint);
    case Qt::AccessibleTextRole:
        return index.column() == SeverityColumn && stale ? tr("%1, of an earlier text").arg(text(SeverityColumn))
                                                         : text(index.column());
    case Qt::ForegroundRole:
        return stale ? QVariant(QBrush(QPalette().color(QPalette::Disabled, QPalette::Text))) : QVariant();
    case LineRole: return static_cast<int>(problem->place.line);
    case ColumnRole: return static_cast<int>(problem->place.column);
    case LengthRole: return static_cast<int>(problem->place.length);
    case PaneRole: return problem->pane == Pane::cuda ? QStringLiteral("cuda") : QStringLiteral("ptx");
    case FileRole: return QString::fromStdString(problem->place.file);
    case SeverityRole: return static_cast<int>(problem->severity);
    case StaleRole: return stale;
    case SortRole: return index.row(); // they are in order already
    default: return {};
    }
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case SeverityColumn: return tr("Severity");
    case Message: return tr("Message");
    case PlaceColumn: return tr("Place");
    case Source: return tr("From");
    case Hint: return tr("What to do");
    default: return {};
    }
}

} // namespace ptxwb::ui
