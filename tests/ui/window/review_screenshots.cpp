// Pictures of the review: comments beside the panes, the decision with what keeps from it, the checklist, two sessions.
//   review_screenshots FOLDER [light|dark]
// The session is saxpy as an H200 has judged it (tests/data/worker/h200/gallery).
#include "../../review/reviewed.h"
#include "editors/comparison_view.h"
#include "models/document.h"
#include "panels/review_panel.h"
#include "window/actions.h"
#include "window/live_analysis.h"
#include "window/main_window.h"
#include "window/reviewing.h"
#include "window/session_comparison.h"
#include "window/session_files.h"

#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QTemporaryDir>

#include <cstdio>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;

namespace {

template <class Condition>
void wait(Condition done) {
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < 30'000) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    clock.restart();
    while (clock.elapsed() < 400) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

bool picture(QWidget& window, const QString& file) {
    wait([] { return true; });
    const bool saved = window.grab().save(file);
    std::printf("%s%s\n", qPrintable(file), saved ? "" : ": could not be written");
    return saved;
}

session::Session commented() {
    session::Session session = onH200("saxpy");
    session::Candidate& candidate = named(session, "vectorized");
    const auto lineWith = [&](const std::string& text) {
        const std::size_t at = candidate.text.find(text);
        return static_cast<std::uint32_t>(std::count(candidate.text.begin(), candidate.text.begin() + long(at), '\n') +
                                          1);
    };
    need(review::addComment(session,
                            {candidate.id, lineWith("or.b64"), 6,
                             "One test for two pointers: with y off by four bytes, x is read one by one too. Does "
                             "that happen?",
                             grace, "2026-12-01T09:12:00Z"}));
    review::answer(
        session.review, "k1",
        {"Only for a view into a larger array. The spec grants 4 bytes, so it must be right; it need not be fast.", ada,
         "2026-12-01T09:40:00Z"});
    need(review::addComment(session, {candidate.id, lineWith("ld.global.v4"), 1,
                                      "Nobody writes x: ld.global.nc would do.", grace, "2026-12-01T09:15:00Z"}));
    need(review::addComment(session, {std::string(session::baselineId), 30, 1, "nvcc does this in one step.", ada,
                                      "2026-12-01T09:20:00Z"}));
    return session;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: %s FOLDER [light|dark|contrast]\n", arguments[0]);
        return 2;
    }
    const QTemporaryDir home; // nothing of the person's own settings in the pictures
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", home.path().toLocal8Bit());
    QApplication application(count, arguments);
    QApplication::setOrganizationName(QStringLiteral("ptxwb"));
    QApplication::setApplicationName(QStringLiteral("screenshots"));
    const QDir folder(QString::fromLocal8Bit(arguments[1]));
    const QString theme = count > 2 ? QString::fromLocal8Bit(arguments[2]) : QStringLiteral("light");
    const auto file = [&](const char* name) { return folder.filePath(theme + QLatin1Char('-') + QLatin1String(name)); };

    session::Session session = commented();
    const QString saved = home.filePath(QStringLiteral("tuning.ptxwb"));
    need(session::save(session, saved.toStdString()));
    MainWindow window;
    window.theme().setChoice(theme == QStringLiteral("dark")       ? ThemeChoice::dark
                             : theme == QStringLiteral("contrast") ? ThemeChoice::contrast
                                                                   : ThemeChoice::light);
    window.resize(1600, 960);
    window.show();
    window.files().open(saved);
    wait([&] { return !window.document().session().candidates.empty(); });
    window.document().setCurrent(QString::fromStdString(named(session, "vectorized").id));
    wait([&] { return !window.analysis().isRunning(); });
    auto* dock = window.findChild<QDockWidget*>(QStringLiteral("review"));
    dock->show();
    dock->raise();
    window.resizeDocks({dock}, {330}, Qt::Vertical);
    ReviewPanel& panel = *window.reviewing().panel();
    wait([] { return true; });
    panel.comments().choose(QStringLiteral("k1"));
    window.view().candidate().goToLine(50);
    bool good = picture(window, file("review-comments.png"));
    auto* timing = window.findChild<QDockWidget*>(QStringLiteral("timing"));
    timing->raise(); // what the GPU measured
    good = picture(window, file("timing-measured.png")) && good;
    window.findChild<QDockWidget*>(QStringLiteral("resources"))->raise();
    panel.showPage(ReviewPanel::Page::decision);
    panel.decision().setReviewer(QString::fromStdString(grace));
    good = picture(window, file("review-refused.png")) && good;
    window.findChild<QPlainTextEdit*>(QStringLiteral("decisionReason"))
        ->setPlainText(QStringLiteral("Same results at every size, half the instructions."));
    wait([] { return true; });
    emit panel.decision().decided();
    good = picture(window, file("review-approved.png")) && good;
    window.document().setText(window.document().current(),
                              window.document().text(window.document().current()) + QStringLiteral("// edited\n"));
    good = picture(window, file("review-withdrawn.png")) && good;
    panel.showPage(ReviewPanel::Page::checklist);
    good = picture(window, file("review-checklist.png")) && good;
    SessionComparison two(session, named(session, "vectorized").id, approvedSaxpy(), window.theme().current());
    two.show();
    wait([&] { return !two.isRunning(); });
    good = picture(two, file("review-two-sessions.png")) && good;
    window.document().discardAutosave();
    return good ? 0 : 1;
}
