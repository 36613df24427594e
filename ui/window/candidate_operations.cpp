#include "window/candidate_operations.h"

#include "dialogs/problem_box.h"
#include "models/document.h"
#include "panels/candidate_panel.h"
#include "support/files.h"
#include "window/actions.h"

#include <QDateTime>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QTableView>

namespace ptxwb::ui {

CandidateOperations::CandidateOperations(Document* document, Actions* actions, CandidatePanel* panel, QWidget* window)
    : QObject(window), m_document(document), m_actions(actions), m_window(window) {
    connect(actions->create, &QAction::triggered, this, [this] {
        emit aboutToChange();
        m_document->newCandidate();
    });
    connect(actions->duplicate, &QAction::triggered, this, [this] {
        emit aboutToChange();
        m_document->duplicateCandidate(m_document->current());
    });
    connect(actions->remove, &QAction::triggered, this, [this] {
        emit aboutToChange();
        m_document->deleteCandidate(m_document->current());
    });
    connect(actions->rename, &QAction::triggered, panel, [this, panel] {
        panel->window()->activateWindow();
        panel->editName(m_document->current());
    });
    connect(actions->import, &QAction::triggered, this, &CandidateOperations::askAndImport);
    connect(actions->nextCandidate, &QAction::triggered, this, [this] { step(1); });
    connect(actions->previousCandidate, &QAction::triggered, this, [this] { step(-1); });
    connect(document, &Document::currentChanged, this, &CandidateOperations::updateEnabled);
    connect(document, &Document::sessionReplaced, this, &CandidateOperations::updateEnabled);
    updateEnabled();
}

void CandidateOperations::updateEnabled() {
    const bool isCandidate = m_document->current() != Document::baselineId();
    m_actions->rename->setEnabled(isCandidate);
    m_actions->remove->setEnabled(isCandidate);
    const session::Candidate* current = m_document->candidate(m_document->current());
    m_actions->duplicate->setEnabled(current && !current->text.empty());
}

void CandidateOperations::askAndImport() {
    import(QFileDialog::getOpenFileNames(m_window, tr("Import candidates"), {}, tr("PTX (*.ptx);;All files (*)")));
}

void CandidateOperations::import(const QStringList& files) {
    emit aboutToChange();
    session::Origin origin;
    origin.kind = session::OriginKind::import;
    origin.time = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    for (const QString& file : files) {
        const auto text = readFile(QFile::encodeName(file).toStdString());
        if (!text)
            showProblem(m_window, text.error());
        else
            m_document->importCandidate(QFileInfo(file).completeBaseName(), QString::fromStdString(*text), origin,
                                        Document::baselineId());
    }
    if (!files.isEmpty())
        emit message(tr("%n file(s) imported; Ctrl+Alt+Z takes it back.", nullptr, int(files.size())));
}

void CandidateOperations::step(int by) {
    const session::Session& session = m_document->session();
    QStringList ids;
    if (!session.baseline.text.empty()) ids += Document::baselineId();
    for (const session::Candidate& candidate : session.candidates) ids += QString::fromStdString(candidate.id);
    if (ids.isEmpty()) return;
    const auto at = ids.indexOf(m_document->current());
    m_document->setCurrent(ids[(at + by + ids.size()) % ids.size()]);
}

} // namespace ptxwb::ui
