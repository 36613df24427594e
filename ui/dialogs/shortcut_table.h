// The actions with their keys, to change them.
// A part of the settings dialog.
#pragma once

#include <QKeySequence>
#include <QString>
#include <QWidget>

#include <vector>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace ptxwb::ui {

struct ShortcutRow {
    QString name; ///< for the settings file: "verify"
    QString text; ///< for a person: "Verify"
    QKeySequence standard, own;
};

/// Two actions with one key are told, and `problem` says which.
class ShortcutTable : public QWidget {
    Q_OBJECT

public:
    explicit ShortcutTable(std::vector<ShortcutRow> rows, QWidget* parent = nullptr);

    const std::vector<ShortcutRow>& rows() const { return m_rows; }
    QString problem() const; ///< empty where every key has one action

    QTreeWidget& tree() { return *m_tree; }
    QKeySequenceEdit& keyField() { return *m_key; }
    QLineEdit& filterField() { return *m_filter; }

signals:
    void changed();

private:
    int currentRow() const;
    void showCurrent();
    void setOwn(const QKeySequence& keys);
    void updateRow(int row);

    std::vector<ShortcutRow> m_rows;
    QLineEdit* m_filter;
    QTreeWidget* m_tree;
    QKeySequenceEdit* m_key;
    QPushButton *m_standard, *m_none;
    QLabel* m_problem;
};

} // namespace ptxwb::ui
