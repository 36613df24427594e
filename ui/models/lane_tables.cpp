#include "models/lane_tables.h"

#include <QSize>

#include <algorithm>
#include <map>

namespace ptxwb::ui {

using emulator::RecordedSpace;

namespace {

constexpr std::uint32_t banks = 32, bankBytes = 4, rowBytes = banks * bankBytes;

QString threadText(const Index3& thread) {
    return QStringLiteral("%1, %2, %3").arg(thread[0]).arg(thread[1]).arg(thread[2]);
}

QString laneNumbers(std::uint32_t lanes) {
    QStringList numbers;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1) numbers += QString::number(lane);
    return numbers.join(QStringLiteral(", "));
}

} // namespace

RegisterTable::RegisterTable(WarpReplay* replay, QObject* parent) : QAbstractTableModel(parent), m_replay(replay) {
    connect(replay, &WarpReplay::warpChanged, this, &RegisterTable::fill);
    connect(replay, &WarpReplay::moved, this, &RegisterTable::moved);
}

std::vector<std::uint32_t> RegisterTable::wantedRows() const {
    std::vector<std::uint32_t> rows;
    if (m_replay->steps() == 0) return rows;
    const RecordedWarp::Place* const place = m_replay->place();
    if (m_shown != Rows::all && place) {
        rows = place->mentioned;
        if (m_shown == Rows::live) {
            rows.insert(rows.end(), place->live.begin(), place->live.end());
            std::ranges::sort(rows);
            rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        }
        return rows;
    }
    for (std::uint32_t i = 0; i < m_replay->function().registers.size(); ++i) rows.push_back(i);
    return rows;
}

void RegisterTable::fill() {
    beginResetModel();
    m_cachedRow = -1;
    m_rows = wantedRows();
    m_function = m_replay->isEmpty() ? nullptr : &m_replay->function();
    endResetModel();
}

void RegisterTable::moved() {
    m_cachedRow = -1;
    if (m_function != &m_replay->function()) return fill(); // a call
    if (m_shown != Rows::all && wantedRows() != m_rows) return fill();
    if (m_rows.empty()) return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void RegisterTable::setFormat(WordFormat format) {
    if (format == m_format) return;
    m_format = format;
    fill();
}

void RegisterTable::setRows(Rows rows) {
    if (rows == m_shown) return;
    m_shown = rows;
    fill();
}

int RegisterTable::rowOf(const QString& name) const {
    if (!m_function) return -1;
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (m_function->registers[m_rows[row]].name == name.toStdString()) return int(row);
    return -1;
}

int RegisterTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

int RegisterTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 32;
}

QVariant RegisterTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_function) return {};
    const std::uint32_t number = m_rows[std::size_t(index.row())];
    if (m_cachedRow != index.row()) {
        m_cachedRow = index.row();
        m_cached = m_replay->value(number);
        m_cachedChanges = m_replay->changedLanes(number);
    }
    const auto lane = static_cast<unsigned>(index.column());
    const emulator::RecordedRegister& reg = m_function->registers[number];
    switch (role) {
    case Qt::DisplayRole: return wordText(m_cached.lanes[lane], reg.type, reg.bytes, m_format);
    case Qt::TextAlignmentRole: return int(Qt::AlignRight | Qt::AlignVCenter);
    case ChangedRole: return (m_cachedChanges >> lane & 1) != 0;
    case ActiveRole: return m_replay->lane(lane) == LaneState::executes;
    case Qt::ToolTipRole: {
        QStringList lines{tr("%1 (.%2), lane %3, thread %4")
                              .arg(QString::fromStdString(reg.name), QString::fromStdString(reg.type))
                              .arg(lane)
                              .arg(threadText(m_replay->threadOf(lane)))};
        for (const WordFormat format : wordFormats)
            if (format != WordFormat::byType && reg.bytes != 0)
                lines += QStringLiteral("%1: %2").arg(title(format),
                                                      wordText(m_cached.lanes[lane], reg.type, reg.bytes, format));
        for (const emulator::RegisterChange& change : m_replay->registerChanges())
            if (change.number == number && m_cachedChanges >> lane & 1)
                lines += tr("changed by the last step, before: %1")
                             .arg(wordText(change.before.lanes[lane], reg.type, reg.bytes, m_format));
        return lines.join(QLatin1Char('\n'));
    }
    case Qt::AccessibleTextRole:
        return m_cachedChanges >> lane & 1
                   ? tr("%1, changed").arg(wordText(m_cached.lanes[lane], reg.type, reg.bytes, m_format))
                   : QVariant();
    default: return {};
    }
}

QVariant RegisterTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (!m_function) return {};
    if (orientation == Qt::Vertical) {
        const emulator::RecordedRegister& reg = m_function->registers[m_rows[std::size_t(section)]];
        if (role == Qt::DisplayRole)
            return QStringLiteral("%1 .%2").arg(QString::fromStdString(reg.name), QString::fromStdString(reg.type));
        return {};
    }
    const LaneState state = m_replay->lane(static_cast<unsigned>(section));
    switch (role) {
    case Qt::DisplayRole: return QStringLiteral("%1\n%2").arg(section).arg(glyph(state));
    case StateRole: return int(state);
    case Qt::ToolTipRole:
        return tr("Lane %1, thread %2: %3")
            .arg(section)
            .arg(threadText(m_replay->threadOf(static_cast<unsigned>(section))), words(state));
    default: return {};
    }
}

SharedTable::SharedTable(WarpReplay* replay, QObject* parent) : QAbstractTableModel(parent), m_replay(replay) {
    connect(replay, &WarpReplay::warpChanged, this, [this] {
        beginResetModel();
        look();
        endResetModel();
    });
    connect(replay, &WarpReplay::moved, this, &SharedTable::moved);
}

void SharedTable::setFormat(WordFormat format) {
    beginResetModel();
    m_format = format;
    endResetModel();
}

/// The words of the next access and of the last step's changes.
void SharedTable::look() {
    m_touched.clear();
    m_changed.clear();
    m_touchedRows.clear();
    m_bankWords.fill(0);
    if (m_replay->isEmpty()) return;
    std::map<std::uint32_t, std::uint32_t> lanes;
    for (const emulator::StepAccess& access : m_replay->accesses()) {
        if (access.space != RecordedSpace::shared) continue;
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!(access.lanes >> lane & 1)) continue;
            const std::uint64_t last = access.at[lane] + access.bytes - 1;
            if (last >= m_replay->sharedBytes() || last < access.at[lane]) continue; // out of bounds
            for (std::uint64_t word = access.at[lane] / bankBytes; word <= last / bankBytes; ++word)
                lanes[static_cast<std::uint32_t>(word)] |= 1U << lane;
        }
    }
    m_touched.assign(lanes.begin(), lanes.end());
    for (const auto& [word, those] : m_touched) {
        ++m_bankWords[word % banks];
        const int row = static_cast<int>(word / banks);
        if (m_touchedRows.empty() || m_touchedRows.back() != row) m_touchedRows.push_back(row);
    }
    for (const emulator::MemoryChange& change : m_replay->memoryChanges())
        if (change.space == RecordedSpace::shared)
            m_changed.push_back(static_cast<std::uint32_t>(change.address / bankBytes));
    std::ranges::sort(m_changed);
}

void SharedTable::moved() {
    look();
    if (rowCount() == 0) return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

std::uint32_t SharedTable::lanesAt(std::uint32_t word) const {
    const auto it = std::ranges::lower_bound(m_touched, word, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
    return it != m_touched.end() && it->first == word ? it->second : 0;
}

bool SharedTable::isChanged(std::uint32_t word) const {
    return std::ranges::binary_search(m_changed, word);
}

int SharedTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int((m_replay->sharedBytes() + rowBytes - 1) / rowBytes);
}

int SharedTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(banks);
}

QVariant SharedTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || m_replay->isEmpty()) return {};
    const auto word = static_cast<std::uint32_t>(index.row()) * banks + static_cast<std::uint32_t>(index.column());
    const auto text = [&] {
        const auto bytes =
            m_replay->stepper().memory(RecordedSpace::shared, std::uint64_t{word} * bankBytes, bankBytes);
        std::uint32_t bits = 0;
        for (std::uint32_t i = 0; i < bankBytes; ++i) {
            if (!bytes[i]) return QString();
            bits |= std::uint32_t{*bytes[i]} << (8 * i);
        }
        return wordText(bits, "b32", bankBytes, m_format);
    };
    switch (role) {
    case Qt::DisplayRole: return text();
    case Qt::TextAlignmentRole: return int(Qt::AlignRight | Qt::AlignVCenter);
    case ChangedRole: return isChanged(word);
    case ActiveRole: return lanesAt(word) != 0;
    case StateRole: return m_bankWords[word % banks];
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        QStringList lines{tr("shared byte %1, bank %2: %3").arg(word * bankBytes).arg(word % banks).arg(text())};
        if (const std::uint32_t lanes = lanesAt(word))
            lines += tr("the next instruction touches it, by lanes %1").arg(laneNumbers(lanes));
        if (isChanged(word)) lines += tr("changed by the last step");
        return lines.join(QLatin1Char('\n'));
    }
    default: return {};
    }
}

QVariant SharedTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(QString::number(section * int(rowBytes))) : QVariant();
    const int words = m_bankWords[std::size_t(section)];
    if (role == Qt::DisplayRole)
        return QStringLiteral("%1\n%2").arg(section).arg(words > 1 ? QStringLiteral("\u00D7%1").arg(words)
                                                         : words   ? QStringLiteral("\u25CF")
                                                                   : QString());
    if (role == StateRole) return words;
    if (role == Qt::ToolTipRole)
        return words > 1 ? tr("Bank %1: the next instruction touches %2 different words of it").arg(section).arg(words)
                         : tr("Bank %1").arg(section);
    return {};
}

} // namespace ptxwb::ui
