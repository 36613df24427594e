// The longest gap of the window's event loop while a 10,000-line pair is opened, compared and edited.
// Run by hand. A timer of 1 ms is the heartbeat: a beat that comes late is what a person feels. On a busy machine the
// processor's time of the step, printed beside it, is the figure to look at.
#include "../ui/editors/long_kernel.h"
#include "editors/comparison_view.h"
#include "editors/editor.h"
#include "ptx/parse.h"
#include "window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <future>

using namespace ptxwb;
using namespace ptxwb::ui;

namespace {

double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

class Heartbeat {
public:
    Heartbeat() {
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            m_longest = std::max(m_longest, double(m_since.nsecsElapsed()) * 1e-6);
            m_busiest = std::max(m_busiest, threadMilliseconds() - m_processor);
            m_since.restart();
            m_processor = threadMilliseconds();
        });
        m_timer.start(1);
    }

    /// Runs `step` from the event loop, then the loop until it has been idle for a while.
    template <class Step>
    void measure(const char* what, Step step) {
        spin(50);
        m_longest = m_busiest = 0;
        const double before = threadMilliseconds();
        double own = 0;
        QTimer::singleShot(0, [&] {
            step();
            own = threadMilliseconds() - before;
        });
        spin(400);
        std::printf("%-44s longest gap %7.1f ms, of it processor %6.1f ms; the step itself %6.1f ms\n", what, m_longest,
                    m_busiest, own);
    }

private:
    void spin(int milliseconds) {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }

    QTimer m_timer;
    QElapsedTimer m_since;
    double m_longest = 0, m_busiest = 0, m_processor = 0;
};

struct Answer {
    compare::Comparison comparison;
    SourceLinks links;
};

Answer compareTexts(const QByteArray& left, const QByteArray& right) {
    const auto a = ptx::parse(left.toStdString(), "left.ptx"), b = ptx::parse(right.toStdString(), "right.ptx");
    return {compare::compare(*a, *b), makeSourceLinks(*a, "k.cu")};
}

/// The whole window: document, checker, comparison, panels.
void measureWindow(const QByteArray& baseline, const QByteArray& candidate) {
    std::printf("the window, 10,000-line pair\n");
    MainWindow window;
    window.resize(1600, 1000);
    window.show();
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
    Heartbeat heart;
    heart.measure("  first show", [] {});
    heart.measure("  open, check and compare", [&] { window.document().adopt(std::move(opened)); });
    CodePane& pane = window.view().candidate();
    heart.measure("  type a letter: check and compare again", [&] {
        pane.goToLine(5'000);
        QTest::keyClicks(&pane.editor(), "x");
    });
    heart.measure("  show the baseline instead", [&] { window.document().setCurrent(Document::baselineId()); });
    heart.measure("  and the candidate again", [&] {
        window.document().setCurrent(QString::fromStdString(window.document().session().candidates[0].id));
    });
    window.document().discardAutosave();
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir home; // nothing of a person's own settings
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", home.path().toLocal8Bit());
    const QApplication application(argc, argv);
    const std::pair<const char*, QByteArray> candidates[] = {
        {"renamed, 250 edits", test::longKernel(10'000, 7, 40)},
        {"renamed, 3,300 edits", test::longKernel(10'000, 7, 3)},
        {"nothing renamed, 10 edits", test::longKernel(10'000, 0, 1'000)},
    };
    const QByteArray baseline = test::longKernel(10'000);
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
    measureWindow(baseline, candidates[0].second);
    return 0;
}
