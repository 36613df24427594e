#include "window/dropping.h"

#include "models/document.h"
#include "window/candidate_operations.h"
#include "window/session_files.h"

#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

#include <algorithm>

namespace ptxwb::ui {

Dropping::Dropping(Document* document, SessionFiles* files, CandidateOperations* operations, QWidget* window)
    : QObject(window), m_document(document), m_files(files), m_operations(operations) {
    window->setAcceptDrops(true);
    window->installEventFilter(this);
}

bool Dropping::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::DragEnter) {
        auto* entered = static_cast<QDragEnterEvent*>(event);
        if (std::ranges::any_of(entered->mimeData()->urls(), &QUrl::isLocalFile)) entered->acceptProposedAction();
        return true;
    }
    if (event->type() == QEvent::Drop) {
        take(*static_cast<QDropEvent*>(event)->mimeData());
        return true;
    }
    return QObject::eventFilter(watched, event);
}

void Dropping::take(const QMimeData& dropped) {
    QStringList candidates;
    for (const QUrl& url : dropped.urls()) {
        if (!url.isLocalFile()) continue;
        const QString file = url.toLocalFile();
        if (!file.endsWith(QLatin1String(".ptx")) || !m_document->session().hasKernel()) return m_files->open(file);
        candidates += file;
    }
    m_operations->import(candidates);
}

} // namespace ptxwb::ui
