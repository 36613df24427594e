#include "models/candidate_commands.h"

namespace ptxwb::ui {

InsertCandidate::InsertCandidate(Document* document, int index, session::Candidate candidate, const QString& text,
                                 Document::Show show)
    : CandidateCommand(document, text), m_index(index), m_candidate(std::move(candidate)),
      m_currentBefore(document->current()), m_show(show) {}

void InsertCandidate::redo() {
    const QString id = QString::fromStdString(m_candidate.id);
    insert(m_index, std::move(m_candidate));
    if (m_show == Document::Show::yes) m_document->setCurrent(id);
}

void InsertCandidate::undo() {
    const bool wasShown =
        m_document->current() ==
        QString::fromStdString(m_document->session().candidates.at(static_cast<std::size_t>(m_index)).id);
    m_candidate = take(m_index);
    if ((wasShown || m_show == Document::Show::yes) && m_document->candidate(m_currentBefore))
        m_document->setCurrent(m_currentBefore);
}

DeleteCandidate::DeleteCandidate(Document* document, int index, const QString& text)
    : CandidateCommand(document, text), m_index(index) {}

void DeleteCandidate::redo() {
    m_candidate = take(m_index);
}

void DeleteCandidate::undo() {
    const QString id = QString::fromStdString(m_candidate.id);
    insert(m_index, std::move(m_candidate));
    m_document->setCurrent(id);
}

RenameCandidate::RenameCandidate(Document* document, int index, std::string name, const QString& text)
    : CandidateCommand(document, text), m_index(index), m_name(std::move(name)),
      m_before(document->session().candidates.at(static_cast<std::size_t>(index)).name) {}

void RenameCandidate::redo() {
    rename(m_index, m_name);
}
void RenameCandidate::undo() {
    rename(m_index, m_before);
}

} // namespace ptxwb::ui
