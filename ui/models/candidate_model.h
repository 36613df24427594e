// The candidates as a table: verdict with its evidence, what ptxas says, occupancy, time, origin.
// Shown by the candidates panel, through a sort proxy with `SortRole`.
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>

namespace ptxwb::session {
struct Candidate;
}

namespace ptxwb::ui {

class Document;

/// Row 0 is the baseline where the session has one. Stale rows stay and are greyed (ForegroundRole from the palette's
/// disabled text, StaleRole). AccessibleTextRole reads as a sentence: "registers: 32, stale".
class CandidateModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Verdict, Time, Ratio, SameCode, Registers, Spills, Shared, Occupancy, Origin, ColumnCount };
    enum Role {
        IdRole = Qt::UserRole + 1, ///< QString
        SortRole,                  ///< number or text; what is unknown sorts last when ascending
        StaleRole,                 ///< bool
        VerdictRole,               ///< "pass", "fail", "incomplete", "running" or "" (unverified)
    };

    explicit CandidateModel(Document* document, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Renames (EditRole of Name).
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    QString id(int row) const;
    int row(const QString& id) const; ///< -1 where it is not listed

    /// Figures then show the difference to that candidate's too: "32 (+4)". Empty for none.
    void setDeltaAgainst(const QString& id);
    /// The one that is being verified: its verdict reads "verifying". Empty for none.
    void setRunning(const QString& id);
    /// Likewise those that a model has proposed and that are being judged.
    void setProposed(const QStringList& ids);

signals:
    void renameRefused(const QString& reason);

private:
    const session::Candidate* at(int row) const;
    int offset() const;
    bool isRunning(const QString& id) const;
    void rowChanged(const QString& id);
    void allChanged();
    QString toolTip(const session::Candidate& candidate, int column) const;
    QString display(const session::Candidate& candidate, int column) const;
    QVariant sortKey(const session::Candidate& candidate, int column) const;

    Document* m_document;
    QString m_deltaAgainst, m_running;
    QStringList m_proposed;
    int m_offset = 0; ///< 1 where the baseline has a row
};

} // namespace ptxwb::ui
