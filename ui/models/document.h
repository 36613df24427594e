// What the window shows and changes: one session, its undo stack, its file. Knows no widget.
// Owned by the main window; read by models and panels, changed by actions and editors.
#pragma once

#include "jobs/latest_job.h"
#include "session/open.h"
#include "session/save.h"
#include "verify/plan.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <QUndoStack>

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ptxwb::ui {

/// Candidates are addressed by id; `session::baselineId` is the baseline, which can be shown, verified and duplicated
/// but not edited, renamed or deleted. Operations on candidates are on `undoStack()`; text has the editor's undo, and a
/// deleted candidate comes back with the text it had.
class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    static QString baselineId(); ///< `session::baselineId`

    const session::Session& session() const { return m_session; }
    QUndoStack* undoStack() { return &m_undo; }

    // Opening and saving. The unsaved-changes question is the window's.
    /// Reads at once; for large files the window calls session::openAny in a LatestJob and then `adopt`.
    Expected<void> open(const QString& path, const QString& examples);
    void adopt(session::Opened opened);
    /// Continues an autosave: the session is dirty, and saving goes to the file it belongs to.
    Expected<void> recover(const QString& autosave);
    /// Errors: never saved (ask for a name), and those of session::save.
    Expected<void> save(session::IfChanged ifChanged = session::IfChanged::refuse);
    Expected<void> saveAs(const QString& file, session::IfChanged ifChanged = session::IfChanged::replace);
    bool isDirty() const;
    QString filePath() const;                                     ///< empty until saved
    QString title() const;                                        ///< "saxpy" or "tuning.ptxwb"
    void setAutosaveInterval(std::chrono::milliseconds interval); ///< 0: never; default 30 s
    /// Writes the autosave if there is something unsaved; for the timer, for a session's end and for tests.
    void autosaveNow();
    /// Autosaves of sessions that were never saved, left by programs that are gone.
    static QStringList orphanedAutosaves();
    /// Removes the autosave: the person chose to discard, or everything is saved.
    void discardAutosave();

    /// Most recent first, from QSettings; files that are gone are left out.
    static QStringList recentFiles();
    static void addRecentFile(const QString& path);
    static void clearRecentFiles();

    /// Reads the spec with its files, or the CUDA source where there is no spec, from disk again. Results about the
    /// kernel as it was become stale. Errors: those of reading, with the session as it was; a kernel that lies inside
    /// the session.
    Expected<void> reloadKernel();

    // Candidates.
    QString current() const { return m_current; }
    void setCurrent(const QString& id);
    /// What stands beside the current candidate: the baseline, unless a person chose another candidate to compare with.
    QString left() const;
    void compareWith(const QString& id);
    const session::Candidate* candidate(const QString& id) const;
    /// A copy of the baseline's text (nothing where there is none), by hand. Returns the id; it becomes current.
    QString newCandidate(const QString& name = {});
    QString duplicateCandidate(const QString& id);
    /// `Show::no`: what is current stays: for candidates that arrive while a person works on another.
    enum class Show : unsigned char { no, yes };
    QString importCandidate(const QString& name, const QString& text, const session::Origin& origin,
                            const QString& parent = {}, Show show = Show::yes);
    /// The reason where the name cannot be had; empty where it was done.
    QString renameCandidate(const QString& id, const QString& name);
    void deleteCandidate(const QString& id);
    /// The editor's text after a change: no undo step, results become stale.
    void setText(const QString& id, const QString& text);
    QString text(const QString& id) const;

    // What a candidate was before. A version is kept before it is verified, saved or replaced.
    void keepVersion(const QString& id, session::VersionReason reason);
    /// Puts that text in place of the present one, which is kept; in the editor it is one step that can be undone.
    void restoreVersion(const QString& id, int version);
    /// Likewise with a text from elsewhere.
    void replaceText(const QString& id, const QString& text);

    // What nvcc and the funnel answered; not undone, and part of what is saved.
    void setBaseline(const QString& ptx);
    /// `report` has one result, whose `sha256` is that of the text that was judged: it may be older than the
    /// candidate's.
    void setResults(const QString& id, const verify::VerifyReport& report);
    session::Freshness freshness(const QString& id) const;
    void setTargets(const QStringList& targets);
    void setReview(const session::Review& review);
    /// A conversation with a model, in place of the one with its id where there is one. Not undone, and part of what is
    /// saved.
    void setConversation(const session::Conversation& conversation);
    void removeConversation(const QString& id);
    const session::Conversation* conversation(const QString& id) const;
    /// Who sits here: becomes an author of every text that is made or changed. Empty: not known.
    void setPerson(const QString& person) { m_person = person.trimmed().toStdString(); }
    /// Tells of it by `reviewChanged`.
    void setAuthors(const QString& id, const std::vector<std::string>& authors);

    /// What F5 sends for a candidate. Errors: no kernel spec is open, no such candidate, nothing to verify.
    Expected<verify::VerifyInput> verifyInput(const QString& id, verify::Plan plan) const;

signals:
    void sessionAboutToBeReplaced();
    void sessionReplaced();
    void candidateAboutToBeInserted(int index); ///< index in session().candidates
    void candidateInserted(int index);
    void candidateAboutToBeRemoved(int index);
    void candidateRemoved(int index);
    void candidateRenamed(const QString& id);
    void textChanged(const QString& id); ///< by setText too: an editor that shows it compares first
    void resultsChanged(const QString& id);
    void historyChanged(const QString& id);
    void currentChanged(const QString& id);
    void leftChanged(); ///< by compareWith; the current candidate may change it too
    void targetsChanged();
    void reviewChanged();
    void conversationsChanged();
    void kernelChanged(); ///< by reloadKernel: source, spec and perhaps the baseline
    void dirtyChanged(bool dirty);
    void fileChanged(const QString& path);
    void autosaveFailed(const QString& message);                    ///< once until one works again
    void notesChanged(const std::vector<ptxwb::Diagnostic>& notes); ///< what opening had to say

private:
    friend class CandidateCommand;
    void insert(int index, session::Candidate candidate);
    session::Candidate take(int index);
    void rename(int index, const std::string& name);
    int indexOf(const QString& id) const; ///< -1 where there is none
    void noteVerdict(session::Candidate& candidate, const verify::CandidateResult& result);
    session::Candidate* writable(const QString& id);
    void addAuthor(session::Candidate& candidate) const;
    QString add(session::Candidate candidate, const QString& verb, Show show = Show::yes);
    void replace(session::Session session, const std::string& current, const std::vector<Diagnostic>& notes);
    Expected<void> saveTo(const QString& file, session::IfChanged ifChanged);
    void rememberSaved();
    void noteTextState(const session::Candidate& candidate);
    void changed();     ///< something that an autosave would hold
    void updateDirty(); ///< tells of a change of `isDirty`
    void autosaveInBackground();
    void afterAutosave(const Expected<void>& written);
    QString autosaveFile() const;

    session::Session m_session;
    std::string m_kernelHash, m_person;
    QUndoStack m_undo;
    QString m_current;
    QString m_comparedWith;                          ///< empty: the baseline
    std::map<std::string, std::string> m_savedTexts; ///< by id, as they are on disk
    std::set<std::string> m_dirtyTexts;              ///< ids whose text differs from the saved one
    bool m_touched = false;                          ///< results, targets, review changed since the save
    bool m_wasDirty = false;
    mutable std::map<std::string, session::Freshness> m_freshness; ///< hashing a text for each cell would be felt

    QTimer m_autosaveTimer;
    QThreadPool m_autosavePool; ///< one thread, waited for before a save
    LatestJob<Expected<void>> m_autosaveJob;
    QString m_unsavedFile; ///< autosave of a session that has no file yet
    bool m_changedSinceAutosave = false;
    bool m_autosaveIsOurs = false; ///< this document wrote it, so it may remove it
    bool m_autosaveFailing = false;
};

} // namespace ptxwb::ui
