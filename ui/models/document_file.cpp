// Document's file: opening, saving, autosave, recent files.
#include "models/document.h"

#include "kernel/spec_load.h"
#include "support/files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <cerrno>
#include <csignal>

namespace ptxwb::ui {

namespace {

constexpr int mostRecent = 12;
const QString baseline = Document::baselineId();
const QString recentKey = QStringLiteral("recentFiles");
const QString unsavedPattern = QStringLiteral("unsaved-%1-%2.ptxwb~");

std::filesystem::path path(const QString& file) {
    return QFile::encodeName(file).toStdString();
}
QString fileName(const std::filesystem::path& file) {
    return QFile::decodeName(QByteArray::fromStdString(file.string()));
}

QString unsavedFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/unsaved");
}

bool isAlive(qint64 process) {
    return ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
}

} // namespace

Expected<void> Document::open(const QString& file, const QString& examples) {
    auto opened = session::openAny(QFile::encodeName(file).toStdString(), path(examples));
    if (!opened) return std::unexpected(std::move(opened.error()));
    adopt(std::move(*opened));
    if (QFileInfo::exists(file)) addRecentFile(file);
    return {};
}

void Document::adopt(session::Opened opened) {
    replace(std::move(opened.session), opened.current, opened.notes);
}

Expected<void> Document::recover(const QString& autosave) {
    auto loaded = session::loadAutosave(path(autosave));
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    const std::string first =
        loaded->session.candidates.empty() ? std::string(session::baselineId) : loaded->session.candidates.front().id;
    replace(std::move(loaded->session), first, loaded->notes);
    m_touched = true;
    if (filePath().isEmpty()) m_unsavedFile = autosave;
    m_changedSinceAutosave = true;
    updateDirty();
    // Opening has removed the one of the session before, which may have been this very file.
    autosaveNow();
    return {};
}

Expected<void> Document::save(session::IfChanged ifChanged) {
    if (filePath().isEmpty())
        return failure(Cause::badRequest, "This session has no file yet.", "Choose a name with Save as.");
    return saveTo(filePath(), ifChanged);
}

Expected<void> Document::saveAs(const QString& file, session::IfChanged ifChanged) {
    return saveTo(file, ifChanged);
}

Expected<void> Document::saveTo(const QString& file, session::IfChanged ifChanged) {
    // One that is being written would appear after the save and look like newer work.
    m_autosaveTimer.stop();
    m_autosaveJob.cancel();
    m_autosavePool.waitForDone();
    const QString autosaved = autosaveFile();
    for (const std::string& id : m_dirtyTexts) keepVersion(QString::fromStdString(id), session::VersionReason::saved);
    if (auto saved = session::save(m_session, path(file), ifChanged); !saved) {
        m_changedSinceAutosave = true;
        m_autosaveTimer.start();
        return saved;
    }
    if (!autosaved.isEmpty()) QFile::remove(autosaved);
    m_unsavedFile.clear();
    m_autosaveIsOurs = false;
    // A copied example is the same kernel at another place, with its candidates left to the session.
    m_kernelHash = session::kernelHash(m_session);
    m_touched = false;
    m_changedSinceAutosave = false;
    rememberSaved();
    m_undo.setClean();
    addRecentFile(filePath());
    emit fileChanged(filePath());
    updateDirty();
    return {};
}

Expected<void> Document::reloadKernel() {
    const session::KernelPlace place = m_session.place;
    if (place == session::KernelPlace::inlined)
        return failure(Cause::badRequest, "The kernel lies inside the session file, so there is nothing to read again.",
                       "Open the session again if another program changed it.");
    if (place == session::KernelPlace::none) {
        auto source = readFile(m_session.sourceFile);
        if (!source) return std::unexpected(std::move(source.error()));
        m_session.source = std::move(*source);
    } else {
        auto kernel = kernel::orFirstError(kernel::loadKernel(m_session.specFile));
        if (!kernel) return std::unexpected(std::move(kernel.error()));
        session::takeKernel(m_session, std::move(*kernel));
    }
    m_kernelHash = session::kernelHash(m_session);
    m_freshness.clear();
    m_touched = true;
    emit kernelChanged();
    emit textChanged(baseline);
    emit resultsChanged(baseline);
    for (const session::Candidate& candidate : m_session.candidates)
        emit resultsChanged(QString::fromStdString(candidate.id));
    changed();
    return {};
}

bool Document::isDirty() const {
    return m_touched || !m_dirtyTexts.empty() || !m_undo.isClean();
}

QString Document::filePath() const {
    return fileName(m_session.file);
}

QString Document::title() const {
    return m_session.file.empty() ? QString::fromStdString(session::title(m_session))
                                  : QFileInfo(filePath()).fileName();
}

void Document::rememberSaved() {
    m_savedTexts.clear();
    m_dirtyTexts.clear();
    for (const session::Candidate& candidate : m_session.candidates) m_savedTexts[candidate.id] = candidate.text;
}

void Document::noteTextState(const session::Candidate& candidate) {
    const auto saved = m_savedTexts.find(candidate.id);
    // One that was never saved is on the undo stack, which is then not clean.
    if (saved == m_savedTexts.end() || saved->second == candidate.text)
        m_dirtyTexts.erase(candidate.id);
    else
        m_dirtyTexts.insert(candidate.id);
}

void Document::changed() {
    m_changedSinceAutosave = true;
    if (isDirty() && !m_autosaveTimer.isActive() && m_autosaveTimer.interval() > 0) m_autosaveTimer.start();
    updateDirty();
}

void Document::updateDirty() {
    if (isDirty() == m_wasDirty) return;
    m_wasDirty = !m_wasDirty;
    // Everything was undone: an autosave would only ask a needless question at the next start.
    if (!m_wasDirty && m_autosaveIsOurs) discardAutosave();
    emit dirtyChanged(m_wasDirty);
}

void Document::setAutosaveInterval(std::chrono::milliseconds interval) {
    m_autosaveTimer.setInterval(interval);
    if (interval.count() == 0)
        m_autosaveTimer.stop();
    else if (m_changedSinceAutosave && isDirty())
        m_autosaveTimer.start();
}

QString Document::autosaveFile() const {
    if (!m_session.file.empty()) return fileName(session::autosavePath(m_session.file));
    return m_unsavedFile;
}

void Document::autosaveInBackground() {
    if (!isDirty() || !m_changedSinceAutosave) return;
    if (m_session.file.empty() && m_unsavedFile.isEmpty()) {
        static int number = 0;
        m_unsavedFile = unsavedFolder() + '/' + unsavedPattern.arg(QCoreApplication::applicationPid()).arg(++number);
    }
    m_changedSinceAutosave = false;
    m_autosaveIsOurs = true;
    // A copy: the person goes on typing.
    m_autosaveJob.start([session = m_session, file = path(autosaveFile())](
                            std::stop_token) { return session::writeAutosave(session, file); },
                        [this](Expected<void> written) { afterAutosave(written); });
}

void Document::afterAutosave(const Expected<void>& written) {
    if (written) {
        m_autosaveFailing = false;
        return;
    }
    m_changedSinceAutosave = true;
    if (m_autosaveTimer.interval() > 0) m_autosaveTimer.start();
    if (!m_autosaveFailing) emit autosaveFailed(QString::fromStdString(written.error().message));
    m_autosaveFailing = true;
}

void Document::autosaveNow() {
    m_autosaveTimer.stop();
    autosaveInBackground();
    m_autosavePool.waitForDone();
}

QStringList Document::orphanedAutosaves() {
    QStringList orphans;
    const QDir folder(unsavedFolder());
    for (const QString& name : folder.entryList({unsavedPattern.arg('*').arg('*')}, QDir::Files, QDir::Time))
        if (!isAlive(name.section('-', 1, 1).toLongLong())) orphans += folder.filePath(name);
    return orphans;
}

void Document::discardAutosave() {
    m_autosaveTimer.stop();
    m_autosaveJob.cancel();
    m_autosavePool.waitForDone();
    if (!autosaveFile().isEmpty()) QFile::remove(autosaveFile());
    m_autosaveIsOurs = false;
    m_changedSinceAutosave = false;
}

QStringList Document::recentFiles() {
    QStringList files = QSettings().value(recentKey).toStringList();
    files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
    return files;
}

void Document::addRecentFile(const QString& file) {
    const QString absolute = QFileInfo(file).absoluteFilePath();
    QStringList files = QSettings().value(recentKey).toStringList();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(recentKey, files.mid(0, mostRecent));
}

void Document::clearRecentFiles() {
    QSettings().remove(recentKey);
}

} // namespace ptxwb::ui
