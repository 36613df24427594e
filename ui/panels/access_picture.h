// Which lanes touch which sectors or banks with the instruction that comes next.
// Used by the warp panel.
#pragma once

#include "models/access_grid.h"
#include "theme/theme.h"

#include <QAbstractScrollArea>

namespace ptxwb::ui {

class AccessPicture : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit AccessPicture(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// `reason`: said where there is no grid.
    void setGrids(std::vector<AccessGrid> grids, const QString& reason);
    const std::vector<AccessGrid>& grids() const { return m_grids; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Measures {
        int line = 0, label = 0, cell = 0;
    };
    Measures measuresOf(const AccessGrid& grid) const;
    QString tipAt(QPoint position) const;
    void fit();

    Theme m_theme;
    std::vector<AccessGrid> m_grids;
    QString m_reason;
};

} // namespace ptxwb::ui
