// Opening, saving and closing as a person does it: with the questions that keep work from being lost.
// Made by the main window; the document does the reading and writing.
#pragma once

#include "jobs/latest_job.h"
#include "session/open.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace ptxwb::ui {

class Document;
class NoticeBar;

class SessionFiles : public QObject {
    Q_OBJECT

public:
    /// `flush`: brings what was typed into the document.
    SessionFiles(Document* document, NoticeBar* notices, QWidget* window, std::function<void()> flush);

    /// A path, or the name of an example. Asks about unsaved changes first, reads off the window's thread.
    void open(const QString& pathOrExample);
    void askAndOpen();
    /// False where it was not saved: the person changed their mind, or it failed and was told.
    bool save();
    bool saveAs();
    /// Asks where there are unsaved changes. False: stay.
    bool mayClose();
    void reloadKernel();
    /// Offers what a crash has left.
    void offerRecovery();
    static QStringList examples(); ///< their names
    bool isOpening() const { return m_job.isRunning(); }

signals:
    void opened(const QString& path);
    void failedToOpen(const QString& path);
    void message(const QString& text);

private:
    void deliver(const QString& path, Expected<session::Opened> opened);
    void recover(const QString& autosave);
    bool saveTo(const QString& file);
    void watch();
    void changedOnDisk(const QString& file);
    void takeText(const QString& id, const QString& file);
    QString proposedFile() const;

    Document* m_document;
    NoticeBar* m_notices;
    QWidget* m_window;
    std::function<void()> m_flush;
    QFileSystemWatcher m_watcher;
    LatestJob<Expected<session::Opened>> m_job;
};

} // namespace ptxwb::ui
