#include "editors/elided_label.h"

#include <algorithm>

namespace ptxwb::ui {

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget* parent) : QLabel(parent), m_mode(mode) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text) {
    m_text = text;
    setToolTip(text);
    setAccessibleDescription(text);
    updateGeometry();
    fit();
}

QSize ElidedLabel::sizeHint() const {
    const QMargins around = contentsMargins();
    return {fontMetrics().horizontalAdvance(m_text) + 2 + around.left() + around.right(), fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {std::min(sizeHint().width(), fontMetrics().horizontalAdvance(QStringLiteral("mm\u2026"))),
            fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

void ElidedLabel::fit() {
    setText(fontMetrics().elidedText(m_text, m_mode, contentsRect().width()));
}

} // namespace ptxwb::ui
