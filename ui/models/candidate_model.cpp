#include "models/candidate_model.h"

#include "models/candidate_figures.h"
#include "models/document.h"

#include <QBrush>
#include <QPalette>

#include <limits>

namespace ptxwb::ui {

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
const QString dash = QStringLiteral("–");

struct ColumnText {
    const char* title;
    const char* meaning;
};

constexpr std::array<ColumnText, CandidateModel::ColumnCount> columns{{
    {QT_TRANSLATE_NOOP("CandidateModel", "Name"),
     QT_TRANSLATE_NOOP("CandidateModel", "The candidate; the first row is nvcc's own PTX")},
    {QT_TRANSLATE_NOOP("CandidateModel", "Verdict"),
     QT_TRANSLATE_NOOP("CandidateModel", "What the funnel says, and which machine judged")},
    {QT_TRANSLATE_NOOP("CandidateModel", "Time"),
     QT_TRANSLATE_NOOP(
         "CandidateModel",
         "Median time of a launch with a flushed L2, measured on a GPU only; ± half of the way from p10 to p90")},
    {QT_TRANSLATE_NOOP("CandidateModel", "Ratio"),
     QT_TRANSLATE_NOOP("CandidateModel",
                       "Baseline's time divided by the candidate's with its 95 % interval, measured on a GPU only")},
    {QT_TRANSLATE_NOOP("CandidateModel", "Same code as"),
     QT_TRANSLATE_NOOP("CandidateModel", "ptxas makes the same machine code of both: they are one program")},
    {QT_TRANSLATE_NOOP("CandidateModel", "Registers"),
     QT_TRANSLATE_NOOP("CandidateModel", "Registers of a thread, from ptxas")},
    {QT_TRANSLATE_NOOP("CandidateModel", "Spills"),
     QT_TRANSLATE_NOOP("CandidateModel", "Bytes that spilled registers store and load, from ptxas")},
    {QT_TRANSLATE_NOOP("CandidateModel", "Shared"),
     QT_TRANSLATE_NOOP("CandidateModel", "Bytes of static shared memory of a block, from ptxas")},
    {QT_TRANSLATE_NOOP("CandidateModel", "Occupancy"),
     QT_TRANSLATE_NOOP("CandidateModel", "Warps that fit on an SM, of those that it can hold; not a measure of speed")},
    {QT_TRANSLATE_NOOP("CandidateModel", "Origin"), QT_TRANSLATE_NOOP("CandidateModel", "Who wrote it")},
}};

bool isFigure(int column) {
    switch (column) {
    case CandidateModel::Time:
    case CandidateModel::Ratio:
    case CandidateModel::Registers:
    case CandidateModel::Spills:
    case CandidateModel::Shared:
    case CandidateModel::Occupancy: return true;
    default: return false;
    }
}

std::string targetOf(const session::Session& session) {
    return session.targets.empty() ? std::string{} : session.targets.front();
}

/// The number of a column, nullopt where it is not known.
std::optional<double> figure(const session::Candidate& candidate, int column, const std::string& target) {
    const verify::EntryResources* resources = resourcesFor(candidate, target);
    const verify::OccupancyFigure* occupancy = occupancyFor(candidate, target);
    const verify::CandidateResult* result = candidate.judgement ? &candidate.judgement->result : nullptr;
    switch (column) {
    case CandidateModel::Registers: return resources ? std::optional<double>(resources->registers) : std::nullopt;
    case CandidateModel::Spills:
        return resources ? std::optional(static_cast<double>(resources->spillStoreBytes) + resources->spillLoadBytes)
                         : std::nullopt;
    case CandidateModel::Shared: return resources ? std::optional<double>(resources->staticSharedBytes) : std::nullopt;
    case CandidateModel::Occupancy: return occupancy ? std::optional(occupancy->percent) : std::nullopt;
    case CandidateModel::Time: return result && result->timing ? std::optional(result->timing->medianUs) : std::nullopt;
    case CandidateModel::Ratio: return result && result->speedup ? std::optional(result->speedup->ratio) : std::nullopt;
    default: return std::nullopt;
    }
}

int verdictRank(const session::Candidate& candidate) {
    if (!candidate.judgement) return 3;
    switch (candidate.judgement->result.verdict) {
    case verify::Verdict::pass: return 0;
    case verify::Verdict::incomplete: return 1;
    case verify::Verdict::fail: return 2;
    }
    return 3;
}

} // namespace

CandidateModel::CandidateModel(Document* document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document) {
    m_offset = offset();
    const auto reset = [this] {
        beginResetModel();
        m_offset = offset();
        endResetModel();
    };
    connect(document, &Document::sessionAboutToBeReplaced, this, [this] { beginResetModel(); });
    connect(document, &Document::sessionReplaced, this, [this] {
        m_deltaAgainst.clear();
        m_running.clear();
        m_proposed.clear();
        m_offset = offset();
        endResetModel();
    });
    connect(document, &Document::candidateAboutToBeInserted, this,
            [this](int i) { beginInsertRows({}, i + m_offset, i + m_offset); });
    connect(document, &Document::candidateInserted, this, [this] { endInsertRows(); });
    connect(document, &Document::candidateAboutToBeRemoved, this,
            [this](int i) { beginRemoveRows({}, i + m_offset, i + m_offset); });
    connect(document, &Document::candidateRemoved, this, [this] { endRemoveRows(); });
    connect(document, &Document::candidateRenamed, this, &CandidateModel::rowChanged);
    connect(document, &Document::targetsChanged, this, [this] { allChanged(); });
    connect(document, &Document::resultsChanged, this, [this, reset](const QString&) {
        // nvcc has made the first baseline, or taken it away.
        if (m_offset != offset())
            reset();
        else
            allChanged(); // "same code as" of other rows, and differences
    });
}

int CandidateModel::offset() const {
    return m_document->session().baseline.text.empty() ? 0 : 1;
}

void CandidateModel::allChanged() {
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void CandidateModel::rowChanged(const QString& id) {
    if (const int changed = row(id); changed >= 0) emit dataChanged(index(changed, 0), index(changed, ColumnCount - 1));
}

int CandidateModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_document->session().candidates.size()) + m_offset;
}

int CandidateModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

const session::Candidate* CandidateModel::at(int row) const {
    if (row < 0 || row >= rowCount()) return nullptr;
    if (row < m_offset) return &m_document->session().baseline;
    return &m_document->session().candidates[static_cast<std::size_t>(row - m_offset)];
}

QString CandidateModel::id(int row) const {
    const session::Candidate* candidate = at(row);
    return candidate ? QString::fromStdString(candidate->id) : QString();
}

int CandidateModel::row(const QString& wanted) const {
    for (int i = 0; i < rowCount(); ++i)
        if (id(i) == wanted) return i;
    return -1;
}

QString CandidateModel::display(const session::Candidate& candidate, int column) const {
    const session::Session& session = m_document->session();
    const std::string target = targetOf(session);
    switch (column) {
    case Name: return candidate.id == session::baselineId ? tr("baseline") : QString::fromStdString(candidate.name);
    case Verdict: {
        if (isRunning(QString::fromStdString(candidate.id))) return tr("verifying");
        const bool stale = m_document->freshness(QString::fromStdString(candidate.id)) == session::Freshness::stale;
        return stale ? tr("%1, stale").arg(verdictText(candidate)) : verdictText(candidate);
    }
    case SameCode: return sameCodeAs(session, candidate);
    case Origin: return originText(candidate.origin);
    default: break;
    }
    const auto value = figure(candidate, column, target);
    if (!value) return dash;
    // A difference of ratios says nothing: the interval belongs to the one.
    if (column == Ratio) return ratioText(candidate.judgement->result, WithGlyph::yes);
    QString shown = QString::number(*value, 'f', column == Occupancy ? 1 : 0);
    if (column == Spills && *value > 0) {
        const verify::EntryResources* resources = resourcesFor(candidate, target);
        shown = QStringLiteral("%1 / %2 B").arg(resources->spillStoreBytes).arg(resources->spillLoadBytes);
    } else if (column == Spills || column == Shared) {
        shown += QStringLiteral(" B");
    } else if (column == Occupancy) {
        shown += QStringLiteral(" %");
    } else if (column == Time) {
        shown = timeText(*candidate.judgement->result.timing);
    }
    const session::Candidate* reference = m_deltaAgainst.isEmpty() ? nullptr : m_document->candidate(m_deltaAgainst);
    if (!reference) return shown;
    const int decimals = column == Time        ? int(fourDigits(*value).section(QLatin1Char('.'), 1).size())
                         : column == Occupancy ? 1
                                               : 0;
    return withDelta(shown, *value, figure(*reference, column, target), decimals);
}

QVariant CandidateModel::sortKey(const session::Candidate& candidate, int column) const {
    if (column == Verdict) return verdictRank(candidate);
    if (isFigure(column)) return figure(candidate, column, targetOf(m_document->session())).value_or(unknown);
    return display(candidate, column);
}

QString CandidateModel::toolTip(const session::Candidate& candidate, int column) const {
    if (column == Time) return timeDetails(candidate);
    if (column == Ratio) return ratioDetails(candidate);
    if (column == Verdict && candidate.judgement) return decidedBy(candidate.judgement->result);
    if (column == Verdict) return tr("Not verified yet: press F5.");
    if (column == Occupancy)
        if (const verify::OccupancyFigure* o = occupancyFor(candidate, targetOf(m_document->session())))
            return tr("%1: %2 blocks and %3 warps on an SM, limited by %4")
                .arg(QString::fromStdString(o->arch))
                .arg(o->blocksPerSm)
                .arg(o->warpsPerSm)
                .arg(QString::fromStdString(o->limiter));
    if (isFigure(column)) {
        const verify::EntryResources* r = resourcesFor(candidate, targetOf(m_document->session()));
        return r ? tr("for %1").arg(QString::fromStdString(r->arch))
                 : tr("Not known: ptxas has not assembled this candidate yet.");
    }
    return {};
}

QVariant CandidateModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const session::Candidate* candidate = at(index.row());
    const int column = index.column();
    const QString id = QString::fromStdString(candidate->id);
    const bool stale = m_document->freshness(id) == session::Freshness::stale ||
                       (isFigure(column) && candidate->judgement && candidate->judgement->hasOlderFigures());
    switch (role) {
    case Qt::DisplayRole: return display(*candidate, column);
    case Qt::EditRole:
        return column == Name ? QVariant(QString::fromStdString(candidate->name)) : display(*candidate, column);
    case Qt::ToolTipRole: return toolTip(*candidate, column);
    case Qt::TextAlignmentRole: return isFigure(column) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ForegroundRole:
        return stale && column != Name ? QVariant(QBrush(QPalette().color(QPalette::Disabled, QPalette::Text)))
                                       : QVariant();
    case Qt::AccessibleTextRole: {
        QString shown = display(*candidate, column);
        if (shown == dash)
            shown = tr("not known");
        else if (column == Ratio) // no glyph is read out
            shown = ratioText(candidate->judgement->result, WithGlyph::no);
        const QString text =
            QStringLiteral("%1: %2").arg(headerData(column, Qt::Horizontal).toString().toLower(), shown);
        return stale && isFigure(column) ? tr("%1, stale").arg(text) : text;
    }
    case IdRole: return id;
    case SortRole: return sortKey(*candidate, column);
    case StaleRole: return stale;
    case VerdictRole:
        if (isRunning(id)) return QStringLiteral("running");
        return candidate->judgement ? QString::fromLatin1(name(candidate->judgement->result.verdict).data())
                                    : QString();
    default: return {};
    }
}

QVariant CandidateModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    const ColumnText& text = columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return tr(text.title);
    if (role == Qt::ToolTipRole) return tr(text.meaning);
    return {};
}

Qt::ItemFlags CandidateModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    const bool renamable = index.isValid() && index.column() == Name && index.row() >= m_offset;
    return renamable ? flags | Qt::ItemIsEditable : flags;
}

bool CandidateModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!(flags(index) & Qt::ItemIsEditable) || role != Qt::EditRole) return false;
    const QString reason = m_document->renameCandidate(id(index.row()), value.toString());
    if (!reason.isEmpty()) emit renameRefused(reason);
    return reason.isEmpty();
}

void CandidateModel::setDeltaAgainst(const QString& id) {
    m_deltaAgainst = id;
    allChanged();
}

void CandidateModel::setRunning(const QString& id) {
    const QString before = std::exchange(m_running, id);
    rowChanged(before);
    rowChanged(id);
}

void CandidateModel::setProposed(const QStringList& ids) {
    const QStringList before = std::exchange(m_proposed, ids);
    for (const QString& id : before + ids)
        if (before.contains(id) != ids.contains(id)) rowChanged(id);
}

bool CandidateModel::isRunning(const QString& id) const {
    return id == m_running || m_proposed.contains(id);
}

} // namespace ptxwb::ui
