#include "window/session_files.h"

#include "dialogs/problem_box.h"
#include "kernel/spec.h"
#include "models/document.h"
#include "support/files.h"
#include "support/resources.h"
#include "support/sha256.h"
#include "window/notice_bar.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QTimer>

namespace ptxwb::ui {

namespace {

QString name(const std::filesystem::path& file) {
    return QFile::decodeName(QByteArray::fromStdString(file.string()));
}

std::filesystem::path path(const QString& file) {
    return QFile::encodeName(file).toStdString();
}

constexpr int rewatchMilliseconds = 200;

std::filesystem::path fileOf(const session::Session& session, const session::Candidate& candidate) {
    return session.file.parent_path() / candidate.file;
}

/// A question with named buttons; `false` for the second.
bool ask(QWidget* parent, const QString& text, const QString& more, const QString& yes, const QString& no) {
    QMessageBox box(QMessageBox::Question, QObject::tr("PTX Workbench"), text, QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(more);
    const auto* accepted = box.addButton(yes, QMessageBox::AcceptRole);
    box.addButton(no, QMessageBox::RejectRole);
    box.exec();
    return box.clickedButton() == accepted;
}

} // namespace

SessionFiles::SessionFiles(Document* document, NoticeBar* notices, QWidget* window, std::function<void()> flush)
    : QObject(window), m_document(document), m_notices(notices), m_window(window), m_flush(std::move(flush)) {
    connect(document, &Document::sessionReplaced, this, &SessionFiles::watch);
    connect(document, &Document::kernelChanged, this, &SessionFiles::watch);
    connect(document, &Document::fileChanged, this, &SessionFiles::watch);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &SessionFiles::changedOnDisk);
    connect(document, &Document::autosaveFailed, this, [this](const QString& why) {
        m_notices->say(tr("The autosave could not be written: %1").arg(why), {{tr("Save as…"), [this] { saveAs(); }}});
    });
}

QStringList SessionFiles::examples() {
    return QDir(name(examplesFolder())).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
}

void SessionFiles::open(const QString& pathOrExample) {
    if (!mayClose()) return;
    emit message(tr("Opening %1…").arg(pathOrExample));
    m_job.start([word = QFile::encodeName(pathOrExample).toStdString(),
                 folder = examplesFolder()](std::stop_token) { return session::openAny(word, folder); },
                [this, pathOrExample](Expected<session::Opened> opened) { deliver(pathOrExample, std::move(opened)); });
}

void SessionFiles::deliver(const QString& file, Expected<session::Opened> opened) {
    if (!opened) {
        emit message({});
        emit failedToOpen(file);
        showProblem(m_window, opened.error());
        return;
    }
    if (const auto autosave = session::newerAutosave(opened->session.file); autosave && !opened->session.file.empty()) {
        if (ask(m_window, tr("%1 was not saved the last time.").arg(QFileInfo(file).fileName()),
                tr("There is an autosave that is newer than the file."), tr("&Continue with the autosave"),
                tr("&Open the file as it is")))
            return recover(name(*autosave));
    }
    m_document->adopt(std::move(*opened));
    if (QFileInfo::exists(file)) Document::addRecentFile(file);
    emit message({});
    emit this->opened(file);
}

void SessionFiles::recover(const QString& autosave) {
    if (const auto done = m_document->recover(autosave); !done)
        showProblem(m_window, done.error());
    else
        emit opened(autosave);
}

void SessionFiles::offerRecovery() {
    const QStringList orphans = Document::orphanedAutosaves();
    if (orphans.isEmpty()) return;
    const QString newest = orphans.front();
    m_notices->say(
        tr("A session of %1 was never saved.").arg(QFileInfo(newest).lastModified().toString(tr("d MMM yyyy, hh:mm"))),
        {{tr("Recover"),
          [this, newest] {
              if (mayClose()) recover(newest);
          }},
         {tr("Discard"), [newest] { QFile::remove(newest); }}});
}

void SessionFiles::askAndOpen() {
    const QString folder = m_document->filePath().isEmpty() ? name(m_document->session().specFile.parent_path())
                                                            : QFileInfo(m_document->filePath()).path();
    const QString file = QFileDialog::getOpenFileName(
        m_window, tr("Open"), folder,
        tr("All that can be opened (*.ptxwb *.kernel.json *.cu *.ptx);;Sessions (*.ptxwb);;Kernel specs "
           "(*.kernel.json);;CUDA source (*.cu);;PTX (*.ptx)"));
    if (!file.isEmpty()) open(file);
}

bool SessionFiles::save() {
    m_flush();
    return m_document->filePath().isEmpty() ? saveAs() : saveTo(m_document->filePath());
}

QString SessionFiles::proposedFile() const {
    if (!m_document->filePath().isEmpty()) return m_document->filePath();
    const session::Session& session = m_document->session();
    // Beside the kernel; a bundled example is copied to where a person keeps documents.
    QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    if (session.place == session::KernelPlace::file) folder = name(session.specFile.parent_path());
    if (session.place == session::KernelPlace::none && !session.sourceFile.empty())
        folder = name(session.sourceFile.parent_path());
    if (!QFileInfo(folder).isDir()) folder = QDir::homePath();
    return QStringLiteral("%1/%2.ptxwb").arg(folder, QString::fromStdString(session::title(session)));
}

bool SessionFiles::saveAs() {
    m_flush();
    QString file = QFileDialog::getSaveFileName(m_window, tr("Save session"), proposedFile(), tr("Sessions (*.ptxwb)"));
    if (file.isEmpty()) return false;
    if (!file.endsWith(QLatin1String(".ptxwb"))) file += QLatin1String(".ptxwb");
    return saveTo(file);
}

bool SessionFiles::saveTo(const QString& file) {
    const bool isOther = file != m_document->filePath();
    auto saved = isOther ? m_document->saveAs(file) : m_document->save();
    if (!saved && saved.error().kind == "changed_on_disk") {
        if (!ask(m_window, tr("%1 was changed by another program since it was read.").arg(QFileInfo(file).fileName()),
                 QString::fromStdString(saved.error().message), tr("&Replace it"), tr("&Keep it")))
            return false;
        saved = m_document->saveAs(file, session::IfChanged::replace);
    }
    if (!saved) {
        showProblem(m_window, saved.error());
        return false;
    }
    emit message(tr("Saved %1.").arg(file));
    return true;
}

bool SessionFiles::mayClose() {
    m_flush();
    if (!m_document->isDirty()) return true;
    QMessageBox box(QMessageBox::Warning, tr("PTX Workbench"), tr("%1 has unsaved changes.").arg(m_document->title()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    box.setObjectName(QStringLiteral("unsavedChanges"));
    box.setInformativeText(tr("Candidates, results and the review are lost if you discard them."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save: return save();
    case QMessageBox::Discard: m_document->discardAutosave(); return true;
    default: return false;
    }
}

void SessionFiles::reloadKernel() {
    m_flush();
    if (const auto done = m_document->reloadKernel(); !done)
        showProblem(m_window, done.error());
    else
        emit message(tr("The kernel was read again."));
}

/// The spec and its files, the session and its candidates: a person edits them elsewhere.
void SessionFiles::watch() {
    if (const QStringList before = m_watcher.files(); !before.isEmpty()) m_watcher.removePaths(before);
    const session::Session& session = m_document->session();
    QStringList files;
    if (session.place == session::KernelPlace::file) {
        files += name(session.specFile);
        for (const std::string& each : kernel::namedFiles(session.kernel.spec))
            files += name(session.specFile.parent_path() / path(QString::fromStdString(each)));
    } else if (session.place == session::KernelPlace::none && !session.sourceFile.empty()) {
        files += name(session.sourceFile);
    }
    if (!session.file.empty()) {
        files += name(session.file);
        for (const session::Candidate& candidate : session.candidates)
            if (!candidate.file.empty()) files += name(fileOf(session, candidate));
    }
    if (!files.isEmpty()) m_watcher.addPaths(files);
}

void SessionFiles::changedOnDisk(const QString& file) {
    // Who replaces a file in one step takes the watched one away with it; the new one may come a moment later.
    if (!m_watcher.files().contains(file))
        QTimer::singleShot(rewatchMilliseconds, this, [this, file] {
            if (QFileInfo::exists(file) && !m_watcher.files().contains(file)) m_watcher.addPath(file);
        });
    const session::Session& session = m_document->session();
    const QString shown = QFileInfo(file).fileName();
    if (!session.file.empty() && file == name(session.file)) {
        const auto content = readFile(session.file);
        if (!content || sha256Hex(*content) == session.fileSha256) return; // our own save
        m_notices->say(tr("%1 has changed on disk. What is open here is the session as it was.").arg(shown),
                       {{tr("Open it again"), [this, file] { open(file); }}});
        return;
    }
    for (const session::Candidate& candidate : session.candidates) {
        if (session.file.empty() || candidate.file.empty() || file != name(fileOf(session, candidate))) continue;
        const auto content = readFile(fileOf(session, candidate));
        if (!content || *content == candidate.text) return; // our own save, or the same
        const QString id = QString::fromStdString(candidate.id);
        m_notices->say(tr("%1 has changed on disk.").arg(shown),
                       {{tr("Take its text"), [this, id, file] { takeText(id, file); }}});
        return;
    }
    m_notices->say(tr("%1 has changed on disk.").arg(shown), {{tr("Reload kernel"), [this] { reloadKernel(); }}});
}

/// What was here before stays in the candidate's history.
void SessionFiles::takeText(const QString& id, const QString& file) {
    m_flush();
    const auto content = readFile(path(file));
    if (!content) return showProblem(m_window, content.error());
    m_document->replaceText(id, QString::fromStdString(*content));
}

} // namespace ptxwb::ui
