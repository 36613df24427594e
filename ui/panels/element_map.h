// Where the wrong elements of an output lie: a picture of it, cell by cell.
// A part of the heat map.
#pragma once

#include "verify/replay.h"

#include <QWidget>

namespace ptxwb::ui {

/// Blue where all is right; orange, with a square that grows with the share, where elements are wrong. The arrow keys
/// go from cell to cell, Home to the first wrong one; what a cell holds is a sentence beside the picture, in its
/// tooltip and in its accessible description.
class ElementMap : public QWidget {
    Q_OBJECT

public:
    explicit ElementMap(QWidget* parent = nullptr);

    void setMap(const verify::OutputMap& map);
    void clear();
    const verify::OutputMap& map() const { return m_map; }
    int current() const { return m_current; } ///< cell, row by row; -1 for none
    /// "y[32] to y[63]: 1 of 32 elements wrong"
    QString cellText(int cell) const;

    QSize sizeHint() const override { return {260, 160}; }
    QSize minimumSizeHint() const override { return {80, 60}; }

signals:
    void currentChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF rectOf(int cell) const;
    int cellAt(const QPointF& point) const;
    void setCurrent(int cell);
    int firstWrong() const;

    verify::OutputMap m_map;
    int m_current = -1;
};

} // namespace ptxwb::ui
