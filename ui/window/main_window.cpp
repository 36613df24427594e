#include "window/main_window.h"

#include "dialogs/settings_dialog.h"
#include "editors/comparison_view.h"
#include "panels/candidate_panel.h"
#include "panels/check_list.h"
#include "panels/counters_panel.h"
#include "panels/model_panel.h"
#include "panels/outline_panel.h"
#include "panels/problem_panel.h"
#include "panels/resources_panel.h"
#include "panels/sass_panel.h"
#include "panels/timing_panel.h"
#include "panels/verification_panel.h"
#include "window/actions.h"
#include "window/candidate_operations.h"
#include "window/comparing.h"
#include "window/disassembly.h"
#include "window/edit_effects.h"
#include "window/exporting.h"
#include "window/icons.h"
#include "window/layouts.h"
#include "window/lessons.h"
#include "window/line_counting.h"
#include "window/live_analysis.h"
#include "window/model_chat.h"
#include "window/notice_bar.h"
#include "window/pane_actions.h"
#include "window/pane_titles.h"
#include "window/projector.h"
#include "window/session_files.h"
#include "window/shortcuts.h"
#include "window/verification.h"
#include "window/warp_stepping.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace ptxwb::ui {

namespace {

constexpr int messageMilliseconds = 15000;
const QString viewKey = QStringLiteral("comparison"), candidatesKey = QStringLiteral("candidates"),
              themeKey = QStringLiteral("theme");

} // namespace

MainWindow::MainWindow()
    : m_actions(new Actions(this, m_document.undoStack())), m_notices(new NoticeBar), m_view(new ComparisonView),
      m_analysis(new LiveAnalysis(&m_document, m_view, &m_problems, this)),
      m_verification(new Verification(&m_document, &m_runner, &m_stages, &m_problems, this)),
      m_files(new SessionFiles(&m_document, m_notices, this, [this] { m_analysis->flush(); })) {
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    makeCentre();
    makeDocks();
    makeStatusBar();
    makeToolBar();
    fillMenus();
    connectFiles();
    connectVerification();
    connectNavigation();
    connectDialogs();
    makeModel();
    connectPaneActions(*m_actions, *m_view);

    const QSettings settings;
    m_theme.setChoice(ThemeChoice(std::clamp(settings.value(themeKey, 0).toInt(), 0, themeChoiceCount - 1)));
    connect(&m_theme, &ThemeSource::changed, this, &MainWindow::applyTheme);
    applyTheme(m_theme.current());
    applySettings();
    loadShortcuts(*m_actions);
    m_layouts->restore();
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

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(Qt::RightDockWidgetArea, dock);
    m_actions->panels->addAction(dock->toggleViewAction());
    return dock;
}

void MainWindow::makeDocks() {
    const Actions& a = *m_actions;
    m_candidates = new CandidatePanel(&m_document, {a.create, a.duplicate, a.rename, a.remove, a.import, a.verify});
    m_resources = new ResourcesPanel(&m_document, a.verify);
    m_timing = new TimingPanel(&m_document, a.verify);
    m_countersPanel = new CountersPanel(&m_document, &m_counters, a.count);
    m_outline = new OutlinePanel;
    m_sassPanel = new SassPanel(&m_sassModel);
    new Disassembly(&m_document, &m_counters, &m_runner, &m_sassModel, m_sassPanel, this);
    m_verificationPanel = new VerificationPanel(&m_stages, a.verify, a.stop);
    m_problemPanel = new ProblemPanel(&m_problems);
    m_candidates->addAction(a.remove);
    QDockWidget* candidates = addDock(QStringLiteral("candidates"), tr("Candidates"), m_candidates);
    QDockWidget* resources = addDock(QStringLiteral("resources"), tr("Resources"), m_resources);
    QDockWidget* timing = addDock(QStringLiteral("timing"), tr("Timing"), m_timing);
    QDockWidget* counters = addDock(QStringLiteral("counters"), tr("Counters"), m_countersPanel);
    QDockWidget* outline = addDock(QStringLiteral("outline"), tr("Outline"), m_outline);
    QDockWidget* verification = addDock(QStringLiteral("verification"), tr("Verification"), m_verificationPanel);
    QDockWidget* sass = addDock(QStringLiteral("sass"), tr("Machine code (SASS)"), m_sassPanel);
    m_problemDock = addDock(QStringLiteral("problems"), tr("Problems"), m_problemPanel);
    m_warp = new WarpStepping(&m_document, &m_runner, m_view, this);
    QDockWidget* warp = addDock(QStringLiteral("warp"), tr("Warp stepper"), m_warp->panel());
    m_lessons = new Lessons(&m_document, m_files, &m_runner, this);
    QDockWidget* lesson = addDock(QStringLiteral("lesson"), tr("Lesson"), m_lessons->panel());
    m_effects = new EditEffects(&m_document, this);
    QDockWidget* effects = addDock(QStringLiteral("effects"), tr("What edits did"), m_effects->panel());
    connect(m_problemPanel, &ProblemPanel::titleChanged, m_problemDock, &QDockWidget::setWindowTitle);
    m_modelPanel = new ModelPanel(a.create);
    QDockWidget* model = addDock(QStringLiteral("model"), tr("Model"), m_modelPanel);
    m_layouts = new Layouts(this, {candidates, resources, timing, counters, outline, verification, m_problemDock, sass,
                                   model, warp, lesson, effects});
    m_operations = new CandidateOperations(&m_document, m_actions, m_candidates, this);
    connect(m_operations, &CandidateOperations::aboutToChange, m_analysis, &LiveAnalysis::flush);
    connect(m_operations, &CandidateOperations::message, this, &MainWindow::say);
    connect(m_candidates, &CandidatePanel::message, this, &MainWindow::say);
}

void MainWindow::makeStatusBar() {
    m_progressText = new QLabel(this);
    m_progress = new QProgressBar(this);
    m_progress->setMaximumWidth(160);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the stage"));
    m_position = new QLabel(this);
    m_position->setMinimumWidth(
        m_position->fontMetrics().horizontalAdvance(tr("Line %1, column %2").arg(88888).arg(888)));
    for (QWidget* each :
         {static_cast<QWidget*>(m_progressText), static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_position)})
        statusBar()->addPermanentWidget(each);
    m_progress->hide();
}

void MainWindow::makeToolBar() {
    QToolBar* bar = addToolBar(tr("Main tool bar"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize({16, 16});
    for (QAction* action :
         {m_actions->open, m_actions->save, static_cast<QAction*>(nullptr), m_actions->verify, m_actions->verifyAll,
          m_actions->stop, static_cast<QAction*>(nullptr), m_actions->previousChange, m_actions->nextChange})
        if (action)
            bar->addAction(action);
        else
            bar->addSeparator();
    m_actions->panels->addSeparator();
    m_actions->panels->addAction(bar->toggleViewAction());
}

void MainWindow::fillMenus() {
    m_layouts->fillMenu(m_actions->layouts);
    new Comparing(&m_document, m_actions->compareWith, this);
    auto* exporting = new Exporting(&m_document, m_notices, this, [this] { m_analysis->flush(); });
    exporting->fillMenu(m_actions->exports);
    connect(m_actions->exportReport, &QAction::triggered, exporting, &Exporting::exportReport);
    connect(exporting, &Exporting::message, this, &MainWindow::say);
    m_warp->fillMenu(m_actions->warp);
    auto* lineCounting = new LineCounting(&m_document, &m_counters, m_view, this);
    lineCounting->fillMenu(m_actions->lineCounts);
    connect(m_lessons, &Lessons::countsWanted, lineCounting, &LineCounting::chooseByName);
    m_projector = new Projector(&m_theme, m_view, this);
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::system, tr("As the &desktop")},
                                                       {ThemeChoice::light, tr("&Light")},
                                                       {ThemeChoice::dark, tr("Da&rk")},
                                                       {ThemeChoice::contrast, tr("High &contrast")}};
    for (const auto& [choice, words] : choices) {
        QAction* action = m_actions->themes->addAction(words);
        action->setCheckable(true);
        action->setChecked(QSettings().value(themeKey, 0).toInt() == int(choice));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice = choice] {
            QSettings().setValue(themeKey, int(choice));
            m_theme.setChoice(choice);
        });
    }
    connect(m_actions->examples, &QMenu::aboutToShow, this, [this] {
        m_actions->examples->clear();
        for (const QString& name : SessionFiles::examples())
            m_actions->examples->addAction(name, this, [this, name] { m_files->open(name); });
    });
    connect(m_actions->recent, &QMenu::aboutToShow, this, [this] {
        QMenu* menu = m_actions->recent;
        menu->clear();
        const QStringList files = Document::recentFiles();
        for (const QString& file : files)
            menu->addAction(QFileInfo(file).fileName(), this, [this, file] { m_files->open(file); })
                ->setStatusTip(file);
        if (files.isEmpty()) menu->addAction(tr("Nothing was opened yet"))->setEnabled(false);
        menu->addSeparator();
        menu->addAction(tr("&Clear"), this, &Document::clearRecentFiles)->setEnabled(!files.isEmpty());
    });
    m_projector->fillMenu(m_actions->themes);
    m_actions->adopt(&m_projector->action());
    for (QAction* action : m_actions->warp->actions())
        if (!action->isSeparator()) m_actions->adopt(action);
    m_actions->fillMenus(menuBar());
}

void MainWindow::applyTheme(const Theme& theme) {
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

void MainWindow::applySettings() {
    const Settings settings = Settings::load();
    m_verification->device = settings.device;
    m_runner.setCommandLine(settings.commandLine(VerifyRunner::defaultCommandLine()));
    m_runner.setDeadline(std::chrono::minutes(settings.deadlineMinutes));
    m_document.setAutosaveInterval(std::chrono::seconds(settings.autosaveSeconds));
}

void MainWindow::updateTitles() {
    setWindowTitle(tr("%1[*] — PTX Workbench").arg(m_document.title()));
    m_view->source().setTitle(sourceTitle(m_document));
    m_view->baseline().setTitle(baselineTitle(m_document, *m_verification));
    m_view->candidate().setTitle(candidateTitle(m_document, *m_verification));
    m_verificationPanel->setVerdict(m_verification->verdictLine());
    const session::Candidate* shown = m_document.candidate(m_document.current());
    m_verificationPanel->setResult(shown && shown->judgement ? &shown->judgement->result : nullptr,
                                   m_document.freshness(m_document.current()) == session::Freshness::stale);
    updateEmptyTexts();
}

/// Why a pane is empty, and the action that fills it.
void MainWindow::updateEmptyTexts() {
    const session::Session& session = m_document.session();
    m_view->source().setEmptyText(session.baseline.text.empty() && session.candidates.empty()
                                      ? tr("Open a kernel: CUDA source, PTX, a spec or a session.")
                                      : tr("This kernel came without its CUDA source."),
                                  m_actions->open);
    if (m_compiler.isRunning())
        m_view->baseline().setEmptyText(tr("Compiling with nvcc…"));
    else if (!session.hasKernel() && !session.source.empty())
        m_view->baseline().setEmptyText(tr("There is no kernel spec yet. It says with which arguments and sizes the "
                                           "kernel runs; one can be drafted from the source."),
                                        m_actions->draft);
    else
        m_view->baseline().setEmptyText(m_compileProblem.isEmpty() ? tr("There is no baseline yet.") : m_compileProblem,
                                        m_actions->compile);
    if (m_document.current() == Document::baselineId())
        m_view->candidate().setEmptyText(tr("The baseline itself is chosen. A candidate is a copy of it to change, or "
                                            "PTX from elsewhere."),
                                         m_actions->create);
    else if (session.candidates.empty())
        m_view->candidate().setEmptyText(tr("There is no candidate yet."), m_actions->create);
    else
        m_view->candidate().setEmptyText(tr("This candidate is empty: write PTX here, or paste it."));
    m_actions->compile->setEnabled(session.hasKernel() && !session.kernel.spec.source.empty());
}

void MainWindow::updatePosition() {
    const CodePane& pane = m_view->pane(m_view->currentPane());
    m_position->setText(tr("Line %1, column %2").arg(pane.currentLine()).arg(pane.currentColumn()));
}

void MainWindow::say(const QString& text) {
    text.isEmpty() ? statusBar()->clearMessage() : statusBar()->showMessage(text, messageMilliseconds);
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

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) return event->acceptProposedAction();
}

/// PTX becomes a candidate of the kernel that is open; everything else is opened.
void MainWindow::dropEvent(QDropEvent* event) {
    QStringList candidates;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (!url.isLocalFile()) continue;
        const QString file = url.toLocalFile();
        if (!file.endsWith(QLatin1String(".ptx")) || !m_document.session().hasKernel()) return m_files->open(file);
        candidates += file;
    }
    m_operations->import(candidates);
}

} // namespace ptxwb::ui
