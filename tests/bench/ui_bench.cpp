// The longest gap of the window's event loop while pairs of 10,000 and 100,000 lines are opened, compared, typed into
// and scrolled, and how long a session of 50 candidates takes from the start.
// Run by hand: ui_bench [--check]. A timer of 1 ms is the heartbeat: a beat that comes late is what a person feels. On
// a busy machine the processor's time of the longest beat, printed beside it, is the figure to look at; `--check` ends
// with 1 where it is over its limit.
#include "../ui/editors/long_kernel.h"
#include "editors/comparison_view.h"
#include "editors/editor.h"
#include "heartbeat.h"
#include "ptx/parse.h"
#include "session/open.h"
#include "session/save.h"
#include "window/live_analysis.h"
#include "window/main_window.h"
#include "window/session_files.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <future>

using namespace ptxwb;
using namespace ptxwb::ui;
using ptxwb::test::Heartbeat;

namespace {

struct Answer {
    compare::Comparison comparison;
    SourceLinks links;
};

Answer compareTexts(const QByteArray& left, const QByteArray& right) {
    const auto a = ptx::parse(left.toStdString(), "left.ptx"), b = ptx::parse(right.toStdString(), "right.ptx");
    return {compare::compare(*a, *b), makeSourceLinks(*a, "k.cu")};
}

session::Opened openedPair(const QByteArray& baseline, const QByteArray& candidate) {
    session::Opened opened;
    opened.session.baseline.id = session::baselineId;
    opened.session.baseline.name = "baseline.ptx";
    opened.session.baseline.text = baseline.toStdString();
    session::Candidate one;
    one.id = session::newId(opened.session);
    one.name = "candidate";
    one.text = candidate.toStdString();
    opened.current = one.id;
    opened.session.candidates.push_back(std::move(one));
    return opened;
}

/// The whole window: document, checker, comparison, panels. `limit`: of one beat, in milliseconds.
void measureWindow(const char* what, const QByteArray& baseline, const QByteArray& candidate, double limit) {
    std::printf("the window, %s\n", what);
    MainWindow window;
    window.resize(1600, 1000);
    window.show();
    auto opened = openedPair(baseline, candidate);
    Heartbeat heart;
    heart.measure("  first show", [] {});
    const auto settle = [&window] {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < 60'000 && (clock.elapsed() < 300 || window.analysis().isRunning()))
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    };
    const double perhaps = limit > 100 ? limit : 0; // only what a person does all the time must never be felt
    heart.measure("  open, check and compare", [&] { window.document().adopt(std::move(opened)); }, perhaps);
    settle();
    CodePane& pane = window.view().candidate();
    const int lines = pane.lineCount();
    heart.measure("  go to the middle", [&] { pane.goToLine(lines / 2); }, perhaps);
    // Twice as long as the rest that the checker waits for: each letter is checked and compared.
    heart.repeat(
        "  type 20 letters, checked and compared", 20, [&] { QTest::keyClick(&pane.editor(), Qt::Key_X); }, limit);
    settle();
    heart.repeat("  10 new lines", 10, [&] { QTest::keyClick(&pane.editor(), Qt::Key_Return); }, limit);
    settle();
    heart.repeat(
        "  scroll 40 pages", 40, [&] { pane.editor().setFirstVisibleRow(pane.editor().firstVisibleRow() + 50); },
        limit);
    heart.repeat("  next change, 20 times", 20, [&] { window.view().nextChange(); }, limit);
    heart.measure("  go to the end", [&] { pane.goToLine(lines - 10); }, perhaps);
    heart.measure("  take a hunk", [&] { window.view().takeHunkFromBaseline(); }, perhaps);
    settle();
    heart.measure(
        "  compare anew, nothing typed", [&] { window.document().setCurrent(Document::baselineId()); }, perhaps);
    settle();
    heart.measure(
        "  and the candidate again",
        [&] { window.document().setCurrent(QString::fromStdString(window.document().session().candidates[0].id)); },
        perhaps);
    settle();
    window.document().discardAutosave();
}

/// From the constructor until the session is shown, checked and compared. False where that takes over 500 ms of the
/// processor.
bool startsInTime() {
    const QTemporaryDir folder;
    const auto file = std::filesystem::path(folder.filePath("many.ptxwb").toStdString());
    {
        auto opened = session::openAny("saxpy", std::filesystem::path(PTXWB_SOURCE_DIR) / "resources" / "examples");
        if (!opened) {
            std::printf("no example: %s\n", opened.error().message.c_str());
            return false;
        }
        session::Session& session = opened->session;
        const session::Candidate first = session.candidates.front();
        while (session.candidates.size() < 50) {
            session::Candidate more = first;
            more.id = session::newId(session);
            more.name = session::freeName(session, first.name);
            more.text += "// " + more.id + "\n";
            session.candidates.push_back(std::move(more));
        }
        if (const auto saved = session::save(session, file); !saved) {
            std::printf("not saved: %s\n", saved.error().message.c_str());
            return false;
        }
    }
    QElapsedTimer clock;
    clock.start();
    const double processor = ptxwb::test::threadMilliseconds();
    MainWindow window;
    window.resize(1600, 1000);
    window.show();
    window.files().open(QString::fromStdString(file.string()));
    while (clock.elapsed() < 20'000 &&
           (window.document().session().candidates.empty() || window.analysis().isRunning()))
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window.repaint();
    const double own = ptxwb::test::threadMilliseconds() - processor;
    const bool isOver = own > 500;
    std::printf("start with a session of 50 candidates: %lld ms, of it processor of the window's thread %.0f ms%s\n",
                static_cast<long long>(clock.elapsed()), own, isOver ? "  OVER" : "");
    std::fflush(stdout);
    return !isOver;
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir home; // nothing of a person's own settings
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", home.path().toLocal8Bit());
    const QApplication application(argc, argv);
    const bool inTime = startsInTime();
    const std::pair<const char*, QByteArray> candidates[] = {
        {"renamed, 250 edits", ui::test::longKernel(10'000, 7, 40)},
        {"renamed, 3,300 edits", ui::test::longKernel(10'000, 7, 3)},
        {"nothing renamed, 10 edits", ui::test::longKernel(10'000, 0, 1'000)},
    };
    const QByteArray baseline = ui::test::longKernel(10'000);
    for (const auto& [name, candidate] : candidates) {
        std::printf("%s\n", name);
        ComparisonView view;
        view.resize(1600, 1000);
        view.show();
        Heartbeat heart;
        heart.measure("  first show", [] {});
        heart.measure("  open the baseline", [&] { view.setBaselineText(baseline); });
        heart.measure("  open the candidate", [&] { view.setCandidateText(candidate); });
        std::future<Answer> future;
        heart.measure("  compare, on another thread",
                      [&] { future = std::async(std::launch::async, compareTexts, baseline, candidate); });
        Answer answer = future.get();
        heart.measure("  apply the comparison", [&] {
            view.applyComparison(std::move(answer.comparison), view.baseline().revision(), view.candidate().revision());
        });
        heart.measure("  next change", [&] { view.nextChange(); });
        heart.measure("  go to the end", [&] { view.candidate().goToLine(9'900); });
        heart.measure("  a key that adds a line", [&] { view.candidate().replaceLines(5'000, 0, "\tret;\n"); });
        heart.measure("  only changed rows", [&] { view.setLevel(compare::Level::changed); });
        heart.measure("  all rows", [&] { view.setLevel(compare::Level::all); });
        heart.measure("  take a hunk", [&] { view.takeHunkFromBaseline(); });
    }
    measureWindow("10,000-line pair", baseline, candidates[0].second, 16);
    // A filler of 9,900 rows.
    measureWindow("100 lines beside 10,000", ui::test::longKernel(100), candidates[0].second, 16);
    measureWindow("100,000-line pair", ui::test::longKernel(100'000), ui::test::longKernel(100'000, 7, 40), 250);
    const bool checks = argc > 1 && QByteArray(argv[1]) == "--check";
    if (Heartbeat::over() > 0) std::printf("%d steps over their limits\n", Heartbeat::over());
    return checks && (!inTime || Heartbeat::over() > 0) ? 1 : 0;
}
