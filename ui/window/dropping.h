// Files that are dropped on the window: PTX becomes a candidate of the kernel that is open, everything else is opened.
// Made by the main window.
#pragma once

#include <QObject>

class QMimeData;

namespace ptxwb::ui {

class CandidateOperations;
class Document;
class SessionFiles;

class Dropping : public QObject {
    Q_OBJECT

public:
    Dropping(Document* document, SessionFiles* files, CandidateOperations* operations, QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void take(const QMimeData& dropped);

    Document* m_document;
    SessionFiles* m_files;
    CandidateOperations* m_operations;
};

} // namespace ptxwb::ui
