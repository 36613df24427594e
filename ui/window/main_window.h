// The window: three panes, the docks around them, the menus; it joins document, analysis and verification.
// Made by ptx-workbench, and by the end-to-end tests.
#pragma once

#include "jobs/verify_runner.h"
#include "models/counter_store.h"
#include "models/document.h"
#include "models/problem_model.h"
#include "models/sass_model.h"
#include "models/stage_model.h"
#include "theme/theme_source.h"
#include "window/counting.h"
#include "window/reference_question.h"

#include <QMainWindow>

#include <functional>

namespace ptxwb::ui {

class Actions;
class BaselineCompiling;
class CandidatePanel;
class ComparisonView;
class CountersPanel;
class EditEffects;
class Layouts;
class Lessons;
class LiveAnalysis;
class MachineCheck;
class ModelChat;
class ModelPanel;
class NoticeBar;
class OutlinePanel;
class ProblemPanel;
class Projector;
class Replaying;
class ResourcesPanel;
class Reviewing;
class SassPanel;
class SessionFiles;
class StatusLine;
class TimingPanel;
class Verification;
class VerificationPanel;
class WarpStepping;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow();
    ~MainWindow() override;

    /// Shows the card that says what this machine has, at the first start only.
    void greet();

    Document& document() { return m_document; }
    ThemeSource& theme() { return m_theme; }
    VerifyRunner& runner() { return m_runner; }
    Actions& actions() { return *m_actions; }
    ComparisonView& view() { return *m_view; }
    CandidatePanel& candidates() { return *m_candidates; }
    TimingPanel& timing() { return *m_timing; }
    CountersPanel& counters() { return *m_countersPanel; }
    SassPanel& sass() { return *m_sassPanel; }
    OutlinePanel& outline() { return *m_outline; }
    ModelPanel& model() { return *m_modelPanel; }
    ModelChat& chat() { return *m_chat; }
    VerificationPanel& verificationPanel() { return *m_verificationPanel; }
    ProblemPanel& problems() { return *m_problemPanel; }
    Verification& verification() { return *m_verification; }
    LiveAnalysis& analysis() { return *m_analysis; }
    SessionFiles& files() { return *m_files; }
    NoticeBar& notices() { return *m_notices; }
    Reviewing& reviewing() { return *m_reviewing; }
    WarpStepping& warp() { return *m_warp; }
    Lessons& lessons() { return *m_lessons; }
    EditEffects& effects() { return *m_effects; }
    Projector& projector() { return *m_projector; }

    /// Title and text, for somebody who works in another window; tests listen here.
    std::function<void(const QString&, const QString&)> notify;

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void makeCentre();
    void makeDocks();
    void makeToolBar();
    void fillMenus();
    void makeReview();
    void connectFiles();
    void connectVerification();
    void connectPlaces();
    void connectDialogs();
    void connectModel();
    void connectFlush();

    void applyTheme(const Theme& theme);
    void updateTitles();

    ThemeSource m_theme;
    Document m_document;
    StageModel m_stages;
    ProblemModel m_problems;
    VerifyRunner m_runner;
    CounterStore m_counters{&m_document};
    Counting m_counting{&m_document, &m_counters, &m_runner};
    SassModel m_sassModel;
    ReferenceQuestion m_reference;

    Actions* m_actions;
    NoticeBar* m_notices;
    ComparisonView* m_view;
    LiveAnalysis* m_analysis;
    Verification* m_verification;
    SessionFiles* m_files;
    StatusLine* m_status;
    BaselineCompiling* m_compiling = nullptr;
    MachineCheck* m_machine = nullptr;
    Replaying* m_replaying = nullptr;
    CandidatePanel* m_candidates = nullptr;
    ResourcesPanel* m_resources = nullptr;
    TimingPanel* m_timing = nullptr;
    CountersPanel* m_countersPanel = nullptr;
    SassPanel* m_sassPanel = nullptr;
    OutlinePanel* m_outline = nullptr;
    ModelPanel* m_modelPanel = nullptr;
    ModelChat* m_chat = nullptr;
    VerificationPanel* m_verificationPanel = nullptr;
    ProblemPanel* m_problemPanel = nullptr;
    WarpStepping* m_warp = nullptr;
    Lessons* m_lessons = nullptr;
    EditEffects* m_effects = nullptr;
    Projector* m_projector = nullptr;
    Layouts* m_layouts = nullptr;
    Reviewing* m_reviewing = nullptr;
};

} // namespace ptxwb::ui
