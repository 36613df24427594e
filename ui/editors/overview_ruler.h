// A narrow strip beside the candidate: where in the whole comparison the changes are; a click goes there.
// A part of the comparison view.
#pragma once

#include <QColor>
#include <QWidget>

#include <vector>

namespace ptxwb::ui {

struct Theme;

class OverviewRuler : public QWidget {
    Q_OBJECT
public:
    enum class Kind : unsigned char { added, removed, changed, moved };
    struct Mark {
        int row = 0, count = 1;
        Kind kind = Kind::changed;
    };

    explicit OverviewRuler(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setMarks(std::vector<Mark> marks, int rows);
    void setView(int firstRow, int rowCount);
    QSize sizeHint() const override { return {14, 0}; }

signals:
    void rowWanted(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    double yOf(int row) const;

    std::vector<Mark> m_marks;
    int m_rows = 0, m_firstRow = 0, m_shownRows = 0;
    QColor m_paper, m_border, m_added, m_removed, m_moved;
};

} // namespace ptxwb::ui
