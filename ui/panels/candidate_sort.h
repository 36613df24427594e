// The order of the candidates' table: by figures or by text, what is not known at the end whichever way round.
// Used by the candidates panel.
#pragma once

#include <QCollator>
#include <QSortFilterProxyModel>

namespace ptxwb::ui {

/// Equal ones stay in the session's order in both directions.
class CandidateSort : public QSortFilterProxyModel {
public:
    explicit CandidateSort(QObject* parent = nullptr);

    /// Whether a cell holds nothing that could be compared: no figure, no verdict, no text.
    static bool isUnknown(const QModelIndex& index);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QCollator m_collator; ///< "c9" before "c10"
};

} // namespace ptxwb::ui
