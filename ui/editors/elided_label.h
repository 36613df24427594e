// A label that shortens its text with an ellipsis instead of cutting it, and says the whole in its tooltip.
// A part of the strips above the panes.
#pragma once

#include <QLabel>

namespace ptxwb::ui {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(Qt::TextElideMode mode, QWidget* parent = nullptr);

    void setFullText(const QString& text);
    const QString& fullText() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    QString m_text;
    Qt::TextElideMode m_mode;
};

} // namespace ptxwb::ui
