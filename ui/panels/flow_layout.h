// Widgets side by side that go on in a further row where the width ends.
// Used by the stage chips.
#pragma once

#include <QLayout>

#include <vector>

namespace ptxwb::ui {

class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent, int spacing);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { m_items.push_back(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    enum class Apply : bool { no, yes };
    int arrange(const QRect& rect, Apply apply) const;

    std::vector<QLayoutItem*> m_items;
    int m_spacing;
};

} // namespace ptxwb::ui
