// What ptxas says, a row for each figure, a column for each target and entry, the baseline's beside it.
// Used by the resources panel.
#pragma once

#include "panels/resource_figures.h"

#include <QTableWidget>

namespace ptxwb::ui {

/// As high as its rows: the panel around it scrolls.
class ResourceTable : public QTableWidget {
    Q_OBJECT

public:
    explicit ResourceTable(QWidget* parent = nullptr);

    void setColumns(const std::vector<ResourceColumn>& columns, session::Freshness freshness);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addColumn(const QString& title, const QStringList& texts, const QString& who, session::Freshness freshness);
    void copy() const;
    void fitHeight();
};

} // namespace ptxwb::ui
