// What the window's parts say to one another.
#include "window/main_window.h"

#include "dialogs/action_search.h"
#include "dialogs/change_list.h"
#include "dialogs/draft_dialog.h"
#include "dialogs/history_dialog.h"
#include "dialogs/machine_card.h"
#include "dialogs/settings_dialog.h"
#include "editors/comparison_view.h"
#include "panels/candidate_panel.h"
#include "panels/counters_panel.h"
#include "panels/outline_panel.h"
#include "panels/problem_panel.h"
#include "panels/sass_panel.h"
#include "panels/verification_panel.h"
#include "window/actions.h"
#include "window/edit_effects.h"
#include "window/lessons.h"
#include "window/focus_cycle.h"
#include "window/live_analysis.h"
#include "window/notice_bar.h"
#include "window/notification.h"
#include "window/replaying.h"
#include "window/session_files.h"
#include "window/shortcuts.h"
#include "window/verification.h"
#include "window/warp_stepping.h"

#include <QApplication>
#include <QDockWidget>
#include <QJsonArray>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressBar>
#include <QSettings>

namespace ptxwb::ui {

namespace {

constexpr double longSeconds = 10; ///< a person may have gone to another window meanwhile
const QString greetedKey = QStringLiteral("greeted");

QString firstWords(const std::vector<Diagnostic>& messages) {
    if (messages.empty()) return {};
    const Diagnostic& first = messages.front();
    return QStringLiteral("\n%1:%2: %3")
        .arg(QString::fromStdString(first.place.file))
        .arg(first.place.line)
        .arg(QString::fromStdString(first.message));
}

void raiseDockOf(QWidget* panel) {
    auto* dock = qobject_cast<QDockWidget*>(panel->parentWidget());
    if (!dock) return;
    dock->show();
    dock->raise();
}

} // namespace

void MainWindow::connectFiles() {
    connect(m_actions->open, &QAction::triggered, m_files, &SessionFiles::askAndOpen);
    connect(m_actions->save, &QAction::triggered, m_files, &SessionFiles::save);
    connect(m_actions->saveAs, &QAction::triggered, m_files, &SessionFiles::saveAs);
    connect(m_actions->reload, &QAction::triggered, m_files, &SessionFiles::reloadKernel);
    connect(m_actions->draft, &QAction::triggered, this, &MainWindow::showDraft);
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_files, &SessionFiles::message, this, &MainWindow::say);
    connect(&m_document, &Document::dirtyChanged, this, &QWidget::setWindowModified);
    for (const auto changed : {&Document::currentChanged, &Document::textChanged, &Document::candidateRenamed,
                               &Document::fileChanged, &Document::resultsChanged})
        connect(&m_document, changed, this, &MainWindow::updateTitles);
    connect(&m_document, &Document::leftChanged, this, &MainWindow::updateTitles);
    connect(&m_document, &Document::sessionReplaced, this, [this] {
        m_compileProblem.clear();
        m_compiler.cancel();
        const session::Session& session = m_document.session();
        if (session.hasKernel() && session.baseline.text.empty() && !session.source.empty()) compileBaseline();
        updateTitles();
    });
    connect(&m_document, &Document::notesChanged, this, [this](const std::vector<Diagnostic>& notes) {
        QStringList lines;
        for (const Diagnostic& note : notes) lines += QString::fromStdString(note.message);
        if (!lines.isEmpty()) m_notices->say(lines.join(QLatin1Char('\n')));
    });
    connect(m_actions->compile, &QAction::triggered, this, &MainWindow::compileBaseline);
    connect(&m_compiler, &BaselineCompiler::compiled, this,
            [this](const QString& ptx, const std::vector<Diagnostic>& warnings) {
                m_compileProblem.clear();
                m_document.setBaseline(ptx);
                say(warnings.empty() ? tr("Compiled.") : tr("Compiled with warnings.") + firstWords(warnings));
                updateTitles();
            });
    connect(&m_compiler, &BaselineCompiler::failed, this,
            [this](const QString& why, const QString& hint, const std::vector<Diagnostic>& messages) {
                m_compileProblem =
                    tr("The baseline could not be compiled: %1.%2\n%3").arg(why, firstWords(messages), hint);
                if (!m_document.session().baseline.text.empty()) m_notices->say(m_compileProblem);
                updateTitles();
            });
    connect(qApp, &QGuiApplication::commitDataRequest, this, [this] {
        m_analysis->flush();
        m_document.autosaveNow();
    });
}

void MainWindow::connectVerification() {
    m_verification->flush = [this] { m_analysis->flush(); };
    m_verification->trust = [this] {
        return m_reference.answer(m_document.session(), ReferenceQuestion::Ask::once, m_theme.current(), this);
    };
    auto* replaying = new Replaying(&m_document, &m_runner, m_verificationPanel, this);
    replaying->flush = m_verification->flush;
    replaying->trust = m_verification->trust;
    connect(&m_runner, &VerifyRunner::described, this, [this](const QJsonObject& hello) {
        m_worker = hello;
        m_verification->deepWithAll = !hello.value(QLatin1String("devices")).toArray().isEmpty();
    });
    connect(m_actions->verify, &QAction::triggered, m_verification, &Verification::verifyCurrent);
    connect(m_actions->verifyAll, &QAction::triggered, m_verification, &Verification::verifyAll);
    connect(m_actions->stop, &QAction::triggered, m_verification, &Verification::stop);
    connect(m_actions->stop, &QAction::triggered, &m_counting, &Counting::stop);
    connect(m_actions->count, &QAction::triggered, &m_counting, &Counting::countCurrent);
    m_counting.flush = m_verification->flush;
    connect(&m_counting, &Counting::message, this, &MainWindow::say);
    const auto allowStop = [this] { m_actions->stop->setEnabled(m_verification->isBusy() || m_counting.isBusy()); };
    connect(&m_counting, &Counting::busyChanged, this, allowStop);
    connect(m_actions->trust, &QAction::triggered, this, [this] {
        m_reference.answer(m_document.session(), ReferenceQuestion::Ask::again, m_theme.current(), this);
    });
    connect(&m_runner, &VerifyRunner::busyChanged, this, [this, allowStop](bool busy) {
        allowStop();
        m_progress->setVisible(busy);
        if (!busy) m_progressText->clear();
    });
    connect(m_verification, &Verification::message, this, &MainWindow::say);
    connect(m_verification, &Verification::progressed, this, [this](int done, int of, const QString& what) {
        m_progress->setRange(0, of);
        m_progress->setValue(done);
        m_progressText->setText(what);
    });
    connect(m_verification, &Verification::stateChanged, this, [this] {
        m_candidates->model().setRunning(m_verification->running());
        updateTitles();
    });
    connect(m_verification, &Verification::findingsChanged, this,
            [this] { m_view->candidate().setFindings(m_verification->findingMarks()); });
    notify = notifyDesktop;
    connect(m_verification, &Verification::ended, this, [this](const QString& summary, double seconds) {
        say(tr("Verified in %1 s: %2.").arg(seconds, 0, 'f', 1).arg(summary));
        if (seconds < longSeconds || isActiveWindow()) return;
        QApplication::alert(this);
        notify(tr("%1 verified").arg(m_document.title()), summary);
    });
    // A new text in the pane has lost the marks of the one before.
    connect(&m_document, &Document::currentChanged, m_verification, &Verification::findingsChanged);
    connect(&m_document, &Document::sessionReplaced, m_verification, &Verification::findingsChanged);
}

void MainWindow::connectNavigation() {
    connect(m_actions->nextProblem, &QAction::triggered, this, [this] { goToProblem(ProblemModel::Direction::next); });
    connect(m_actions->previousProblem, &QAction::triggered, this,
            [this] { goToProblem(ProblemModel::Direction::previous); });
    connect(m_problemPanel, &ProblemPanel::placeWanted, this, &MainWindow::showProblemPlace);
    connect(m_verificationPanel, &VerificationPanel::ptxLineWanted, this,
            [this](int line, int column) { showProblemPlace(ProblemModel::Pane::ptx, {}, line, column); });
    connect(m_verificationPanel, &VerificationPanel::cudaLineWanted, this,
            [this](const QString& file, int line) { showProblemPlace(ProblemModel::Pane::cuda, file, line, 0); });
    connect(m_actions->cyclePanes, &QAction::triggered, this, [this] { cycleFocus(*this, *m_view); });
    connect(m_view, &ComparisonView::message, this, &MainWindow::say);
    connect(m_analysis, &LiveAnalysis::outlineChanged, m_outline, &OutlinePanel::setOutline);
    connect(m_outline, &OutlinePanel::lineWanted, this,
            [this](int line) { showProblemPlace(ProblemModel::Pane::ptx, {}, line, 0); });
    connect(m_countersPanel, &CountersPanel::lineWanted, this,
            [this](int line) { showProblemPlace(ProblemModel::Pane::ptx, {}, line, 0); });
    connect(m_sassPanel, &SassPanel::candidateLineWanted, this,
            [this](int line) { showProblemPlace(ProblemModel::Pane::ptx, {}, line, 0); });
    connect(m_sassPanel, &SassPanel::baselineLineWanted, this, [this](int line) {
        m_view->showPtxLine(PaneId::baseline, line, 1);
        m_view->pane(PaneId::baseline).setFocus();
    });
    for (const PaneId id : {PaneId::baseline, PaneId::candidate})
        connect(&m_view->pane(id), &CodePane::cursorLineChanged, this, [this, id](int line) {
            const bool isBaseline = m_document.current() == Document::baselineId();
            const bool isShown = (id == PaneId::baseline) == isBaseline;
            if (isShown) m_outline->setCurrentLine(line);
            m_sassPanel->setCurrentLine(isShown ? SassModel::Candidate : SassModel::Baseline, line);
        });
    connect(m_view, &ComparisonView::currentPaneChanged, this, &MainWindow::updatePosition);
    for (const PaneId id : {PaneId::source, PaneId::baseline, PaneId::candidate})
        connect(&m_view->pane(id), &CodePane::cursorLineChanged, this, &MainWindow::updatePosition);
    connect(&m_view->candidate(), &CodePane::findingClicked, this, [this] { raiseDockOf(m_verificationPanel); });
    m_warp->flush = [this] { m_analysis->flush(); };
    m_warp->trust = m_verification->trust;
    m_lessons->flush = m_warp->flush;
    connect(m_lessons, &Lessons::message, this, &MainWindow::say);
    connect(m_lessons, &Lessons::started, this, [this] { raiseDockOf(m_lessons->panel()); });
    connect(m_lessons, &Lessons::lineWanted, this,
            [this](int line) { showProblemPlace(ProblemModel::Pane::ptx, {}, line, 0); });
    connect(m_effects, &EditEffects::lineWanted, this,
            [this](int line) { showProblemPlace(ProblemModel::Pane::ptx, {}, line, 0); });
    connect(m_warp, &WarpStepping::message, this, &MainWindow::say);
    connect(m_warp, &WarpStepping::dockWanted, this, [this] { raiseDockOf(m_warp->panel()); });
    connect(m_verificationPanel, &VerificationPanel::stepsWanted, m_warp, &WarpStepping::stepInto);
}

void MainWindow::goToProblem(ProblemModel::Direction direction) {
    const QModelIndex index = m_problems.neighbour(m_view->candidate().currentLine(), direction);
    if (!index.isValid()) return say(tr("There is no problem with a place."));
    const int line = index.data(ProblemModel::LineRole).toInt();
    showProblemPlace(ProblemModel::Pane::ptx, {}, line, index.data(ProblemModel::ColumnRole).toInt());
    say(index.siblingAtColumn(ProblemModel::Message).data().toString());
}

void MainWindow::showProblemPlace(ProblemModel::Pane pane, const QString& file, int line, int column) {
    if (line <= 0) return say(tr("This one has no place in the text."));
    if (pane == ProblemModel::Pane::cuda) {
        if (m_view->source().lineCount() < line) return say(tr("%1 is not the file that is shown.").arg(file));
        m_view->source().goToLine(line, std::max(1, column));
        m_view->source().setFocus();
        return;
    }
    // Findings about the baseline stand in its own pane.
    const PaneId id = m_document.current() == Document::baselineId() ? PaneId::baseline : PaneId::candidate;
    m_view->showPtxLine(id, line, std::max(1, column));
    m_view->pane(id).setFocus();
}

void MainWindow::connectDialogs() {
    connect(m_actions->search, &QAction::triggered, this, [this] {
        auto* dialog = new ActionSearch(*menuBar(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    connect(m_actions->changes, &QAction::triggered, this, [this] {
        auto* dialog = new ChangeList(m_view->changeList(), m_view->summary(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &ChangeList::lineWanted, m_view,
                [this](PaneId pane, int line) { m_view->showPtxLine(pane, line); });
        dialog->show();
    });
    connect(m_actions->history, &QAction::triggered, this, &MainWindow::showHistory);
    connect(m_actions->settings, &QAction::triggered, this, [this] {
        SettingsDialog dialog(Settings::load(), VerifyRunner::defaultCommandLine(), shortcutRows(*m_actions), this);
        if (dialog.exec() != QDialog::Accepted) return;
        dialog.settings().store();
        setShortcuts(*m_actions, dialog.shortcuts());
        applySettings();
    });
    makeReview();
    connect(m_actions->machine, &QAction::triggered, this, &MainWindow::showMachine);
    connect(m_actions->about, &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::compileBaseline() {
    QString arch;
    if (const auto& targets = m_document.session().targets; !targets.empty())
        arch = QString::fromStdString(targets.front());
    m_compiler.start(m_document.session().kernel, arch, m_runner.effectiveCommandLine());
    updateEmptyTexts();
}

void MainWindow::showDraft() {
    // The file lies here, so the program beside the window drafts it, wherever the worker is.
    const QStringList program = ToolCall::inPlaceOfWorker(VerifyRunner::defaultCommandLine(), {});
    DraftDialog dialog(program.value(0, QStringLiteral("ptxwb")),
                       QString::fromStdString(m_document.session().sourceFile.string()), this);
    if (dialog.exec() != QDialog::Accepted) return;
    const QString spec = dialog.specFile();
    m_files->open(spec);
    m_notices->say(tr("Drafted %1. To decide in it:\n%2").arg(spec, dialog.notes().join(QLatin1Char('\n'))));
}

/// With the versions that a report of a fault needs.
void MainWindow::showAbout() {
    QStringList tools;
    for (const QJsonValue& each : m_worker.value(QLatin1String("toolkits")).toArray())
        tools += tr("CUDA %1").arg(each.toObject().value(QLatin1String("version")).toString());
    for (const QJsonValue& each : m_worker.value(QLatin1String("devices")).toArray())
        tools += each.toObject().value(QLatin1String("name")).toString();
    const QString worker = m_worker.isEmpty() ? tr("The worker has not answered.")
                           : tools.isEmpty()  ? tr("The worker, version %1, has neither a toolkit nor a GPU.")
                                                   .arg(m_worker.value(QLatin1String("version")).toString())
                                             : tr("The worker, version %1, has: %2.")
                                                   .arg(m_worker.value(QLatin1String("version")).toString(),
                                                        tools.join(QStringLiteral(", ")).toHtmlEscaped());
    QMessageBox::about(
        this, tr("About PTX Workbench"),
        tr("<b>PTX Workbench %1</b><p>Tune, teach and review PTX.<p>With Qt %2 and QScintilla %3. %4<p>The window is "
           "free software under the GNU General Public License, version 3 or later; the core and <tt>ptxwb</tt> are "
           "under the Apache License 2.0.")
            .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()), CodePane::componentVersion(),
                 worker));
}

void MainWindow::showHistory() {
    if (m_document.current() == Document::baselineId())
        return say(tr("The baseline has no history: choose a candidate."));
    m_analysis->flush();
    auto* dialog = new HistoryDialog(&m_document, m_document.current(), m_theme.current(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void MainWindow::showMachine() {
    auto* card = new MachineCard(m_theme.current(), this);
    card->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_doctor, &ToolCall::answered, card, &MachineCard::setAnswer);
    connect(&m_doctor, &ToolCall::failed, card, &MachineCard::setFailure);
    const QString own = m_runner.commandLine();
    const QStringList line =
        ToolCall::inPlaceOfWorker(own.isEmpty() ? VerifyRunner::defaultCommandLine() : own, {QStringLiteral("doctor")});
    if (line.isEmpty())
        card->setFailure(tr("the worker's command line does not end in \"worker\""), tr("Change it in the settings."));
    else
        m_doctor.start(line.front(), line.mid(1));
    card->show();
}

void MainWindow::greet() {
    QSettings settings;
    if (settings.value(greetedKey).toBool()) return;
    settings.setValue(greetedKey, true);
    showMachine();
}

} // namespace ptxwb::ui
