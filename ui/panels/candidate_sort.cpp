#include "panels/candidate_sort.h"

#include "models/candidate_model.h"

#include <cmath>

namespace ptxwb::ui {

CandidateSort::CandidateSort(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(CandidateModel::SortRole);
    m_collator.setNumericMode(true);
    m_collator.setCaseSensitivity(Qt::CaseInsensitive);
}

bool CandidateSort::isUnknown(const QModelIndex& index) {
    if (index.column() == CandidateModel::Verdict) return index.data(CandidateModel::VerdictRole).toString().isEmpty();
    const QVariant key = index.data(CandidateModel::SortRole);
    return key.typeId() == QMetaType::QString ? key.toString().isEmpty() : !std::isfinite(key.toDouble());
}

bool CandidateSort::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    // The base class turns the comparison round when descending; what must not turn round is turned back here.
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    const bool leftUnknown = isUnknown(left), rightUnknown = isUnknown(right);
    if (leftUnknown != rightUnknown) return ascending ? rightUnknown : leftUnknown;
    if (!leftUnknown) {
        const QVariant a = left.data(CandidateModel::SortRole), b = right.data(CandidateModel::SortRole);
        if (a.typeId() == QMetaType::QString) {
            if (const int order = m_collator.compare(a.toString(), b.toString()); order != 0) return order < 0;
        } else if (a.toDouble() != b.toDouble()) {
            return a.toDouble() < b.toDouble();
        }
    }
    return ascending ? left.row() < right.row() : left.row() > right.row();
}

} // namespace ptxwb::ui
