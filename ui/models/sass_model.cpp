#include "models/sass_model.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace ptxwb::ui {

namespace {

using compare::SassRowKind;

constexpr std::array marks{"", "≈", "~", "−", "+"};

const SassFunctionText* named(const std::vector<SassFunctionText>& functions, const SassFunctionText& other,
                              std::size_t otherCount) {
    const auto found = std::ranges::find(functions, other.name, &SassFunctionText::name);
    if (found != functions.end()) return &*found;
    return functions.size() == 1 && otherCount == 1 ? &functions.front() : nullptr;
}

QString codeOf(const SassLine* line) {
    if (!line) return {};
    const QString text = QString::fromStdString(line->text);
    return line->label.empty() ? text : QString::fromStdString(line->label) + QStringLiteral(": ") + text;
}

QString lineOf(const SassLine* line) {
    return line && line->line > 0 ? QString::number(line->line) : QString();
}

} // namespace

void SassModel::setCode(std::vector<SassFunctionText> baseline, std::vector<SassFunctionText> candidate) {
    beginResetModel();
    m_baseline = std::move(baseline);
    m_candidate = std::move(candidate);
    m_compared = !m_baseline.empty();
    m_rows.clear();
    m_samples.clear();
    for (std::size_t i = 0; i < m_candidate.size(); ++i)
        addFunction(named(m_baseline, m_candidate[i], m_candidate.size()), m_candidate[i], i == 0);
    endResetModel();
}

void SassModel::addFunction(const SassFunctionText* baseline, const SassFunctionText& candidate, bool isEntry) {
    if (m_candidate.size() > 1) m_rows.push_back({SassRowKind::same, nullptr, nullptr, candidate.name, false});
    if (!baseline) {
        for (const SassLine& line : candidate.lines) {
            const auto kind = m_compared ? SassRowKind::added : SassRowKind::same;
            m_rows.push_back({kind, nullptr, &line, {}, isEntry});
        }
        return;
    }
    const auto texts = [](const SassFunctionText& function) {
        std::vector<std::string> list;
        for (const SassLine& line : function.lines) list.push_back(line.text);
        return list;
    };
    for (const compare::SassRow& row : compare::sassRows(texts(*baseline), texts(candidate)))
        m_rows.push_back({row.kind,
                          row.kind == SassRowKind::added ? nullptr : &baseline->lines[row.left],
                          row.kind == SassRowKind::removed ? nullptr : &candidate.lines[row.right],
                          {},
                          isEntry});
}

void SassModel::setSamples(const std::map<std::uint64_t, double>& percent) {
    m_samples = percent;
    if (!m_rows.empty()) emit dataChanged(index(0, Samples), index(rowCount() - 1, Samples));
}

QString SassModel::counts() const {
    if (!m_compared) return {};
    std::array<int, 5> counts{};
    for (const Row& row : m_rows)
        if (row.title.isEmpty()) ++counts[static_cast<std::size_t>(row.kind)];
    QStringList words;
    const std::array names{tr("%1 same"), tr("%1 with other registers"), tr("%1 changed"), tr("%1 removed"),
                           tr("%1 added")};
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0) words += names[i].arg(counts[i]);
    return words.join(QStringLiteral(", "));
}

std::vector<int> SassModel::rowsOf(Column side, int ptxLine) const {
    std::vector<int> rows;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const SassLine* const line = side == Candidate ? m_rows[i].candidate : m_rows[i].baseline;
        if (line && line->line == ptxLine && ptxLine > 0) rows.push_back(static_cast<int>(i));
    }
    return rows;
}

int SassModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SassModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString SassModel::display(const Row& row, int column) const {
    switch (column) {
    case Baseline: return codeOf(row.baseline);
    case BaselineLine: return lineOf(row.baseline);
    case Mark: return m_compared ? QString::fromUtf8(marks[static_cast<std::size_t>(row.kind)]) : QString();
    case Candidate: return row.title.isEmpty() ? codeOf(row.candidate) : row.title + QLatin1Char(':');
    case CandidateLine: return lineOf(row.candidate);
    case Samples: break;
    default: return {};
    }
    if (!row.candidate || !row.isEntry) return {};
    const auto found = m_samples.find(row.candidate->offset);
    return found == m_samples.end() ? QString() : QStringLiteral("%1 %").arg(found->second, 0, 'f', 1);
}

QString SassModel::tip(const Row& row) const {
    const auto describe = [](const QString& who, const SassLine* line) {
        const QString place = line->line > 0 ? tr("from PTX line %1").arg(line->line) : tr("of no PTX line");
        return tr("%1 at %2, %3: %4")
            .arg(who, QStringLiteral("0x%1").arg(line->offset, 4, 16, QLatin1Char('0')), place, codeOf(line));
    };
    QStringList lines;
    if (row.candidate) lines += describe(tr("candidate"), row.candidate);
    if (row.baseline) lines += describe(tr("baseline"), row.baseline);
    const std::array kinds{QString(), tr("other registers only"), tr("changed"), tr("removed"), tr("added")};
    if (m_compared && row.title.isEmpty() && row.kind != SassRowKind::same)
        lines += kinds[static_cast<std::size_t>(row.kind)];
    return lines.join(QLatin1Char('\n'));
}

QVariant SassModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return display(row, index.column());
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: return row.title.isEmpty() ? tip(row) : row.title;
    case Qt::TextAlignmentRole: {
        const bool isNumber =
            index.column() == BaselineLine || index.column() == CandidateLine || index.column() == Samples;
        const Qt::Alignment side = isNumber                 ? Qt::AlignRight
                                   : index.column() == Mark ? Qt::AlignHCenter
                                                            : Qt::AlignLeft;
        return QVariant::fromValue(side | Qt::AlignVCenter);
    }
    case BaselineLineRole: return row.baseline ? row.baseline->line : 0;
    case CandidateLineRole: return row.candidate ? row.candidate->line : 0;
    case KindRole: return static_cast<int>(row.kind);
    default: return {};
    }
}

QVariant SassModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && (section == Baseline || section == Candidate))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Baseline: return tr("Baseline");
    case BaselineLine:
    case CandidateLine: return tr("PTX");
    case Candidate: return m_compared ? tr("Candidate") : tr("Machine code");
    case Samples: return tr("Samples");
    default: return {};
    }
}

} // namespace ptxwb::ui
