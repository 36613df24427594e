#include "models/document.h"

#include "models/candidate_commands.h"
#include "models/shown_kernel.h"
#include "review/people.h"
#include "support/sha256.h"

#include <QDateTime>

#include <algorithm>

namespace ptxwb::ui {

namespace {

QString asQString(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

std::string now() {
    return QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
}

const QString baseline = Document::baselineId();

} // namespace

QString Document::baselineId() {
    return QString::fromLatin1(session::baselineId.data(), qsizetype(session::baselineId.size()));
}

Document::Document(QObject* parent) : QObject(parent), m_autosaveJob(&m_autosavePool) {
    m_session.baseline.id = session::baselineId;
    m_autosavePool.setMaxThreadCount(1);
    m_autosaveTimer.setInterval(std::chrono::seconds(30));
    m_autosaveTimer.setSingleShot(true);
    connect(&m_autosaveTimer, &QTimer::timeout, this, &Document::autosaveInBackground);
    connect(&m_undo, &QUndoStack::indexChanged, this, &Document::changed);
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::updateDirty);
}

Document::~Document() {
    // The stack's last signals must not reach a document that is half gone.
    m_undo.disconnect(this);
}

void Document::replace(session::Session session, const std::string& current, const std::vector<Diagnostic>& notes) {
    if (m_autosaveIsOurs) discardAutosave();
    emit sessionAboutToBeReplaced();
    m_session = std::move(session);
    m_kernelHash = session::kernelHash(m_session);
    m_unsavedFile.clear();
    m_touched = false;
    m_freshness.clear();
    rememberSaved();
    m_undo.clear();
    m_comparedWith.clear();
    m_current = candidate(asQString(current)) ? asQString(current) : baseline;
    emit sessionReplaced();
    emit currentChanged(m_current);
    emit fileChanged(filePath());
    emit notesChanged(notes);
    m_changedSinceAutosave = false;
    updateDirty();
}

void Document::setCurrent(const QString& id) {
    if (id == m_current || (id != baseline && !candidate(id))) return;
    m_current = id;
    emit currentChanged(m_current);
}

QString Document::left() const {
    const bool isOther = m_current != baseline && m_comparedWith != m_current && candidate(m_comparedWith);
    return isOther ? m_comparedWith : baseline;
}

void Document::compareWith(const QString& id) {
    const QString before = left();
    m_comparedWith = id == baseline ? QString() : id;
    if (left() != before) emit leftChanged();
}

const session::Candidate* Document::candidate(const QString& id) const {
    return session::find(m_session, id.toStdString());
}

session::Candidate* Document::writable(const QString& id) {
    return session::find(m_session, id.toStdString());
}

int Document::indexOf(const QString& id) const {
    const auto found = std::ranges::find(m_session.candidates, id.toStdString(), &session::Candidate::id);
    return found == m_session.candidates.end() ? -1 : static_cast<int>(found - m_session.candidates.begin());
}

void Document::addAuthor(session::Candidate& candidate) const {
    if (!m_person.empty() && !review::isAmong(m_person, candidate.authors)) candidate.authors.push_back(m_person);
}

QString Document::add(session::Candidate candidate, const QString& verb, Show show) {
    candidate.id = session::newId(m_session);
    candidate.name = session::freeName(m_session, candidate.name);
    if (candidate.origin.time.empty()) candidate.origin.time = now();
    addAuthor(candidate);
    const QString id = asQString(candidate.id), name = asQString(candidate.name);
    const int parent = indexOf(asQString(candidate.parent));
    // A child stands below what it was made from, where one looks for it.
    const int index = parent < 0 ? static_cast<int>(m_session.candidates.size()) : parent + 1;
    m_undo.push(
        new InsertCandidate(this, index, std::move(candidate), QStringLiteral("%1 “%2”").arg(verb, name), show));
    return id;
}

QString Document::newCandidate(const QString& name) {
    session::Candidate candidate;
    candidate.name = name.toStdString();
    candidate.text = m_session.baseline.text;
    if (!candidate.text.empty()) candidate.parent = session::baselineId;
    return add(std::move(candidate), tr("New"));
}

QString Document::duplicateCandidate(const QString& id) {
    const session::Candidate* original = candidate(id);
    if (!original) return {};
    session::Candidate copy;
    copy.parent = original->id;
    copy.name = original->id == session::baselineId ? "candidate" : original->name;
    copy.text = original->text;
    // The same text of the same kernel has the same verdict.
    if (original->id != session::baselineId) {
        copy.judgement = original->judgement;
        copy.otherJudgements = original->otherJudgements;
        copy.authors = original->authors;
    }
    return add(std::move(copy), tr("Duplicate"));
}

QString Document::importCandidate(const QString& name, const QString& ptx, const session::Origin& origin,
                                  const QString& parent, Show show) {
    session::Candidate candidate;
    candidate.name = name.toStdString();
    candidate.text = ptx.toStdString();
    candidate.origin = origin;
    candidate.parent = parent.toStdString();
    return add(std::move(candidate), origin.kind == session::OriginKind::model ? tr("Apply") : tr("Import"), show);
}

QString Document::renameCandidate(const QString& id, const QString& name) {
    const int index = indexOf(id);
    if (index < 0) return tr("Only a candidate can be renamed.");
    const std::string wanted = name.trimmed().toStdString();
    const auto& old = m_session.candidates.at(static_cast<std::size_t>(index)).name;
    if (wanted == old) return {};
    if (const auto problem = session::nameProblem(m_session, wanted, id.toStdString()); !problem.empty())
        return asQString(problem);
    m_undo.push(new RenameCandidate(this, index, wanted, tr("Rename “%1”").arg(asQString(old))));
    return {};
}

void Document::deleteCandidate(const QString& id) {
    const int index = indexOf(id);
    if (index < 0) return;
    m_undo.push(new DeleteCandidate(this, index, tr("Delete “%1”").arg(asQString(candidate(id)->name))));
}

void Document::insert(int index, session::Candidate candidate) {
    emit candidateAboutToBeInserted(index);
    m_freshness.erase(candidate.id);
    noteTextState(*m_session.candidates.insert(m_session.candidates.begin() + index, std::move(candidate)));
    emit candidateInserted(index);
}

session::Candidate Document::take(int index) {
    const auto at = m_session.candidates.begin() + index;
    if (asQString(at->id) == m_current) {
        // The neighbour takes its place before it goes, so that nobody shows what is no more.
        const auto next = at + 1 != m_session.candidates.end() ? at + 1
                          : at != m_session.candidates.begin() ? at - 1
                                                               : at;
        setCurrent(next == at ? baseline : asQString(next->id));
    }
    emit candidateAboutToBeRemoved(index);
    session::Candidate taken = std::move(*at);
    m_session.candidates.erase(at);
    m_dirtyTexts.erase(taken.id);
    emit candidateRemoved(index);
    if (asQString(taken.id) == m_comparedWith) {
        m_comparedWith.clear();
        emit leftChanged();
    }
    return taken;
}

void Document::rename(int index, const std::string& name) {
    auto& candidate = m_session.candidates.at(static_cast<std::size_t>(index));
    candidate.name = name;
    emit candidateRenamed(asQString(candidate.id));
}

void Document::setText(const QString& id, const QString& ptx) {
    const int index = indexOf(id);
    if (index < 0) return;
    session::Candidate& candidate = m_session.candidates[static_cast<std::size_t>(index)];
    // Compared as the editor sees it: bytes that are no UTF-8 stay as they are until a person changes something.
    if (asQString(candidate.text) == ptx) return;
    const auto before = freshness(id);
    candidate.text = ptx.toStdString();
    addAuthor(candidate);
    m_freshness.erase(candidate.id);
    noteTextState(candidate);
    emit textChanged(id);
    if (freshness(id) != before) emit resultsChanged(id);
    changed();
}

QString Document::text(const QString& id) const {
    const session::Candidate* found = candidate(id);
    return found ? asQString(found->text) : QString();
}

void Document::setBaseline(const QString& ptx) {
    if (asQString(m_session.baseline.text) == ptx) return;
    m_session.baseline.text = ptx.toStdString();
    m_session.baseline.origin.kind = session::OriginKind::nvcc;
    m_freshness.erase(std::string(session::baselineId));
    m_touched = true;
    emit textChanged(baseline);
    emit resultsChanged(baseline);
    changed();
}

void Document::setResults(const QString& id, const verify::VerifyReport& report) {
    session::Candidate* found = writable(id);
    // It may have been deleted while it was judged.
    if (!found || report.results.empty()) return;
    const verify::CandidateResult& result = report.results.front();
    session::take(*found, {result, result.sha256, m_kernelHash, report.arch, report.toolkit, report.seed, {}});
    m_freshness.erase(found->id);
    noteVerdict(*found, result);
    // Results alone of a bundled example are no work: nobody wants to be asked about them when the window closes.
    if (m_session.place != session::KernelPlace::example) m_touched = true;
    emit resultsChanged(id);
    changed();
}

session::Freshness Document::freshness(const QString& id) const {
    const session::Candidate* found = candidate(id);
    if (!found) return session::Freshness::none;
    const auto known = m_freshness.find(found->id);
    if (known != m_freshness.end()) return known->second;
    return m_freshness[found->id] = session::freshness(*found, m_kernelHash);
}

void Document::setTargets(const QStringList& targets) {
    std::vector<std::string> wanted;
    for (const QString& target : targets) wanted.push_back(target.toStdString());
    if (wanted == m_session.targets) return;
    m_session.targets = std::move(wanted);
    m_touched = true;
    emit targetsChanged();
    changed();
}

void Document::setReview(const session::Review& review) {
    if (review == m_session.review) return;
    m_session.review = review;
    m_touched = true;
    emit reviewChanged();
    changed();
}

const session::Conversation* Document::conversation(const QString& id) const {
    const auto found = std::ranges::find(m_session.conversations, id.toStdString(), &session::Conversation::id);
    return found == m_session.conversations.end() ? nullptr : &*found;
}

void Document::setConversation(const session::Conversation& conversation) {
    const auto found = std::ranges::find(m_session.conversations, conversation.id, &session::Conversation::id);
    if (found == m_session.conversations.end())
        m_session.conversations.push_back(conversation);
    else if (*found == conversation)
        return;
    else
        *found = conversation;
    m_touched = true;
    emit conversationsChanged();
    changed();
}

void Document::removeConversation(const QString& id) {
    if (std::erase_if(m_session.conversations,
                      [id = id.toStdString()](const session::Conversation& one) { return one.id == id; }) == 0)
        return;
    m_touched = true;
    emit conversationsChanged();
    changed();
}

void Document::setAuthors(const QString& id, const std::vector<std::string>& authors) {
    session::Candidate* found = writable(id);
    if (!found || id == baseline || found->authors == authors) return;
    found->authors = authors;
    m_touched = true;
    emit reviewChanged();
    changed();
}

Expected<verify::VerifyInput> Document::verifyInput(const QString& id, verify::Plan plan) const {
    if (!m_session.hasKernel())
        return failure(Cause::badRequest,
                       "There is no kernel spec yet, so nothing says which arguments and sizes to run with.",
                       "Open a spec, or draft one with `ptxwb init`.");
    verify::VerifyInput input{shownKernel(m_session), std::nullopt, std::move(plan)};
    if (input.plan.architectures.empty()) input.plan.architectures = m_session.targets;
    if (id == baseline) return input;
    const session::Candidate* found = candidate(id);
    if (!found) return failure(Cause::badRequest, "There is no such candidate any more.", "Choose one from the list.");
    input.candidate = verify::CandidateText{found->name, found->name + ".ptx", found->text};
    return input;
}

} // namespace ptxwb::ui
