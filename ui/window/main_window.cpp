#include "window/main_window.h"

#include "dialogs/action_search.h"
#include "editors/comparison_view.h"
#include "panels/candidate_panel.h"
#include "panels/counters_panel.h"
#include "panels/model_panel.h"
#include "panels/outline_panel.h"
#include "panels/problem_panel.h"
#include "panels/resources_panel.h"
#include "panels/review_panel.h"
#include "panels/sass_panel.h"
#include "panels/timing_panel.h"
#include "panels/verification_panel.h"
#include "window/about.h"
#include "window/actions.h"
#include "window/baseline_compiling.h"
#include "window/candidate_operations.h"
#include "window/comparing.h"
#include "window/disassembly.h"
#include "window/docks.h"
#include "window/drafting.h"
#include "window/dropping.h"
#include "window/edit_effects.h"
#include "window/empty_panes.h"
#include "window/exporting.h"
#include "window/file_menus.h"
#include "window/focus_cycle.h"
#include "window/icons.h"
#include "window/layouts.h"
#include "window/lessons.h"
#include "window/line_counting.h"
#include "window/live_analysis.h"
#include "window/machine_check.h"
#include "window/model_chat.h"
#include "window/navigation.h"
#include "window/notice_bar.h"
#include "window/notification.h"
#include "window/pane_actions.h"
#include "window/pane_titles.h"
#include "window/preferences.h"
#include "window/projector.h"
#include "window/replaying.h"
#include "window/reviewing.h"
#include "window/session_files.h"
#include "window/side_windows.h"
#include "window/status_line.h"
#include "window/theme_menu.h"
#include "window/verification.h"
#include "window/warp_stepping.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QJsonArray>
#include <QMenuBar>
#include <QSettings>
#include <QToolBar>
#include <QVBoxLayout>

namespace ptxwb::ui {

namespace {

constexpr double longSeconds = 10; ///< a person may have gone to another window meanwhile
const QString viewKey = QStringLiteral("comparison"), candidatesKey = QStringLiteral("candidates");

} // namespace

MainWindow::MainWindow()
    : m_actions(new Actions(this, m_document.undoStack())), m_notices(new NoticeBar), m_view(new ComparisonView),
      m_analysis(new LiveAnalysis(&m_document, m_view, &m_problems, this)),
      m_verification(new Verification(&m_document, &m_runner, &m_stages, &m_problems, this)),
      m_files(new SessionFiles(&m_document, m_notices, this, [this] { m_analysis->flush(); })),
      m_status(new StatusLine(statusBar(), m_view)) {
    setWindowIcon(programIcon());
    makeCentre();
    makeDocks();
    makeToolBar();
    fillMenus();
    connectFiles();
    connectVerification();
    connectPlaces();
    makeReview();
    connectDialogs();
    connectModel();
    connectFlush();
    connectPaneActions(*m_actions, *m_view);

    connect(&m_theme, &ThemeSource::changed, this, &MainWindow::applyTheme);
    applyTheme(m_theme.current());
    m_layouts->restore();
    const QSettings settings;
    m_view->restoreState(settings.value(viewKey).toByteArray());
    m_candidates->restoreState(settings.value(candidatesKey).toByteArray());
    updateTitles();
    m_runner.warm();
    m_runner.describe();
}

MainWindow::~MainWindow() {
    m_runner.cancel();
    // Nobody is told any more, and who looks at the document ends before it: a name that is being edited in the list
    // is taken over when its editor goes.
    for (QObject* each : {static_cast<QObject*>(&m_document), static_cast<QObject*>(&m_runner)}) each->disconnect();
    for (QDockWidget* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) delete dock;
    delete takeCentralWidget();
}

void MainWindow::makeCentre() {
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_notices);
    column->addWidget(m_view, 1);
    setCentralWidget(centre);
}

void MainWindow::makeDocks() {
    const Actions& a = *m_actions;
    const auto dock = [this](const QString& name, const QString& title, QWidget* panel) {
        return addDock(*this, *m_actions->panels, name, title, panel);
    };
    m_candidates = new CandidatePanel(
        &m_document, {a.create, a.duplicate, a.rename, a.remove, a.import, a.verify, a.delta, a.noDelta});
    m_resources = new ResourcesPanel(&m_document, a.verify, a.open);
    m_timing = new TimingPanel(&m_document, a.verify, a.open);
    m_countersPanel = new CountersPanel(&m_document, &m_counters, a.count);
    m_outline = new OutlinePanel(a.open);
    m_sassPanel = new SassPanel(&m_sassModel);
    new Disassembly(&m_document, &m_counters, &m_runner, &m_sassModel, m_sassPanel, {a.open, a.machine}, this);
    m_verificationPanel = new VerificationPanel(&m_stages, a.verify, a.stop);
    m_problemPanel = new ProblemPanel(&m_problems, a.verify);
    m_candidates->addAction(a.remove);
    QDockWidget* candidates = dock(QStringLiteral("candidates"), tr("Candidates"), m_candidates);
    QDockWidget* resources = dock(QStringLiteral("resources"), tr("Resources"), m_resources);
    QDockWidget* timing = dock(QStringLiteral("timing"), tr("Timing"), m_timing);
    QDockWidget* counters = dock(QStringLiteral("counters"), tr("Counters"), m_countersPanel);
    QDockWidget* outline = dock(QStringLiteral("outline"), tr("Outline"), m_outline);
    QDockWidget* verification = dock(QStringLiteral("verification"), tr("Verification"), m_verificationPanel);
    QDockWidget* sass = dock(QStringLiteral("sass"), tr("Machine code (SASS)"), m_sassPanel);
    QDockWidget* problems = dock(QStringLiteral("problems"), tr("Problems"), m_problemPanel);
    m_warp = new WarpStepping(&m_document, &m_runner, m_view, this);
    QDockWidget* warp = dock(QStringLiteral("warp"), tr("Warp stepper"), m_warp->panel());
    m_lessons = new Lessons(&m_document, m_files, &m_runner, this);
    QDockWidget* lesson = dock(QStringLiteral("lesson"), tr("Lesson"), m_lessons->panel());
    m_effects = new EditEffects(&m_document, a.verify, this);
    QDockWidget* effects = dock(QStringLiteral("effects"), tr("What edits did"), m_effects->panel());
    connect(m_problemPanel, &ProblemPanel::titleChanged, problems, &QDockWidget::setWindowTitle);
    m_modelPanel = new ModelPanel(a.create);
    QDockWidget* model = dock(QStringLiteral("model"), tr("Model"), m_modelPanel);
    m_layouts = new Layouts(this, {candidates, resources, timing, counters, outline, verification, problems, sass,
                                   model, warp, lesson, effects});
    auto* operations = new CandidateOperations(&m_document, m_actions, m_candidates, this);
    new Dropping(&m_document, m_files, operations, this);
    connect(operations, &CandidateOperations::aboutToChange, m_analysis, &LiveAnalysis::flush);
    connect(operations, &CandidateOperations::message, m_status, &StatusLine::say);
    connect(m_candidates, &CandidatePanel::message, m_status, &StatusLine::say);
}

void MainWindow::makeToolBar() {
    QToolBar* bar = addToolBar(tr("Main tool bar"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize({16, 16});
    m_actions->fillToolBar(bar);
    m_actions->panels->addSeparator();
    m_actions->panels->addAction(bar->toggleViewAction());
}

void MainWindow::fillMenus() {
    m_layouts->fillMenu(m_actions->layouts);
    new Comparing(&m_document, m_actions->compareWith, this);
    auto* exporting = new Exporting(&m_document, m_notices, this, [this] { m_analysis->flush(); });
    exporting->fillMenu(m_actions->exports);
    connect(m_actions->exportReport, &QAction::triggered, exporting, &Exporting::exportReport);
    connect(exporting, &Exporting::message, m_status, &StatusLine::say);
    m_warp->fillMenu(m_actions->warp);
    auto* lineCounting = new LineCounting(&m_document, &m_counters, m_view, this);
    lineCounting->fillMenu(m_actions->lineCounts);
    connect(m_lessons, &Lessons::countsWanted, lineCounting, &LineCounting::chooseByName);
    m_projector = new Projector(&m_theme, m_view, this);
    fillThemeMenu(*m_actions->themes, m_theme);
    m_projector->fillMenu(m_actions->themes);
    fillExamplesMenu(*m_actions->examples, *m_files);
    fillRecentMenu(*m_actions->recent, *m_files);
    m_actions->adopt(&m_projector->action());
    m_actions->adoptAll(m_actions->warp->actions());
    m_actions->finding->addActions(m_verificationPanel->findingActions());
    m_actions->adoptAll(m_verificationPanel->findingActions());
    m_actions->fillMenus(menuBar());
}

void MainWindow::makeReview() {
    m_reviewing = new Reviewing(&m_document, m_view, this);
    m_layouts->addReview(
        addDock(*this, *m_actions->panels, QStringLiteral("review"), tr("Review"), m_reviewing->panel()));
    auto* menu = new QMenu(tr("Revie&w"), this);
    m_reviewing->fillMenu(menu);
    menuBar()->insertMenu(menuBar()->actions().last(), menu); // Help is the last
    m_actions->adoptAll(m_reviewing->actions());
    m_reviewing->save = [this] { return m_files->save(); };
    m_reviewing->showDock = [this] { raiseDockOf(m_reviewing->panel()); };
    connect(m_reviewing, &Reviewing::message, m_status, &StatusLine::say);
    connect(m_reviewing, &Reviewing::withdrawn, m_notices, [this](const QString& text) { m_notices->say(text); });
    connect(m_reviewing, &Reviewing::askModel, this, [this](const QString& wish) {
        m_modelPanel->setWish(wish);
        raiseDockOf(m_modelPanel);
        m_status->say(
            tr("The open comments are what you wish of the model now: look through it, then preview the question."));
    });
}

void MainWindow::connectFiles() {
    m_compiling = new BaselineCompiling(&m_document, &m_runner, m_notices, this);
    connect(m_actions->open, &QAction::triggered, m_files, &SessionFiles::askAndOpen);
    connect(m_actions->save, &QAction::triggered, m_files, &SessionFiles::save);
    connect(m_actions->saveAs, &QAction::triggered, m_files, &SessionFiles::saveAs);
    connect(m_actions->reload, &QAction::triggered, m_files, &SessionFiles::reloadKernel);
    connect(m_actions->draft, &QAction::triggered, this, [this] { draftSpec(m_document, *m_files, *m_notices, this); });
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_files, &SessionFiles::message, m_status, &StatusLine::say);
    connect(&m_document, &Document::dirtyChanged, this, &QWidget::setWindowModified);
    for (const auto changed : {&Document::currentChanged, &Document::textChanged, &Document::candidateRenamed,
                               &Document::fileChanged, &Document::resultsChanged})
        connect(&m_document, changed, this, &MainWindow::updateTitles);
    connect(&m_document, &Document::leftChanged, this, &MainWindow::updateTitles);
    connect(&m_document, &Document::notesChanged, this, [this](const std::vector<Diagnostic>& notes) {
        QStringList lines;
        for (const Diagnostic& note : notes) lines += QString::fromStdString(note.message);
        if (!lines.isEmpty()) m_notices->say(lines.join(QLatin1Char('\n')));
    });
    connect(m_actions->compile, &QAction::triggered, m_compiling, &BaselineCompiling::start);
    connect(m_compiling, &BaselineCompiling::message, m_status, &StatusLine::say);
    connect(m_compiling, &BaselineCompiling::changed, this, &MainWindow::updateTitles);
    connect(qApp, &QGuiApplication::commitDataRequest, this, [this] {
        m_analysis->flush();
        m_document.autosaveNow();
    });
}

void MainWindow::connectVerification() {
    m_verification->trust = [this] {
        return m_reference.answer(m_document.session(), ReferenceQuestion::Ask::once, m_theme.current(), this);
    };
    connect(m_actions->trust, &QAction::triggered, this, [this] {
        m_reference.answer(m_document.session(), ReferenceQuestion::Ask::again, m_theme.current(), this);
    });
    m_replaying = new Replaying(&m_document, &m_runner, m_verificationPanel, this);
    m_replaying->trust = m_verification->trust;
    connect(&m_runner, &VerifyRunner::described, this, [this](const QJsonObject& hello) {
        m_verification->deepWithAll = !hello.value(QLatin1String("devices")).toArray().isEmpty();
    });
    connect(m_actions->verify, &QAction::triggered, m_verification, &Verification::verifyCurrent);
    connect(m_actions->verifyAll, &QAction::triggered, m_verification, &Verification::verifyAll);
    connect(m_actions->stop, &QAction::triggered, m_verification, &Verification::stop);
    connect(m_actions->stop, &QAction::triggered, &m_counting, &Counting::stop);
    connect(m_actions->count, &QAction::triggered, &m_counting, &Counting::countCurrent);
    connect(&m_counting, &Counting::message, m_status, &StatusLine::say);
    const auto allowStop = [this] { m_actions->stop->setEnabled(m_verification->isBusy() || m_counting.isBusy()); };
    connect(&m_counting, &Counting::busyChanged, this, allowStop);
    connect(&m_runner, &VerifyRunner::busyChanged, this, allowStop);
    connect(&m_runner, &VerifyRunner::busyChanged, m_status, &StatusLine::setBusy);
    connect(m_verification, &Verification::message, m_status, &StatusLine::say);
    connect(m_verification, &Verification::progressed, m_status, &StatusLine::setProgress);
    connect(m_verification, &Verification::stateChanged, this, [this] {
        m_candidates->model().setRunning(m_verification->running());
        updateTitles();
    });
    // A new text in the pane has lost the marks of the one before.
    connect(&m_document, &Document::currentChanged, m_verification, &Verification::findingsChanged);
    connect(&m_document, &Document::sessionReplaced, m_verification, &Verification::findingsChanged);
    notify = notifyDesktop;
    connect(m_verification, &Verification::ended, this, [this](const QString& summary, double seconds) {
        m_status->say(tr("Verified in %1 s: %2.").arg(seconds, 0, 'f', 1).arg(summary));
        if (seconds < longSeconds || isActiveWindow()) return;
        QApplication::alert(this);
        notify(tr("%1 verified").arg(m_document.title()), summary);
    });
}

void MainWindow::connectPlaces() {
    auto* navigation = new Navigation(&m_document, m_view, &m_problems, this);
    connect(navigation, &Navigation::message, m_status, &StatusLine::say);
    connect(navigation, &Navigation::messageOver, m_status, &StatusLine::takeBack);
    connect(m_actions->nextProblem, &QAction::triggered, navigation, &Navigation::nextProblem);
    connect(m_actions->previousProblem, &QAction::triggered, navigation, &Navigation::previousProblem);
    connect(m_problemPanel, &ProblemPanel::placeWanted, navigation, &Navigation::showPlace);
    connect(m_verificationPanel, &VerificationPanel::ptxLineWanted, navigation, &Navigation::showPtx);
    connect(m_verificationPanel, &VerificationPanel::cudaLineWanted, navigation, &Navigation::showCudaLine);
    connect(m_outline, &OutlinePanel::lineWanted, navigation, &Navigation::showPtxLine);
    connect(m_countersPanel, &CountersPanel::lineWanted, navigation, &Navigation::showPtxLine);
    connect(m_sassPanel, &SassPanel::candidateLineWanted, navigation, &Navigation::showPtxLine);
    connect(m_sassPanel, &SassPanel::baselineLineWanted, navigation, &Navigation::showBaselineLine);
    connect(m_lessons, &Lessons::lineWanted, navigation, &Navigation::showPtxLine);
    connect(m_effects, &EditEffects::lineWanted, navigation, &Navigation::showPtxLine);
    connect(m_verification, &Verification::findingsChanged, navigation,
            [this, navigation] { navigation->mark(m_verification->findingMarks()); });
    connect(m_actions->cyclePanes, &QAction::triggered, this, [this] { cycleFocus(*this, *m_view); });
    connect(m_view, &ComparisonView::message, m_status, &StatusLine::say);
    connect(m_analysis, &LiveAnalysis::outlineChanged, m_outline, &OutlinePanel::setOutline);
    for (const PaneId id : {PaneId::baseline, PaneId::candidate})
        connect(&m_view->pane(id), &CodePane::cursorLineChanged, this, [this, id](int line) {
            const bool isBaseline = m_document.current() == Document::baselineId();
            const bool isShown = (id == PaneId::baseline) == isBaseline;
            if (isShown) m_outline->setCurrentLine(line);
            m_sassPanel->setCurrentLine(isShown ? SassModel::Candidate : SassModel::Baseline, line);
        });
    for (const PaneId id : {PaneId::baseline, PaneId::candidate})
        connect(&m_view->pane(id), &CodePane::findingClicked, this, [this] { raiseDockOf(m_verificationPanel); });
    connect(m_lessons, &Lessons::message, m_status, &StatusLine::say);
    connect(m_lessons, &Lessons::started, this, [this] { raiseDockOf(m_lessons->panel()); });
    connect(m_warp, &WarpStepping::message, m_status, &StatusLine::say);
    connect(m_warp, &WarpStepping::dockWanted, this, [this] { raiseDockOf(m_warp->panel()); });
    connect(m_verificationPanel, &VerificationPanel::stepsWanted, m_warp, &WarpStepping::stepInto);
}

void MainWindow::connectDialogs() {
    connect(m_actions->search, &QAction::triggered, this, [this] {
        auto* dialog = new ActionSearch(*menuBar(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    auto* beside = new SideWindows(&m_document, m_view, &m_runner, &m_theme, this, [this] { m_analysis->flush(); });
    beside->everywhere = {m_actions->verify, m_actions->verifyAll, m_actions->stop};
    connect(beside, &SideWindows::message, m_status, &StatusLine::say);
    connect(m_actions->changes, &QAction::triggered, beside, &SideWindows::showChanges);
    connect(m_actions->history, &QAction::triggered, beside, &SideWindows::showHistory);
    connect(m_actions->assemblerLog, &QAction::triggered, beside, &SideWindows::showAssemblerLog);
    connect(m_reviewing, &Reviewing::compareSessions, beside, &SideWindows::compareSessions);
    m_machine = new MachineCheck(&m_runner, &m_theme, this);
    auto* preferences = new Preferences(&m_document, &m_runner, m_verification, m_actions, this);
    connect(m_actions->settings, &QAction::triggered, preferences, &Preferences::ask);
    connect(m_actions->machine, &QAction::triggered, m_machine, &MachineCheck::show);
    connect(m_actions->about, &QAction::triggered, new About(&m_runner, this), &About::show);
}

void MainWindow::connectModel() {
    m_chat = new ModelChat({&m_document, &m_counters, m_view, &m_candidates->model(), &m_runner, m_modelPanel}, this);
    m_chat->trust = m_verification->trust;
    m_warp->trust = m_verification->trust;
    connect(m_chat, &ModelChat::message, m_status, &StatusLine::say);
    connect(m_actions->askModel, &QAction::triggered, this, [this] {
        raiseDockOf(m_modelPanel);
        m_modelPanel->focusWish();
    });
}

/// Whoever works with the document's texts brings what is being typed into it first.
void MainWindow::connectFlush() {
    for (std::function<void()>* flush : {&m_verification->flush, &m_replaying->flush, &m_counting.flush, &m_warp->flush,
                                         &m_lessons->flush, &m_chat->flush, &m_reviewing->flush})
        *flush = [this] { m_analysis->flush(); };
}

void MainWindow::applyTheme(const Theme& theme) {
    m_reviewing->setTheme(theme);
    m_actions->setTheme(theme);
    m_view->setTheme(theme);
    m_resources->setTheme(theme);
    m_timing->setTheme(theme);
    m_countersPanel->setTheme(theme);
    m_sassPanel->setTheme(theme);
    m_modelPanel->setTheme(theme);
    m_warp->setTheme(theme);
    m_lessons->setTheme(theme);
    m_effects->setTheme(theme);
}

void MainWindow::updateTitles() {
    setWindowTitle(tr("%1[*] — PTX Workbench").arg(m_document.title()));
    showPaneTitles(*m_view, m_document, *m_verification);
    showWhyEmpty(*m_view, m_document, *m_compiling, *m_actions);
    m_actions->compile->setEnabled(m_compiling->isPossible());
    m_verificationPanel->setVerdict(m_verification->verdictLine());
    const session::Candidate* shown = m_document.candidate(m_document.current());
    m_verificationPanel->setResult(shown && shown->judgement ? &shown->judgement->result : nullptr,
                                   m_document.freshness(m_document.current()) == session::Freshness::stale);
}

void MainWindow::greet() {
    m_machine->greet();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_files->mayClose()) return event->ignore();
    m_verification->stop();
    m_chat->stop();
    m_document.discardAutosave();
    m_layouts->store();
    QSettings settings;
    settings.setValue(viewKey, m_view->saveState());
    settings.setValue(candidatesKey, m_candidates->saveState());
    event->accept();
}

} // namespace ptxwb::ui
