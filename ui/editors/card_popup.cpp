#include "editors/card_popup.h"

#include <QKeyEvent>
#include <QScreen>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb::ui {

namespace {
constexpr int cardWidth = 560, mostHeight = 420; ///< pixels
}

CardPopup::CardPopup(QWidget* parent) : QFrame(parent, Qt::Popup), m_browser(new QTextBrowser) {
    setFrameShape(QFrame::Box);
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setOpenLinks(false);
    m_browser->setAccessibleName(tr("Instruction card"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 4);
    column->addWidget(m_browser);
    setFocusProxy(m_browser);
    connect(m_browser, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.scheme() != QLatin1String("line")) return;
        hide();
        emit lineWanted(url.path().toInt());
    });
}

void CardPopup::showAt(QPoint place, const QString& html) {
    m_browser->setHtml(html);
    m_browser->document()->setTextWidth(cardWidth - 12);
    const int height = std::min(mostHeight, int(m_browser->document()->size().height()) + 20);
    resize(cardWidth, height);
    if (const QScreen* screen = parentWidget()->screen()) {
        const QRect room = screen->availableGeometry();
        place.setX(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - cardWidth)));
        place.setY(std::clamp(place.y(), room.top(), std::max(room.top(), room.bottom() - height)));
    }
    move(place);
    show();
    m_browser->setFocus();
}

QString CardPopup::text() const {
    return m_browser->toPlainText();
}

void CardPopup::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_F1) return hide();
    QFrame::keyPressEvent(event);
}

} // namespace ptxwb::ui
