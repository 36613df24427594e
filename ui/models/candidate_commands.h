// The undo steps of candidates: a new one, a deleted one, another name.
// Made by Document only.
#pragma once

#include "models/document.h"

#include <QUndoCommand>

namespace ptxwb::ui {

/// What the steps share: the way to the document's changes, which nobody else may make without a step.
class CandidateCommand : public QUndoCommand {
public:
    CandidateCommand(Document* document, const QString& text) : QUndoCommand(text), m_document(document) {}

protected:
    void insert(int index, session::Candidate candidate) { m_document->insert(index, std::move(candidate)); }
    session::Candidate take(int index) { return m_document->take(index); }
    void rename(int index, const std::string& name) { m_document->rename(index, name); }

    Document* m_document;
};

class InsertCandidate : public CandidateCommand {
public:
    InsertCandidate(Document* document, int index, session::Candidate candidate, const QString& text,
                    Document::Show show = Document::Show::yes);
    void redo() override;
    void undo() override;

private:
    int m_index;
    session::Candidate m_candidate; ///< while it is not in the document: with the text that it had last
    QString m_currentBefore;
    Document::Show m_show;
};

class DeleteCandidate : public CandidateCommand {
public:
    DeleteCandidate(Document* document, int index, const QString& text);
    void redo() override;
    void undo() override;

private:
    int m_index;
    session::Candidate m_candidate;
};

class RenameCandidate : public CandidateCommand {
public:
    RenameCandidate(Document* document, int index, std::string name, const QString& text);
    void redo() override;
    void undo() override;

private:
    int m_index;
    std::string m_name, m_before;
};

} // namespace ptxwb::ui
